"""Everything `markmirror confluence` can be asked for."""

import base64
import re
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, SecretStr, field_validator, model_validator

from markmirror.errors import UsageError
from markmirror.model import CleanupIntensity
from markmirror.options import RunOptions
from markmirror.sources.confluence.addresses import ConfluenceSite, read_base_url

Reference = Literal["links", "macros", "mentions"]
ALL_REFERENCES: tuple[Reference, ...] = ("links", "macros", "mentions")

_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?", re.IGNORECASE)
_UNITS = {"": 1, "k": 1024, "m": 1024**2, "g": 1024**3, "t": 1024**4}


def _references(value: object) -> object:
    """`links,macros` on a command line is the list of a TOML file; `none` is the empty one."""
    if isinstance(value, str):
        words = [word.strip() for word in value.split(",") if word.strip()]
        return () if words == ["none"] else tuple(words)
    return value


def _bytes(value: object) -> object:
    """`25MB` as a number of bytes."""
    if not isinstance(value, str):
        return value
    size = _SIZE.fullmatch(value.strip())
    if size is None:
        raise ValueError("is not a size such as 25MB")
    return int(float(size[1]) * _UNITS[size[2].lower()])


class ConfluenceOptions(RunOptions):
    """Everything `markmirror confluence` can be asked for."""

    space: str = Field(min_length=1, description="The space: its key, or its name.")
    base_url: str = Field(
        description="Where Confluence is, with its context path: https://example.com/wiki. "
        "[environment: CONFLUENCE_URL]",
        json_schema_extra={"environment": "CONFLUENCE_URL"},
    )
    username: str | None = Field(
        None,
        description="The user, an e-mail address in the cloud. [environment: CONFLUENCE_USERNAME]",
        json_schema_extra={"environment": "CONFLUENCE_USERNAME"},
    )
    password: SecretStr | None = Field(
        None,
        description="The user's password, or API token in the cloud. Better given in the "
        "environment, where other users do not see it. [environment: CONFLUENCE_PASSWORD]",
        json_schema_extra={"environment": "CONFLUENCE_PASSWORD"},
    )
    token: SecretStr | None = Field(
        None,
        description="A personal access token, instead of user and password. "
        "[environment: CONFLUENCE_TOKEN]",
        json_schema_extra={"environment": "CONFLUENCE_TOKEN"},
    )
    output: Path = Field(Path(), description="The export is written to OUTPUT/spaces/<KEY>/.")
    root_page: str | None = Field(
        None, description="Export only this page, by id or title, and the pages below it."
    )
    limit: int | None = Field(
        None, ge=0, description="Begin with at most this many pages; those they refer to follow."
    )
    dry_run: bool = Field(
        False, description="Print what would be exported, one page a line, and write nothing."
    )
    resume: bool = Field(False, description="Go on with an export that was interrupted.")
    fresh: bool = Field(False, description="Forget the earlier export and fetch every page again.")
    prune: bool = Field(
        False, description="Remove pages at once that may be deleted or only hidden from us."
    )
    allow_failures: bool = Field(False, description="End with 0 although pages failed.")
    discover: Annotated[tuple[Reference, ...], BeforeValidator(_references)] = Field(
        ALL_REFERENCES,
        description="Which references to pages outside the space are followed: "
        "links,macros,mentions, or none.",
    )
    max_discovered: int = Field(
        10_000, ge=0, description="Follow references to at most this many pages."
    )
    concurrency: int = Field(8, ge=1, le=64, description="Requests under way at once.")
    rate_limit: float = Field(0.0, ge=0, description="Requests per second; 0 lifts the limit.")
    workers: int = Field(
        1, ge=0, le=64, description="Processes that convert pages; 0 converts in the main one."
    )
    max_attachment_size: Annotated[int | None, BeforeValidator(_bytes)] = Field(
        None, ge=0, description="Leave out attachments larger than this, such as 25MB."
    )
    cleanup_intensity: Literal["light", "standard", "heavy"] = Field(
        "heavy", description="How much the Markdown is polished."
    )
    disable_cleanup: bool = Field(False, description="Leave the Markdown as it was converted.")

    @field_validator("base_url")
    @classmethod
    def _base_url_leads_to_a_site(cls, base_url: str) -> str:
        try:
            return read_base_url(base_url).base_url
        except UsageError as error:
            raise ValueError(str(error)) from None

    @model_validator(mode="before")
    @classmethod
    def _base_url_holds_no_secret(cls, values: Any) -> Any:
        # Checked before anything else, because errors repeat the value they are about.
        if isinstance(values, dict) and "@" in str(values.get("base_url", "")).partition("?")[0]:
            raise UsageError(
                "--base-url must not hold a user name or password.",
                hint="Give them as --username and --password, or in the environment.",
            )
        return values

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.resume and self.fresh:
            raise UsageError("--resume and --fresh exclude each other.")
        if self.token is None and (self.username is None) != (self.password is None):
            missing = "--password" if self.password is None else "--username"
            raise UsageError(f"{missing} is required together with the other credential.")
        return self

    @property
    def site(self) -> ConfluenceSite:
        return read_base_url(self.base_url)

    @property
    def headers(self) -> dict[str, str]:
        """What is sent to the site itself, and to nobody else."""
        headers = {"Accept": "application/json"}
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token.get_secret_value()}"
        elif self.username is not None and self.password is not None:
            pair = f"{self.username}:{self.password.get_secret_value()}".encode()
            headers["Authorization"] = f"Basic {base64.b64encode(pair).decode()}"
        return headers

    @property
    def cleanup(self) -> CleanupIntensity:
        return "off" if self.disable_cleanup else self.cleanup_intensity
