"""The demo's part about Confluence: export a space, change it, and export what has changed."""

import json
import re
from pathlib import Path
from typing import Any

from demo.telling import expect, relay, show, start
from demo.wiki import KEY, Wiki

PAGES = 9


def export_a_space(wiki: Wiki, output: Path) -> None:
    """Export the space and show what came of it."""
    print(f"\n4. A Confluence space of {PAGES} pages and a folder is exported. One more page is")
    print("   restricted: Confluence does not list it, and the link to it stays as it is.")
    print(
        "   CONFLUENCE_URL, CONFLUENCE_USERNAME and CONFLUENCE_PASSWORD are in the environment.\n"
    )
    expect(_export(wiki, output) == 0, "the export ends with exit code 0")
    folder = output / "spaces" / KEY

    print("\nWhat is on disk now:\n")
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            print(f"   {path.relative_to(folder)}")
    pages = {str(path.relative_to(folder)) for path in folder.rglob("*.md")}
    expect(len(pages) == PAGES, f"{PAGES} pages are written: {sorted(pages)}")
    expect("larkspur-team/runbooks/on-call.md" in pages, "a folder is a directory")

    print("\nOne page, as Confluence stores it:\n")
    show(wiki.shown.body)
    print("\nand as it was exported:\n")
    page = (folder / "larkspur-team/runbooks/deploy-a-release.md").read_text()
    show(page)
    for part in (
        "> **Info:** Never on a Friday.",
        "[Roll Back](deploy-a-release/roll-back.md)",
        "   ```bash\n",
        "| production | @Grace Hopper | 8 min |",
    ):
        expect(part in page, f"the page holds {part!r}")
    onboarding = (folder / "larkspur-team/onboarding.md").read_text()
    expect("- [x] Get a key" in onboarding, "a task list stays one")
    picture = (folder / f"assets/{wiki.changed.id}/escalation.png").read_bytes()
    expect(picture == wiki.changed.attachments[0].body, "the picture is the one on the page")
    expect(_dead_links(folder) == [], f"links lead somewhere: {_dead_links(folder)}")
    expect("pageId=" in (folder / "larkspur-team.md").read_text(), "the restricted page's link")

    print("\nWhat the manifest says about the run:\n")
    manifest = _manifest(folder)
    show(json.dumps({name: manifest[name] for name in ("job", "delta")}, indent=2))
    expect(manifest["job"]["mode"] == "full", "the first export is a full one")
    expect(manifest["job"]["pagesSucceeded"] == PAGES, "every page is accounted for")
    expect(manifest["delta"] == _delta(added=PAGES), "the delta names every page as added")


def export_changes(wiki: Wiki, output: Path) -> None:
    """Change a page, delete another, and export again."""
    folder = output / "spaces" / KEY
    print(f"\n5. “{wiki.changed.title}” is edited and “{wiki.deleted.title}” is deleted.")
    print("   The same command again:\n")
    wiki.changed.edit(wiki.changed.body.replace("One week", "Two weeks"))
    wiki.deleted.status = "trashed"
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*.md")}
    wiki.server.paths.clear()
    expect(_export(wiki, output) == 0, "the second export ends with exit code 0")

    after = {path: path.stat().st_mtime_ns for path in folder.rglob("*.md")}
    written = sorted(str(path.relative_to(folder)) for path in after if after[path] != before[path])
    removed = sorted(str(path.relative_to(folder)) for path in before.keys() - after.keys())
    print(f"\n   Written: {', '.join(written)}")
    print(f"   Removed: {', '.join(removed)}")
    print("   The home page is among them because it lists its children.")
    expect(written == ["larkspur-team.md", "larkspur-team/runbooks/on-call.md"], "two are written")
    expect(removed == ["larkspur-team/retro-2023.md"], "one is removed")
    expect("Two weeks each" in (folder / written[1]).read_text(), "the page holds what is new")
    expect("Retro" not in (folder / written[0]).read_text(), "the list has lost its entry")
    fetched = [path for path in wiki.server.paths if "/download/" in path]
    expect(fetched == [], "attachments that are there are not fetched again")
    print(f"   Requests: {len(wiki.server.paths)}; no attachment is among them.")
    delta = _manifest(folder)["delta"]
    print(f"   The manifest's delta: {json.dumps(delta)}")
    expect(delta == _delta(updated=2, removed=1, unchanged=PAGES - 3), "the delta")


def _export(wiki: Wiki, output: Path) -> int:
    # Converted in the process itself: for nine pages another one costs more than it brings.
    environment = {"MARKMIRROR_WORKERS": "0", **wiki.environment}
    return relay(start("confluence", KEY, "-o", str(output), environment=environment))


def _delta(**changes: int) -> dict[str, int]:
    return {"added": 0, "updated": 0, "moved": 0, "removed": 0, "unchanged": 0, **changes}


def _dead_links(folder: Path) -> list[str]:
    """Relative links and pictures that lead nowhere."""
    return [
        f"{path.name}: {target}"
        for path in folder.rglob("*.md")
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", path.read_text())
        if not (path.parent / target).exists()
    ]


def _manifest(folder: Path) -> dict[str, Any]:
    manifest: dict[str, Any] = json.loads((folder / "manifest.json").read_text())
    return manifest
