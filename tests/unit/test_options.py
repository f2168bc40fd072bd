"""What a person may ask for, and what they are told when they ask for something else."""

import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from markmirror.confluence_options import ConfluenceOptions
from markmirror.errors import UsageError
from markmirror.options import SiteOptions, read_options
from tests.runs.command import markmirror

URL = "https://docs.example.com/"


def read(
    *, config: Path | None = None, environment: dict[str, str] | None = None, **flags: Any
) -> SiteOptions:
    return read_options(
        SiteOptions,
        "site",
        flags={"url": URL, **flags},
        environment=environment or {},
        config=config,
    )


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "markmirror.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_defaults_are_as_promised() -> None:
    options = read()
    assert options.output == Path("output")
    assert options.rate_limit == options.page_rate_limit == 1.0
    assert (options.concurrency, options.timeout, options.max_pages) == (8, 30, 10_000)
    assert (options.on_error, options.log_format, options.cleanup_intensity) == (
        "skip",
        "text",
        "off",
    )
    assert options.front_matter
    assert not options.respect_robots
    assert not options.list_only


def test_flags_win_over_environment_over_file_over_defaults(tmp_path: Path) -> None:
    config = written(tmp_path, "[site]\nconcurrency = 2\ntimeout = 2\nrate-limit = 2\n")
    environment = {"MARKMIRROR_CONCURRENCY": "3", "MARKMIRROR_TIMEOUT": "3"}
    options = read(config=config, environment=environment, concurrency="4")
    assert (options.concurrency, options.timeout, options.rate_limit) == (4, 3, 2)
    assert options.max_pages == 10_000


def test_a_file_in_the_current_folder_is_read_unasked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, "[site]\nquiet = true\n\n[confluence]\nlimit = 5\n")
    monkeypatch.chdir(tmp_path)
    assert read().quiet


@pytest.mark.parametrize(
    ("flags", "environment", "toml"),
    [
        ({"include_paths": "/docs, api/"}, {}, ""),
        ({"include_paths": ["/docs,/api"]}, {}, ""),
        ({"include_paths": ["/docs", "/api"]}, {}, ""),
        ({}, {"MARKMIRROR_INCLUDE_PATHS": "/docs,/api"}, ""),
        ({}, {}, '[site]\ninclude_paths = "/docs,/api"\n'),
        ({}, {}, '[site]\ninclude-paths = ["/docs", "/api"]\n'),
    ],
)
def test_a_list_of_paths_can_be_written_in_every_way(
    tmp_path: Path, flags: dict[str, Any], environment: dict[str, str], toml: str
) -> None:
    """Seed 001: Include multiple top-level sections."""
    config = written(tmp_path, toml)
    options = read(config=config, environment=environment, **flags)
    assert options.include_paths == ("/docs", "/api")


def test_headers_can_be_several_in_every_place(tmp_path: Path) -> None:
    environment = {"MARKMIRROR_HEADER": "X-One: 1\nX-Two: a:b"}
    assert read(environment=environment).headers == {"X-One": "1", "X-Two": "a:b"}
    config = written(tmp_path, '[site]\nheader = ["Authorization: Bearer x"]\n')
    assert read(config=config).headers == {"Authorization": "Bearer x"}


@pytest.mark.parametrize(
    ("flags", "key"),
    [
        ({"include_pattern": "("}, "--include-pattern"),
        ({"exclude_pattern": "[z-a]"}, "--exclude-pattern"),
        ({"include_paths": "https://x.org/docs"}, "--include-paths"),
        ({"exclude_paths": "/docs,/search?q=1"}, "--exclude-paths"),
        ({"exclude_paths": "/a\0b"}, "--exclude-paths"),
        ({"priority_min": "1.5"}, "--priority-min"),
        ({"priority_min": "-0.1"}, "--priority-min"),
        ({"priority_min": "high"}, "--priority-min"),
        ({"priority_min": "nan"}, "--priority-min"),
        ({"changefreq": "sometimes"}, "--changefreq"),
        ({"rate_limit": "-1"}, "--rate-limit"),
        ({"rate_limit": "inf"}, "--rate-limit"),
        ({"content_rate_limit": "x"}, "--content-rate-limit"),
        ({"concurrency": "0"}, "--concurrency"),
        ({"timeout": "0"}, "--timeout"),
        ({"timeout": "nan"}, "--timeout"),
        ({"max_pages": "-1"}, "--max-pages"),
        ({"max_pages": "1.5"}, "--max-pages"),
        ({"on_error": "panic"}, "--on-error"),
        ({"prune": True}, "--prune"),
        ({"header": ["no colon"]}, "--header"),
        ({"header": ["X: a\r\nY: b"]}, "--header"),
        ({"header": ["X: \x1b[0m"]}, "--header"),
        ({"user_agent": "a\nb"}, "--user-agent"),
        ({"user_agent": "\udcff"}, "--user-agent"),
        ({"log_format": "xml"}, "--log-format"),
        ({"url": "ftp://x/"}, "URL"),
        ({"url": "https://"}, "URL"),
        ({"url": "https://user:secret@x/"}, "URL"),
        ({"url": "https://x:99999/"}, "URL"),
        ({"allow_host": ["x.org", "https://x.org/path"]}, "--allow-host"),
        ({"include_pattern": "caf\udce9"}, "--include-pattern: is not written in UTF-8"),
        ({"header": ["A: b", "C: \udcff"]}, "--header: is not written in UTF-8"),
        ({"nonsense": 1}, "nonsense"),
    ],
    ids=str,
)
def test_a_bad_value_is_said_in_one_sentence_that_names_the_key(
    flags: dict[str, Any], key: str
) -> None:
    with pytest.raises(UsageError) as error:
        read(**flags)
    assert key in str(error.value)
    assert "\n" not in str(error.value)
    assert re.search(r"(?<!\.)\.$", str(error.value))
    assert "True" not in str(error.value)
    assert error.value.exit_code == 2


