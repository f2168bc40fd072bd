"""docs/benchmarks.md: each benchmark writes its own part, with what it ran on, and no other's."""

import datetime
import os
import platform
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"
_HEAD = """# Benchmarks

Every part of this page was written by the command it names; `make bench` runs them all. The
figures of one part come from one run on one machine: compare them with each other only.
"""


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; every column but the first is a column of figures."""
    lines = [columns, ["---", *["---:"] * (len(columns) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def publish(name: str, title: str, body: str, *, versions: Mapping[str, str]) -> None:
    """Print one part, and put it in the place of the same part of the page."""
    part = "\n\n".join((f"## {title}", _circumstances(name, versions), body.strip()))
    print(part)
    parts = _parts()
    parts[name] = part
    page = [_HEAD.strip()]
    page += [f"<!-- {name} -->\n{parts[name]}" for name in sorted(parts)]
    PAGE.write_text("\n\n".join(page) + "\n", encoding="utf-8")


def _parts() -> dict[str, str]:
    if not PAGE.exists():
        return {}
    pieces = re.split(r"^<!-- (\w+) -->\n", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {name: text.strip() for name, text in zip(pieces[1::2], pieces[2::2], strict=True)}


def _circumstances(name: str, versions: Mapping[str, str]) -> str:
    named = ", ".join(f"{peer} {version}" for peer, version in versions.items())
    return (
        f"`python -m benchmarks.{name}`, {datetime.datetime.now(datetime.UTC):%Y-%m-%d}, "
        f"{_processor()}, {os.cpu_count()} cores, {platform.system()} {platform.release()}, "
        f"Python {sys.version.split()[0]}" + (f"; {named}." if named else ".")
    )


def _processor() -> str:
    try:
        described = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        described = ""
    match = re.search(r"^model name\s*:\s*(.+)$", described, re.MULTILINE)
    return match[1] if match else platform.machine()
