"""The commands whose flags are made from an options model: the flags, and what each runs."""

import asyncio
import gc
import os
import sys
from collections.abc import Callable
from inspect import Parameter, Signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin

import typer
from pydantic.fields import FieldInfo

from markmirror.confluence_options import ConfluenceOptions
from markmirror.errors import ExitCode
from markmirror.escaping import escape
from markmirror.logs import logging_to_stderr
from markmirror.options import Options, RunOptions, SiteOptions, read_options
from markmirror.streams import close_stdout

if TYPE_CHECKING:
    from markmirror.report import Report
    from markmirror.space_report import SpaceReport
    from markmirror.world import World

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


def with_flags(name: str) -> Callable[..., int]:
    """The function that runs the command of this name, with one parameter per option."""
    if name == "site":
        return _command(name, SiteOptions, "url", _site)
    return _command(name, ConfluenceOptions, "space", _confluence)


def _command(
    name: str, model: type[Options], positional: str, run: Callable[[Options], int]
) -> Callable[..., int]:
    def command(*, config: Path | None = None, **flags: Any) -> int:
        options = read_options(
            model, name, flags=_given(flags), environment=os.environ, config=config
        )
        with logging_to_stderr(log_format=options.log_format, quiet=options.quiet):
            try:
                return run(options)
            except asyncio.CancelledError:
                return int(ExitCode.INTERRUPTED)

    parameters = _parameters(model, positional)
    command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {p.name: p.annotation for p in parameters}
    return command


def _parameters(model: type[RunOptions], positional: str) -> list[Parameter]:
    parameters = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=_flag(name, field))
        if name != positional
        else Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, annotation=_argument(name, field))
        for name, field in model.model_fields.items()
    ]
    # What is particular to the command comes first, what all commands share last.
    parameters.sort(key=lambda p: (p.kind, p.name in RunOptions.model_fields))
    config = Annotated[
        Path | None,
        typer.Option("--config", metavar="FILE", help="Read options from this TOML file."),
    ]
    parameters.append(Parameter("config", Parameter.KEYWORD_ONLY, default=None, annotation=config))
    return parameters


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
    choices = [str(value) for value in get_args(kind)] if get_origin(kind) is Literal else []
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


def _given(flags: dict[str, Any]) -> dict[str, object]:
    """The flags that were on the command line; the others fall through to environment and file."""
    return {name: value for name, value in flags.items() if value is not None and value != []}


def _site(options: SiteOptions) -> int:
    return _list(options) if options.list_only else _mirror(options)


def _mirror(options: SiteOptions) -> int:
    from markmirror.api import mirror_site

    return _tell(mirror_site(options, world=_world_of(options)), options)


def _list(options: SiteOptions) -> int:
    from markmirror.interrupts import Stopped
    from markmirror.website import list_site

    _relieve_the_collector()
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
        close_stdout()
        code = ExitCode.SUCCESS
    return int(code)


def _relieve_the_collector() -> None:
    """Keep the collector of garbage from going through what was imported, again and again.

    Of a million URLs none is part of a cycle; looking for cycles took a quarter of the time.
    """
    gc.freeze()
    gc.set_threshold(10_000)


def _confluence(options: ConfluenceOptions) -> int:
    from markmirror.api import export_space

    report = export_space(options, world=_world_of(options))
    for line in report.planned:
        print(escape(line).replace("\\t", "\t"))
    return _tell(report, options)


def _world_of(options: RunOptions) -> "World":
    """The real world, with whoever is watching this command."""
    from markmirror.progress import display_for
    from markmirror.world import the_world

    return the_world(display_for(quiet=options.quiet, log_format=options.log_format))


def _tell(report: "Report | SpaceReport", options: RunOptions) -> int:
    """Say what was done, as much of it as was asked for."""
    if not options.quiet and options.log_format == "text":
        for sentence in report.sentences():
            print(sentence, file=sys.stderr)
    elif options.quiet and report.message:
        print(report.message, file=sys.stderr)
    return int(report.exit_code)
