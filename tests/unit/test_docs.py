"""The documentation is complete: what the program has is described, and nothing else."""

import re
from pathlib import Path

import pytest
from pydantic_core import PydanticUndefined

from markmirror.commands import OPPOSITES
from markmirror.confluence_options import ConfluenceOptions
from markmirror.errors import ExitCode
from markmirror.options import RunOptions, SiteOptions
from markmirror.output.paths import OWN_NAMES, page_path
from markmirror.state.database import SCHEMA
from markmirror.state.space_schema import SCHEMA as SPACE_SCHEMA

ROOT = Path(__file__).parents[2]
SITE = ROOT / "docs" / "site.md"
CONFLUENCE = ROOT / "docs" / "confluence.md"
ARCHITECTURE = ROOT / "docs" / "architecture.md"
README = ROOT / "README.md"
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]

COMMANDS: list[tuple[Path, type[RunOptions]]] = [
    (SITE, SiteOptions),
    (CONFLUENCE, ConfluenceOptions),
]
each_command = pytest.mark.parametrize(
    ("page", "options"), COMMANDS, ids=[page.stem for page, _ in COMMANDS]
)


def _section(page: Path, title: str) -> str:
    """The text of a page under one second-level heading."""
    sections = re.split(r"^## ", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    (section,) = [text for text in sections if text.startswith(f"{title}\n")]
    return section


def _rows(section: str) -> list[list[str]]:
    """The cells of every table row in a section, without heads and rules."""
    lines = [line for line in section.splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    is_rule = [bool(re.fullmatch(r"[|\s:-]+", line)) for line in lines]
    return [
        row
        for number, row in enumerate(rows)
        if not is_rule[number] and not (number + 1 < len(rows) and is_rule[number + 1])
    ]


def _documented_options(page: Path) -> dict[str, str]:
    """The default of each option by the name of its field, as the page has it."""
    defaults: dict[str, str] = {}
    for flags, default, _ in _rows(_section(page, "Options")):
        first = re.findall(r"`(?:--)?([A-Za-z-]+)", flags.replace("`-o`, ", ""))[0]
        defaults[first.lower().replace("-", "_")] = default.strip("`")
    return defaults


def _default(options: type[RunOptions], name: str) -> str:
    """The default of a field in the page's words."""
    default = options.model_fields[name].default
    if default in (None, (), PydanticUndefined):
        return "–"
    if name in OPPOSITES and default is False:
        return OPPOSITES[name].rpartition("--")[2]
    if isinstance(default, bool):
        return "on" if default else "off"
    if isinstance(default, tuple):
        return ",".join(default)
    return str(default)


@each_command
def test_every_option_is_described_with_its_default_and_none_is_invented(
    page: Path, options: type[RunOptions]
) -> None:
    documented = _documented_options(page)
    assert documented.pop("config") == "markmirror.toml"
    assert documented == {name: _default(options, name) for name in options.model_fields}


@each_command
def test_the_words_an_option_takes_are_all_named(page: Path, options: type[RunOptions]) -> None:
    section = _section(page, "Options")
    for name, field in options.model_json_schema()["properties"].items():
        kinds = [field, field.get("items", {}), *field.get("anyOf", [])]
        choices = [word for kind in kinds for word in kind.get("enum", [])]
        flag = f"--{name.replace('_', '-')} "
        row = next((line for line in section.splitlines() if flag in line), "")
        assert not [word for word in choices if f"`{word}`" not in row], name


def test_the_exit_codes_of_the_readme_are_those_of_the_program() -> None:
    rows = _rows(_section(README, "Exit codes"))
    named = {int(code): name for code, name, _ in rows}
    assert named == {code.value: code.name.lower().replace("_", " ") for code in ExitCode}


def test_every_file_the_program_keeps_is_described() -> None:
    rows = _rows(_section(SITE, "Files left behind"))
    assert {cells[0].strip("`") for cells in rows} == OWN_NAMES


@pytest.mark.parametrize("row", _rows(_section(SITE, "Where a page is written")))
def test_the_examples_of_paths_are_true(row: list[str]) -> None:
    url, file = (cell.strip("`") for cell in row)
    place = page_path(url)
    assert file == f"{place.host_dir}/{place.path}"


def test_every_table_of_the_ledger_is_described() -> None:
    rows = _rows(_section(ARCHITECTURE, "The ledger"))
    schemas = SCHEMA + SPACE_SCHEMA
    tables = re.findall(r"^CREATE TABLE (?:IF NOT EXISTS )?(\w+)", schemas, re.MULTILINE)
    assert [cells[0].strip("`") for cells in rows] == tables


def test_every_room_of_the_house_is_described_and_none_is_invented() -> None:
    house = ROOT / "src" / "markmirror"
    files = (*house.glob("[!_]*.py"), *house.glob("pipeline/**/[!_]*.py"))
    rooms = {path.relative_to(house).as_posix() for path in files}
    rooms |= {f"{path.parent.name}/" for path in house.glob("*/__init__.py")} - {"pipeline/"}
    named: set[str] = set()
    for cells in _rows(_section(ARCHITECTURE, "Rooms")):
        first, *others = re.findall(r"`([^`]+)`", cells[0])
        # Further files of a row stand in the folder of its first one.
        folder, _, _ = first.rpartition("/") if first.endswith(".py") else ("", "", "")
        named |= {first, *(f"{folder}/{other}".lstrip("/") for other in others)}
    assert named == rooms | {"__main__.py"}


@pytest.mark.parametrize("room", ["sources", "state", "convert", "output"])
def test_every_part_of_the_flow_is_a_part_of_the_house(room: str) -> None:
    house = ROOT / "src" / "markmirror"
    named = re.findall(rf"(?<![\w/]){room}/[a-z_/]+", ARCHITECTURE.read_text(encoding="utf-8"))
    assert named
    for name in named:
        place = house / name.rstrip("/")
        assert place.is_dir() or place.with_suffix(".py").is_file(), name


def test_the_readme_leads_to_every_page() -> None:
    links = set(re.findall(r"\]\(([^)#]+)\)", README.read_text(encoding="utf-8")))
    assert {page.relative_to(ROOT).as_posix() for page in PAGES} - {"README.md"} <= links


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    text = re.sub(r"(?ms)^```.*?^```$|`[^`\n]+`", "", page.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\((?!https?:)([^)]*)\)", text):
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE)
            slugs = {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in headings}
            assert anchor in slugs, target
