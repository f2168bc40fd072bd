"""What a person asks for, whichever way they say it."""

from pathlib import Path

import pytest

from markmirror.errors import UsageError
from markmirror.options import SiteOptions, read_options

URL = {"url": "https://docs.example.com/"}


def _read(*, config: Path | None = None, environment: dict[str, str] | None = None) -> SiteOptions:
    return read_options(
        SiteOptions, "site", flags=URL, environment=environment or {}, config=config
    )


def test_a_list_of_paths_is_separated_by_commas_in_the_environment() -> None:
    environment = {"MARKMIRROR_INCLUDE_PATHS": "/docs, /api"}
    assert _read(environment=environment).include_paths == ("/docs", "/api")


def test_a_list_of_paths_is_a_list_in_a_file(tmp_path: Path) -> None:
    config = tmp_path / "markmirror.toml"
    config.write_text('[site]\ninclude-paths = ["/docs", "/a,b"]\n')
    assert _read(config=config).include_paths == ("/docs", "/a,b")


def test_headers_stand_on_a_line_each_in_the_environment() -> None:
    environment = {"MARKMIRROR_HEADER": "Accept-Language: de, en\nX-Team: docs"}
    assert _read(environment=environment).headers == {
        "Accept-Language": "de, en",
        "X-Team": "docs",
    }


def test_the_environment_comes_before_the_file_and_a_flag_before_both(tmp_path: Path) -> None:
    config = tmp_path / "markmirror.toml"
    config.write_text("[site]\nconcurrency = 2\ntimeout = 5\nmax-pages = 7\n")
    environment = {"MARKMIRROR_CONCURRENCY": "3", "MARKMIRROR_TIMEOUT": "6"}
    flags = {**URL, "timeout": "9"}
    options = read_options(SiteOptions, "site", flags=flags, environment=environment, config=config)
    assert (options.max_pages, options.concurrency, options.timeout) == (7, 3, 9.0)


def test_an_unknown_key_in_the_file_is_named(tmp_path: Path) -> None:
    config = tmp_path / "markmirror.toml"
    config.write_text("[site]\nspeed = 2\n")
    with pytest.raises(UsageError, match="unknown key: speed"):
        _read(config=config)


def test_the_example_of_the_documentation_is_valid(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "site.md").read_text(encoding="utf-8")
    config = tmp_path / "markmirror.toml"
    config.write_text(page.partition("```toml\n")[2].partition("```")[0])
    options = _read(config=config)
    assert options.output == Path("mirrors")
    assert options.include_paths == ("/docs", "/api")
    assert options.page_rate_limit == 5
    assert options.headers == {"Accept-Language": "en"}
