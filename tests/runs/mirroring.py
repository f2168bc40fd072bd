"""A whole run inside the test's own process: real files, a real server, a clock made for tests."""

import json
import os
import signal
from pathlib import Path
from typing import Any

from markmirror.api import mirror_site_async
from markmirror.options import SiteOptions
from markmirror.report import Report
from markmirror.world import World
from tests.fakes import fake_world
from tests.runs.command import assert_accounts_for_all, manifest_of
from tests.web_server import Reply, Request, WebServer


async def mirrored(
    web: WebServer,
    output: Path,
    *,
    url: str | None = None,
    world: World | None = None,
    **asked: Any,
) -> Report:
    """Mirror the site, check that the books balance, and hand back the report.

    The limits are lifted unless a test asks for one, and pages are converted in this process.
    """
    wishes = {"rate_limit": 0, "workers": 0, "max_pages": 0, **asked}
    options = SiteOptions(url=url or web.url, output=output, **wishes)
    report = await mirror_site_async(options, world=world or fake_world())
    folder = output / web.host_dir
    if (folder / "_manifest.json").exists():
        manifest = manifest_of(folder)
        assert_accounts_for_all(manifest)
        pending = manifest["statistics"]["pending_count"]
        assert not (pending and report.exit_code == 0)
    assert not list(folder.rglob("*.tmp"))
    return report


def log_of(folder: Path) -> list[dict[str, Any]]:
    """Every record of the mirror's log."""
    lines = (folder / "_log.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def logged(folder: Path, message: str) -> list[dict[str, Any]]:
    """The context of each record with this message."""
    return [record["context"] for record in log_of(folder) if record["message"] == message]


def sitemap_records(folder: Path) -> list[dict[str, Any]]:
    """What the log says of each sitemap, in the order of reading."""
    records = [r for r in log_of(folder) if r["message"].startswith("a sitemap ")]
    return [r["context"] for r in records if "kind" in r["context"]]


def listed(output: Path, web: WebServer) -> list[str]:
    """The paths of the mirrored pages, in the order of the manifest."""
    rows = manifest_of(output / web.host_dir)["pages"]
    return [row["url"].removeprefix(web.url) for row in rows if row["status"] != "filtered"]


def statuses(output: Path, web: WebServer) -> dict[str, int]:
    """The eight fates with the numbers that are not zero."""
    numbers = manifest_of(output / web.host_dir)["statistics"]
    return {
        name.removesuffix("_count"): number
        for name, number in numbers.items()
        if name.endswith("_count") and number and name != "processed_count"
    }


def interrupt() -> None:
    """Press Ctrl-C in this process; a run that is under way here takes it as its own."""
    os.kill(os.getpid(), signal.SIGINT)


def stopping_at(web: WebServer, path: str, answer: Reply | None = None) -> None:
    """Answer as before, or so, and press Ctrl-C when the path is asked for the first time."""
    given = answer or web.answers[path]
    assert isinstance(given, Reply)

    def stop(request: Request) -> Reply:
        if request.number == 1:
            interrupt()
        return given

    web.serve(path, stop)
