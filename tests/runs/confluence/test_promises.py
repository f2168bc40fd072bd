"""What an export promises: how long it takes, how much memory, what its hashes are of."""

import hashlib
import subprocess
import time

from tests.confluence_server import SpacePlan, generate_space
from tests.faults.memory import peaks_of
from tests.runs.command import COMMAND, ENVIRONMENT
from tests.runs.confluence.wiki import Wiki

MEDIUM_PAGES = 500
MAX_SECONDS = 600
MAX_MEGABYTES = 300


def test_a_medium_space_takes_less_than_ten_minutes_and_300_megabytes(wiki: Wiki) -> None:
    """NFR-001. NFR-002."""
    wiki.content.spaces.clear()
    generate_space(wiki.content, SpacePlan(pages=MEDIUM_PAGES))
    began = time.monotonic()
    running = subprocess.Popen(
        [*COMMAND, "confluence", "DOCS", "-o", str(wiki.output), "--workers", "1", "--quiet"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**ENVIRONMENT, **wiki.environment},
    )
    peaks = peaks_of(running, seconds=MAX_SECONDS)
    assert time.monotonic() - began < MAX_SECONDS
    assert running.returncode == 0
    assert len(wiki.files()) == MEDIUM_PAGES
    assert peaks.own + peaks.child < MAX_MEGABYTES


def test_the_manifest_holds_the_hash_of_each_page_so_that_others_see_changes(wiki: Wiki) -> None:
    """FR-018."""
    page = wiki.content.add_page("DOCS", "Page", "<p>Text.</p>")
    other = wiki.content.add_page("DOCS", "Other", "<p>Text.</p>")
    assert wiki.export().code == 0
    first = wiki.row(page)["hash"]
    assert first == hashlib.sha256(wiki.text(page).encode()).hexdigest()
    assert wiki.row(other)["hash"] == first
    page.edit("<p>Another text.</p>")
    assert wiki.export().code == 0
    assert wiki.row(page)["hash"] == hashlib.sha256(wiki.text(page).encode()).hexdigest() != first
    assert wiki.row(other)["hash"] == first
