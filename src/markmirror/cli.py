"""The command line: arguments in, report out, exit code."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from inspect import Parameter, Signature
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin

import typer
from pydantic.fields import FieldInfo

from markmirror import __version__
from markmirror.confluence_options import ConfluenceOptions
from markmirror.errors import ExitCode, MarkmirrorError
from markmirror.escaping import escape
from markmirror.options import RunOptions, SiteOptions, read_options

app = typer.Typer(
    name="markmirror",
    help="Keep a faithful, current Markdown copy of a website or a Confluence space on disk.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

# Options whose "off" is a word of its own.
OPPOSITES = {
    "list_only": "--list-only/--mirror",
    "front_matter": "--front-matter/--no-front-matter",
}
SHORT = {"output": "-o"}
METAVARS = {
    "include_pattern": "REGEX",
    "exclude_pattern": "REGEX",
    "include_paths": "LIST",
    "exclude_paths": "LIST",
    "acronyms": "LIST",
    "header": "NAME:VALUE",
    "allow_host": "HOST",
    "output": "DIR",
    "selector": "CSS",
    "timeout": "SECONDS",
    "rate_limit": "PER_SECOND",
    "content_rate_limit": "PER_SECOND",
    "priority_min": "0.0-1.0",
    "concurrency": "N",
    "workers": "N",
    "max_pages": "N",
    "max_discovered": "N",
    "limit": "N",
    "base_url": "URL",
    "root_page": "ID|TITLE",
    "discover": "LIST",
    "max_attachment_size": "SIZE",
    "user_agent": "TEXT",
}


def main() -> None:
    """Run the command line and end the process with its exit code."""
    # Also in the moments before and after a run, being told to end means: interrupted.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        code = app(standalone_mode=False)
    except MarkmirrorError as error:
        print(f"markmirror: {error}", file=sys.stderr)
        code = error.exit_code
    except (KeyboardInterrupt, asyncio.CancelledError):
        code = ExitCode.INTERRUPTED
    except typer.Abort:
        code = ExitCode.INTERRUPTED
    except typer.Exit as exit_:
        code = exit_.exit_code
    except typer.TyperException as error:
        # What the parser of the command line found wrong, or the help where nothing was asked.
        sentence = str(error)
        print(sentence if "\n" in sentence else f"markmirror: {sentence}", file=sys.stderr)
        code = ExitCode.INVALID_USAGE
    sys.exit(int(code or 0))


def _flags_of(model: type[RunOptions], *positional: str) -> Callable[[Any], Any]:
    """Give a command one parameter per field of its options, so that each is written down once."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        parameters = [
            Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=_flag(name, field))
            if name not in positional
            else Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, annotation=_argument(name, field))
            for name, field in model.model_fields.items()
        ]
        # What is particular to the command comes first, what all commands share last.
        parameters.sort(key=lambda p: (p.kind, p.name in RunOptions.model_fields))
        config = Annotated[
            Path | None,
            typer.Option("--config", metavar="FILE", help="Read options from this TOML file."),
        ]
        parameters.append(
            Parameter("config", Parameter.KEYWORD_ONLY, default=None, annotation=config)
        )
        command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
        command.__annotations__ = {p.name: p.annotation for p in parameters}
        return command

    return decorate


def _argument(name: str, field: FieldInfo) -> Any:
    return Annotated[str, typer.Argument(help=field.description, metavar=name.upper())]


def _flag(name: str, field: FieldInfo) -> Any:
    kind = _plain_type(field.annotation)
    spelling = OPPOSITES.get(name, "--" + name.replace("_", "-"))
    names = [SHORT[name], spelling] if name in SHORT else [spelling]
    default = field.default
    if field.is_required():
        default = None
    shown = None if default in (None, (), False) else default
    if isinstance(shown, tuple):
        shown = ",".join(shown)
    if isinstance(default, bool) and default:
        shown = "on"
    help_text = field.description or ""
    if shown is not None:
        help_text = f"{help_text} [default: {shown}]"
    choices = [str(value) for value in get_args(kind)] if _is_literal(kind) else []
    metavar = "|".join(choices) if choices else METAVARS.get(name)
    if field.annotation == tuple[str, ...]:
        shape: Any = list[str] | None
    elif kind is bool:
        shape = bool | None
    else:
        # Values are checked by the options model, whose sentences name the flag.
        shape = str | None
    option = typer.Option(*names, help=help_text, metavar=metavar, show_default=False)
    return Annotated[shape, option]


