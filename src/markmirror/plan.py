"""What to do with a page that is already on disk: a pure decision."""

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum

from markmirror.model import Entry
from markmirror.web.dates import parse_lastmod


class Action(Enum):
    """KEEP costs nothing, CHECK a conditional request, FETCH a full one."""

    KEEP = "keep"
    CHECK = "check"
    FETCH = "fetch"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What the person asked of this run, as far as known pages are concerned."""

    recipe: str
    update: bool = False
    fresh: bool = False


def action_for(
    entry: Entry,
    *,
    wish: Wish,
    lastmod: str | None,
    mtime_ns: int | None,
    is_processed: bool,
    is_doubtful: bool,
) -> Action:
    """Decide over a page on disk; `mtime_ns` is None if its file is missing.

    `is_processed` is False when a person took the URL out of the list of processed pages, and
    `is_doubtful` is True when the last attempt to find out whether the file is current failed.
    """
    if mtime_ns is None or not is_processed or wish.fresh or entry.recipe != wish.recipe:
        return Action.FETCH
    action = _action_by_date(entry, lastmod, mtime_ns) if wish.update else Action.KEEP
    return Action.CHECK if is_doubtful and action is Action.KEEP else action


def _action_by_date(entry: Entry, lastmod: str | None, mtime_ns: int) -> Action:
    modified = parse_lastmod(lastmod) if lastmod else None
    if modified is None:
        return Action.CHECK
    if mtime_ns == entry.mtime_ns and lastmod == entry.lastmod:
        # The sitemap says what it said when we last looked. A bare date may still hide a change
        # made later on the very day we looked.
        return Action.KEEP if modified.exact or entry.verified_at >= modified.end else Action.CHECK
    file_time = datetime.fromtimestamp(mtime_ns / 1e9, UTC)
    if mtime_ns == entry.mtime_ns:
        # What we wrote is as old as the answer, which may have waited for days to be written.
        file_time = min(file_time, entry.fetched_at)
    return Action.FETCH if modified.end > file_time else Action.KEEP