@pytest.mark.parametrize(
    "flags",
    [
        {"header": ["hunter2"]},
        {"url": "https://user:hunter2@x.org/"},
        {"url": "user:hunter2@x.org"},
        {"url": "ftp://user:hunter2@x.org/"},
        {"allow_host": ["user:hunter2@x.org"]},
        {"priority_min": "user:hunter2@x.org"},
    ],
    ids=str,
)
def test_what_may_be_a_secret_is_not_repeated_in_an_error(flags: dict[str, Any]) -> None:
    with pytest.raises(UsageError) as error:
        read(**flags)
    assert "hunter2" not in str(error.value)
    with pytest.raises(ValidationError) as fault:
        SiteOptions(**{"url": "https://x.org/", **flags})
    assert "hunter2" not in str(fault.value)


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        ("[site]\nrate_limt = 1\n", "unknown key: rate_limt"),
        ("[site]\nrate_limit = 'fast'\n", "--rate-limit"),
        ("[site\n", "not valid TOML"),
        ("site = 3\n", "must be a table"),
        ("[sites]\nquiet = true\n", "sites"),
    ],
)
def test_a_bad_file_is_said_in_one_sentence_that_names_the_key(
    tmp_path: Path, toml: str, said: str
) -> None:
    with pytest.raises(UsageError) as error:
        read(config=written(tmp_path, toml))
    assert said in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("base_url", ["", "wiki", "ftp://x.org", "http://[::1", "http://:80"])
def test_an_address_that_is_no_base_url_is_said_with_what_one_looks_like(base_url: str) -> None:
    flags = {"space": "DOCS", "base_url": base_url}
    with pytest.raises(UsageError, match=r"--base-url: .*[^.]\. It looks like .*[^.]\.$"):
        read_options(ConfluenceOptions, "confluence", flags=flags, environment={})


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read(config=tmp_path / "missing.toml")


def test_a_bad_value_of_the_environment_names_the_key() -> None:
    with pytest.raises(UsageError, match="--timeout"):
        read(environment={"MARKMIRROR_TIMEOUT": "soon"})


def test_a_folder_may_have_any_name() -> None:
    assert read(output="caf\udce9").output == Path("caf\udce9")


def test_an_empty_variable_of_the_environment_is_none() -> None:
    environment = {
        "MARKMIRROR_TIMEOUT": "",
        "CONFLUENCE_URL": "https://x.org",
        "MARKMIRROR_USERNAME": "",
        "CONFLUENCE_USERNAME": "ada",
        "CONFLUENCE_PASSWORD": "secret",
        "CONFLUENCE_TOKEN": "",
    }
    flags = {"space": "DOCS"}
    options = read_options(ConfluenceOptions, "confluence", flags=flags, environment=environment)
    assert (options.timeout, options.username, options.token) == (30, "ada", None)
    assert options.headers["Authorization"].startswith("Basic ")


def test_an_address_without_a_scheme_is_taken_as_https() -> None:
    assert read(url="docs.example.com/x").url == "https://docs.example.com/x"


@pytest.mark.parametrize(
    "arguments",
    [
        ("--include-pattern", "("),
        ("--priority-min", "2"),
        ("--changefreq", "sometimes"),
        ("--no-such-flag",),
        ("--config", "missing.toml"),
        ("--prune",),
        ("--selector", "["),
    ],
    ids=" ".join,
)
def test_bad_usage_ends_before_anything_is_fetched_or_written(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    # A port where nobody listens: had anything been fetched, the exit code would be another.
    ended = markmirror("site", "http://127.0.0.1:9/", *arguments, cwd=tmp_path)
    assert ended.code == 2
    assert ended.out == ""
    assert ended.err.count("\n") == 1
    assert arguments[0] in ended.err
    assert list(tmp_path.iterdir()) == []


def test_help_names_every_option_of_the_model() -> None:
    said = markmirror("site", "--help")
    assert said.code == 0
    assert said.err == ""
    for name, field in SiteOptions.model_fields.items():
        if name != "url":
            assert f"--{name.replace('_', '-')}" in said.out
        assert field.description
    for word in ("daily", "skip|retry|abort", "[default: 10000]", "REGEX", "Exit codes"):
        assert word in said.out


def test_help_says_what_an_option_is_when_it_is_not_given() -> None:
    said = " ".join(markmirror("confluence", "--help").out.split())
    for name in ("rate_limit", "concurrency", "cleanup_intensity", "max_discovered"):
        field = ConfluenceOptions.model_fields[name]
        assert f"{field.description} [default: {field.default}]" in said


def test_the_first_help_has_each_command_in_a_whole_sentence() -> None:
    _, commands = markmirror("--help").out.split("Commands:\n")
    assert len(commands.splitlines()) == 3
    assert all(line.endswith(".") and "..." not in line for line in commands.splitlines())


def test_the_file_shown_in_the_documentation_is_valid(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "site.md").read_text(encoding="utf-8")
    options = read(config=written(tmp_path, page.partition("```toml\n")[2].partition("```")[0]))
    assert options.output == Path("mirrors")
    assert options.include_paths == ("/docs", "/api")
    assert options.page_rate_limit == 5
    assert options.headers == {"Accept-Language": "en"}
