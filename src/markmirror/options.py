"""What a person may ask for: one model per command, filled from flags, environment, file, defaults.

Every field is a flag of the command line, a key of `markmirror.toml` and an argument of the
Python API at once; its description is the flag's help text.
"""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
)

from markmirror.errors import UsageError
from markmirror.model import CleanupIntensity, Content, Recipe
from markmirror.web.urls import is_host, normalise_url

CONFIG_FILE = Path("markmirror.toml")
# Named in upper case without dashes.
POSITIONAL = {"url": "URL", "space": "SPACE"}
# Never repeated in an error.
SECRETS = frozenset({"password", "token", "header"})
COMMANDS = ("site", "confluence")
OnError = Literal["skip", "retry", "abort"]
LogFormat = Literal["text", "json"]
ChangeFrequency = Literal["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"]


def _split_on_commas(value: object) -> object:
    """`/docs,/api` is a list, given once, several times, or as one member of a list."""
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts):
        return value
    return tuple(part.strip() for text in texts for part in text.split(",") if part.strip())


CommaSeparated = Annotated[tuple[str, ...], BeforeValidator(_split_on_commas)]


class RunOptions(BaseModel):
    """What both commands understand."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        validate_default=True,
        allow_inf_nan=False,
        # It may be a secret, and an error may end in anybody's log.
        hide_input_in_errors=True,
    )

    timeout: float = Field(
        default=30.0,
        gt=0,
        description="Seconds to wait for a server to connect or to send something.",
    )
    log_format: LogFormat = Field(
        default="text",
        description="What stderr carries: readable lines, or one JSON record per line.",
    )
    acronyms: CommaSeparated = Field(
        default=(), description="Words whose spelling cleanup keeps in headings: GmbH,kubectl"
    )
    quiet: bool = Field(default=False, description="Say nothing on stderr but warnings and errors.")


class SiteOptions(RunOptions):
    """Everything `markmirror site` can be asked for."""

    url: str = Field(description="The website, or its sitemap.")
    output: Path = Field(
        default=Path("output"), description="The mirror is written to OUTPUT/<host>/."
    )
    list_only: bool = Field(
        default=False, description="Print the filtered URLs, one per line, and write nothing."
    )
    include_pattern: str | None = Field(
        default=None,
        description="Mirror only URLs that this regular expression matches from their start.",
    )
    exclude_pattern: str | None = Field(
        default=None,
        description="Leave out URLs that this regular expression matches from their start.",
    )
    include_paths: CommaSeparated = Field(
        default=(), description="Mirror only these paths and what is below them: /docs,/api"
    )
    exclude_paths: CommaSeparated = Field(
        default=(), description="Leave out these paths and what is below them: /tag,/category"
    )
    priority_min: float | None = Field(
        default=None,
        ge=0,
        le=1,
        description="Leave out pages of a lower sitemap priority (0.0 to 1.0).",
    )
    changefreq: ChangeFrequency | None = Field(
        default=None, description="Mirror only pages with this change frequency in the sitemap."
    )
    rate_limit: float = Field(
        default=1.0,
        ge=0,
        description="Requests per second for robots.txt and sitemaps; 0 lifts it.",
    )
    content_rate_limit: float | None = Field(
        default=None,
        ge=0,
        description="Requests per second for pages, per host; as --rate-limit if not given.",
    )
    concurrency: int = Field(
        default=8,
        ge=1,
        le=256,
        description="Requests under way at once; the rate limit still rules.",
    )
    workers: int | None = Field(
        default=None,
        ge=0,
        le=64,
        description="Processes that convert pages; 0 converts in the main one. "
        "Not given: one, or one per core, up to four, when the rate limit is lifted.",
    )
    max_pages: int = Field(
        default=10_000, ge=0, description="Stop after this many pages were saved; 0 lifts it."
    )
    on_error: OnError = Field(
        default="skip",
        description="What a failed page does: skip goes on, retry tries transient failures again "
        "after the others, abort stops at the first.",
    )
    update: bool = Field(
        default=False,
        description="Bring an existing mirror up to date; fetch only what has changed.",
    )
    prune: bool = Field(
        default=False, description="With --update: delete pages that have left the sitemap."
    )
    fresh: bool = Field(default=False, description="Forget the earlier run and start over.")
    respect_robots: bool = Field(default=False, description="Obey robots.txt and its Crawl-delay.")
    header: tuple[str, ...] = Field(
        default=(), description="A header for the mirrored hosts, as NAME:VALUE. Can be repeated."
    )
    user_agent: str | None = Field(default=None, description="The User-Agent to send.")
    allow_host: tuple[str, ...] = Field(
        default=(), description="Mirror pages of this host too. Can be repeated."
    )
    allow_private: bool = Field(
        default=False,
        description="Allow redirects and pages on private, loopback and link-local addresses.",
    )
    content: Content = Field(
        default="main",
        description="What to convert: the main content of a page, or its whole body.",
    )
    selector: str | None = Field(
        default=None, description="A CSS selector of the content to convert, instead of --content."
    )
    front_matter: bool = Field(
        default=True, description="Begin each file with its title, URL and dates."
    )
    cleanup_intensity: CleanupIntensity = Field(
        default="off", description="Polish the Markdown: typography, headings, wrapping."
    )

    @field_validator("url")
    @classmethod
    def _url_has_a_scheme(cls, url: str) -> str:
        url = url.strip()
        if "://" not in url:
            url = f"https://{url}"
        if not re.match(r"https?://[^/?#\s]", url, re.IGNORECASE):
            raise ValueError("is not an http or https address")
        if "@" in re.split(r"[/?#]", url.split("://", 1)[1], maxsplit=1)[0]:
            raise ValueError("holds a user name; send credentials with --header instead")
        if normalise_url(url) is None:
            raise ValueError("is not an address that can be fetched")
        return url

    @field_validator("include_pattern", "exclude_pattern")
    @classmethod
    def _pattern_compiles(cls, pattern: str | None) -> str | None:
        try:
            re.compile(pattern or "")
        except (re.error, OverflowError, RecursionError) as error:
            raise ValueError(f"is not a regular expression: {error}") from error
        return pattern

    @field_validator("include_paths", "exclude_paths")
    @classmethod
    def _paths_begin_with_a_slash(cls, prefixes: tuple[str, ...]) -> tuple[str, ...]:
        return tuple("/" + prefix.strip("/") for prefix in prefixes)

    @field_validator("header")
    @classmethod
    def _headers_have_name_and_value(cls, headers: tuple[str, ...]) -> tuple[str, ...]:
        for header in headers:
            if not re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+:[^\r\n\0]*", header):
                raise ValueError("must look like NAME:VALUE")
        return headers

    @field_validator("allow_host")
    @classmethod
    def _hosts_are_hosts(cls, hosts: tuple[str, ...]) -> tuple[str, ...]:
        if not all(map(is_host, hosts)):
            raise ValueError("must look like cdn.example.com or localhost:8000")
        return hosts

    @field_validator("prune")
    @classmethod
    def _prune_needs_update(cls, prune: bool, info: ValidationInfo) -> bool:
        if prune and not info.data.get("update"):
            raise ValueError("needs --update")
        return prune

    @property
    def page_rate_limit(self) -> float:
        return self.rate_limit if self.content_rate_limit is None else self.content_rate_limit

    @property
    def headers(self) -> dict[str, str]:
        """What is sent to the mirrored hosts only, the name they are to know us by included."""
        pairs = (header.split(":", 1) for header in self.header)
        agent = {"User-Agent": self.user_agent} if self.user_agent else {}
        return agent | {name: value.strip() for name, value in pairs}

    @property
    def recipe(self) -> Recipe:
        return Recipe(
            content=self.content,
            selector=self.selector,
            front_matter=self.front_matter,
            cleanup=self.cleanup_intensity,
            acronyms=frozenset(self.acronyms),
        )

    @property
    def filters(self) -> dict[str, object]:
        """The filters that were asked for, as the manifest shows them."""
        names = (
            "include_pattern",
            "exclude_pattern",
            "include_paths",
            "exclude_paths",
            "priority_min",
            "changefreq",
        )
        values = self.model_dump(include=set(names), mode="json")
        return {name: values[name] for name in names if values[name] not in (None, [])}


Options = TypeVar("Options", bound=RunOptions)


def read_options(
    model: type[Options],
    command: str,
    *,
    flags: Mapping[str, object],
    environment: Mapping[str, str],
    config: Path | None = None,
) -> Options:
    """Flags over environment over file over defaults; raises UsageError naming the bad key."""
    values: dict[str, object] = {}
    values |= _from_file(model, command, config)
    values |= _from_environment(model, environment)
    values |= flags
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise UsageError(_first_fault(error)) from None


def _from_file(model: type[RunOptions], command: str, config: Path | None) -> dict[str, object]:
    if config is None:
        if not CONFIG_FILE.is_file():
            return {}
        config = CONFIG_FILE
    try:
        with config.open("rb") as file:
            tables = tomllib.load(file)
    except OSError as error:
        raise UsageError(f"--config: {config} cannot be read: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"{config} is not valid TOML: {error}.") from None
    for name in tables:
        if name not in COMMANDS:
            raise UsageError(f"{config}: {name} is unknown; options belong under [{command}].")
    table = tables.get(command, {})
    if not isinstance(table, dict):
        raise UsageError(f"{config}: [{command}] must be a table.")
    values = {str(key).replace("-", "_"): value for key, value in table.items()}
    for key in values:
        if key not in model.model_fields:
            raise UsageError(f"{config}: [{command}] has an unknown key: {key}.")
    return values


def _from_environment(model: type[RunOptions], environment: Mapping[str, str]) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, field in model.model_fields.items():
        extra = field.json_schema_extra
        known_as = extra.get("environment") if isinstance(extra, dict) else None
        # Where a pipeline has no value for a variable it sets it to nothing.
        text = environment.get(f"MARKMIRROR_{name.upper()}") or environment.get(str(known_as))
        if not text:
            continue
        is_list = field.annotation == tuple[str, ...]
        found[name] = tuple(text.splitlines()) if is_list else text
    return found


def _first_fault(error: ValidationError) -> str:
    """One sentence for the person who typed the value."""
    fault = error.errors(include_url=False)[0]
    key = str(fault["loc"][0]) if fault["loc"] else "options"
    flag = POSITIONAL.get(key, "--" + key.replace("_", "-"))
    if fault["type"] == "extra_forbidden":
        return f"{key} is not an option."
    if fault["type"] == "missing":
        return f"{flag} is required."
    message = str(fault["msg"]).removeprefix("Value error, ")
    message = message[:1].lower() + message[1:].rstrip(".")
    given = repr(fault["input"])
    # Before an @ of an address a password may stand.
    if key in SECRETS or "@" in given:
        return f"{flag}: {message}."
    return f"{flag}: {given}: {message}."
