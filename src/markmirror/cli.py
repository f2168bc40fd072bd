"""The command line: arguments in, report out, exit code.

Here is what every call needs. What `site` and `confluence` are made from takes longer to import
than the help takes to print, so it is imported when one of them is called.
"""

import signal
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from markmirror import __version__
from markmirror.errors import ExitCode, MarkmirrorError, UsageError
from markmirror.streams import NobodyReads, open_streams

# What a KeyboardInterrupt inside of the application comes back as.
_INTERRUPTED_FOR_TYPER = 130
_LOOKS: dict[str, Any] = {
    "add_completion": False,
    "pretty_exceptions_enable": False,
    "rich_markup_mode": None,
}

app = typer.Typer(
    name="markmirror",
    help="Keep a faithful, current Markdown copy of a website or a Confluence space on disk.",
    no_args_is_help=True,
    **_LOOKS,
)


def main() -> None:
    """Run the command line and end the process with its exit code."""
    # Also in the moments before and after a run, being told to end means: interrupted.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    open_streams()
    try:
        _check_file_names()
        code = app(standalone_mode=False)
        if code == _INTERRUPTED_FOR_TYPER:
            code = ExitCode.INTERRUPTED
        sys.stdout.flush()
    except NobodyReads:
        code = ExitCode.SUCCESS
    except MarkmirrorError as error:
        print(f"markmirror: {error}", file=sys.stderr)
        code = error.exit_code
    except (KeyboardInterrupt, typer.Abort):
        code = ExitCode.INTERRUPTED
    except typer.Exit as exit_:
        code = exit_.exit_code
    except typer.TyperException as error:
        print(_what_is_wrong(error), file=sys.stderr)
        code = ExitCode.INVALID_USAGE
    # The end is decided. While Python clears up, a signal would end it with a code of its own.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    sys.exit(int(code or 0))


def _check_file_names() -> None:
    """Pages have names of any script, and each must be the same file in every run."""
    if (encoding := sys.getfilesystemencoding()) != "utf-8":
        raise UsageError(
            f"Names of files are in UTF-8, and this Python takes them for {encoding}.",
            hint="Set PYTHONUTF8=1, or a locale such as C.UTF-8.",
        )


def _what_is_wrong(error: Any) -> str:
    """What the parser of the command line found, or the help where nothing was asked."""
    words = str(error.format_message())
    if "\n" in words:
        return words
    # The parser writes {URL} for what it misses, as if that were the name.
    sentence = words.rstrip(".").replace("'{", "'").replace("}'", "'")
    command = error.ctx.command_path if error.ctx else "markmirror"
    end = "" if sentence.endswith("?") else "."
    return f"markmirror: {sentence}{end} See {command} --help."


class CommandOfOptions(TyperCommand):
    """Has a name and a help text, and becomes a command with flags when it is called."""

    def make_context(self, info_name: str | None, args: list[str], *more: Any, **kw: Any) -> Any:
        from markmirror.commands import with_flags

        whole = typer.Typer(**_LOOKS)
        whole.command(self.name, help=self.help)(with_flags(str(self.name)))
        return typer.main.get_command(whole).make_context(info_name, args, *more, **kw)


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


@app.command(cls=CommandOfOptions)
def site() -> None:
    """Mirror a website through its sitemap.

    The mirror is written to OUTPUT/<host>/. An interrupted run goes on where it stopped when the
    same command is given again. Exit codes: 0 success, 1 pages failed, 2 wrong usage,
    3 interrupted, 6 disk full, 7 no sitemap or nothing in it.
    """


@app.command(cls=CommandOfOptions)
def confluence() -> None:
    """Export a Confluence space to Markdown, with its attachments.

    Files are written to OUTPUT/spaces/<KEY>/. Run again, only what has changed is fetched. An
    interrupted export goes on with --resume. Exit codes: 0 success, 1 pages failed, 2 wrong usage,
    3 interrupted, 4 --resume or --fresh needed, 5 invalid pages, 6 disk full, 7 no such space or
    credentials refused.
    """


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
    """Tell the file of a URL, or the URL of a file."""
    from markmirror.api import look_up

    print(look_up(target, output=output))
    return int(ExitCode.SUCCESS)