def _plain_type(annotation: Any) -> Any:
    """`X | None` and `Annotated[X, …]` as X."""
    if get_origin(annotation) is Annotated:
        return _plain_type(get_args(annotation)[0])
    kinds = [kind for kind in get_args(annotation) if kind is not type(None)]
    if len(kinds) == 1 and type(None) in get_args(annotation):
        return _plain_type(kinds[0])
    return annotation


def _is_literal(kind: Any) -> bool:
    return "Literal" in str(get_origin(kind))


def _given(flags: dict[str, Any]) -> dict[str, object]:
    """The flags that were on the command line; the others fall through to environment and file."""
    return {name: value for name, value in flags.items() if value is not None and value != []}


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"markmirror {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Keep a faithful, current Markdown copy of a website or a Confluence space on disk."""


@app.command()
@_flags_of(SiteOptions, "url")
def site(*, config: Path | None = None, **flags: Any) -> int:
    """Mirror a website through its sitemap.

    The mirror is written to OUTPUT/<host>/. An interrupted run goes on where it stopped when the
    same command is given again. Exit codes: 0 success, 1 pages failed, 2 wrong usage,
    3 interrupted, 6 disk full, 7 no sitemap or nothing in it.
    """
    options = read_options(
        SiteOptions, "site", flags=_given(flags), environment=os.environ, config=config
    )
    from markmirror.logs import logging_to_stderr

    with logging_to_stderr(log_format=options.log_format, quiet=options.quiet):
        return _list(options) if options.list_only else _mirror(options)


def _mirror(options: SiteOptions) -> int:
    import random

    from markmirror.api import mirror_site
    from markmirror.interrupts import SystemClock
    from markmirror.progress import display_for
    from markmirror.world import World

    world = World(
        clock=SystemClock(),
        chance=random.SystemRandom(),
        display=display_for(quiet=options.quiet, log_format=options.log_format),
    )
    report = mirror_site(options, world=world)
    if not options.quiet and options.log_format == "text":
        for sentence in report.sentences():
            print(sentence, file=sys.stderr)
    elif options.quiet and report.message:
        print(report.message, file=sys.stderr)
    return int(report.exit_code)


def _list(options: SiteOptions) -> int:
    from markmirror.api import list_site
    from markmirror.interrupts import Stopped

    write = sys.stdout.write

    def emit(urls: list[str]) -> None:
        write("\n".join(urls) + "\n")

    try:
        code = asyncio.run(list_site(options, emit))
        sys.stdout.flush()
    except Stopped:
        code = ExitCode.INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has had enough; nothing more can be said to them.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = ExitCode.SUCCESS
    return int(code)


@app.command()
@_flags_of(ConfluenceOptions, "space")
def confluence(*, config: Path | None = None, **flags: Any) -> int:
    """Export a Confluence space to Markdown, with its attachments.

    Files are written to OUTPUT/spaces/<KEY>/. Run again, only what has changed is fetched. An
    interrupted export goes on with --resume. Exit codes: 0 success, 1 pages failed, 2 wrong usage,
    3 interrupted, 4 --resume or --fresh needed, 5 invalid pages, 6 disk full, 7 no such space or
    credentials refused.
    """
    options = read_options(
        ConfluenceOptions, "confluence", flags=_given(flags), environment=os.environ, config=config
    )
    from markmirror.logs import logging_to_stderr

    with logging_to_stderr(log_format=options.log_format, quiet=options.quiet):
        return _export(options)


def _export(options: ConfluenceOptions) -> int:
    import random

    from markmirror.api import export_space
    from markmirror.interrupts import SystemClock
    from markmirror.progress import display_for
    from markmirror.world import World

    world = World(
        clock=SystemClock(),
        chance=random.SystemRandom(),
        display=display_for(quiet=options.quiet, log_format=options.log_format),
    )
    report = export_space(options, world=world)
    for line in report.planned:
        print(escape(line).replace("\\t", "\t"))
    if not options.quiet and options.log_format == "text":
        for sentence in report.sentences():
            print(sentence, file=sys.stderr)
    elif options.quiet and report.message:
        print(report.message, file=sys.stderr)
    return int(report.exit_code)


@app.command()
def which(
    target: Annotated[
        str, typer.Argument(metavar="PATH|URL", help="A file of a mirror or an export, or a URL.")
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="DIR",
            help="Where the mirrors and exports are. [default: output, then the current folder]",
        ),
    ] = None,
) -> int:
    """Say which file a URL was written to, or which URL a file came from."""
    from markmirror.api import look_up

    found = look_up(target, output=output)
    # The bytes of the file's name, whatever the terminal can show.
    sys.stdout.buffer.write(os.fsencode(f"{found}\n"))
    return int(ExitCode.SUCCESS)
