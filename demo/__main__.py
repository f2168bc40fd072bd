"""`make demo`: mirror a site, interrupt, resume and update it, export a space, and check it all.

    python -m demo [FOLDER]     the whole story; the mirrors stay in FOLDER (output/demo)
    python -m demo --serve      only the site and the space, for commands of your own

Ends with exit code 0 only if everything it shows turned out as it says.
"""

import json
import re
import shutil
import signal
import sys
import threading
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from demo.export import export_a_space, export_changes
from demo.telling import Unexpected, expect, relay, show, start
from demo.website import PAGES, Website, serving
from demo.wiki import Wiki, serving_space

OUTPUT = Path("output/demo")
SHOWN_PAGE = "/guide/quickstart/"
CHANGED_PAGE = "/releases/"
FLAGS = ("--rate-limit", "0", "--exclude-paths", "/blog")
ENVIRONMENT = {
    # One converter is enough for sixteen pages.
    "MARKMIRROR_WORKERS": "1",
    # Python's own complaint about the semaphores of a killed process is not part of the story.
    "PYTHONWARNINGS": "ignore",
}
PATIENCE_SECONDS = 10.0
NEWS = "<h2>2.2.0</h2>\n<ul>\n  <li>Jobs can be named in any script: 備份, нощно.</li>\n</ul>\n"


def main() -> int:
    """Tell the story; the exit code says whether it is true."""
    arguments = sys.argv[1:]
    if arguments == ["--serve"]:
        return _serve()
    output = Path(arguments[0]) if arguments else OUTPUT
    if not arguments:
        shutil.rmtree(output, ignore_errors=True)
    with serving() as website, serving_space() as wiki:
        try:
            tell(website, wiki, output)
        except Unexpected as surprise:
            print(f"\nThis is not what should have happened: {surprise}")
            return 1
    print(f"\nEverything was as it should be. The mirrors are in {output}/.")
    return 0


def _serve() -> int:
    with serving() as website, serving_space() as wiki, suppress(KeyboardInterrupt):
        print(f"The demo's site is at {website.origin}/,")
        print(f"its Confluence at {wiki.server.url},")
        print(f"for user {wiki.server.site.username} with password {wiki.server.site.password},")
        print("until you press Ctrl-C.", flush=True)
        threading.Event().wait()
    return 0


def tell(website: Website, wiki: Wiki, output: Path) -> None:
    """The story, in five parts."""
    calm = _mirror_a_site(website, output / "calm")
    website.answered.clear()
    _interrupt_and_resume(website, output / "rough", calm)
    website.answered.clear()
    _update(website, output / "calm", calm)
    export_a_space(wiki, output)
    export_changes(wiki, output)


def _mirror_a_site(website: Website, output: Path) -> Path:
    print(f"1. A site of {len(PAGES)} listed URLs is mirrored: robots.txt names a sitemap index,")
    print("   one of whose children is gzipped. A PDF, a page that is gone, a moved page and a")
    print("   print view are among them; the blog is left out by a filter.\n")
    expect(_run(website, output) == 0, "the run ends with exit code 0")
    folder = output / website.host_dir

    print("\nWhat is on disk now:\n")
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            print(f"   {path.relative_to(folder)}")

    print(f"\nOne page, as the site has it ({SHOWN_PAGE}):\n")
    show(website.source(SHOWN_PAGE).decode())
    print("\nand as the mirror has it:\n")
    page = (folder / SHOWN_PAGE.strip("/") / "index.md").read_text()
    show(page)
    for part in ("# Quickstart\n", "```yaml\n", "| --- | --- | ---: |", "> **Warning:**"):
        expect(part in page, f"the page holds {part!r}")
    expect("analytics" not in page and "Cookies" not in page, "scripts and footers are gone")

    manifest = _manifest(folder)
    print("\nThe manifest accounts for every URL of the sitemap:\n")
    show(json.dumps(manifest["statistics"], indent=2))
    expected = {"saved": 11, "duplicate": 2, "filtered": 1, "skipped": 1, "failed": 1, "pending": 0}
    for fate, number in expected.items():
        expect(manifest["statistics"][f"{fate}_count"] == number, f"{number} URLs are {fate}")
    expect(sum(expected.values()) == len(PAGES), "the numbers add up")
    return folder


def _interrupt_and_resume(website: Website, output: Path, calm: Path) -> None:
    print("\n2. The same again elsewhere, but Ctrl-C is pressed at the 5th page:\n")
    stop = ("/guide/troubleshooting/", signal.SIGINT)
    expect(_run(website, output, stop_at=stop) == 3, "the exit code is 3")
    print("\n   The same command goes on, and is killed with SIGKILL at the 10th page:\n")
    stop = ("/concepts/retries/", signal.SIGKILL)
    expect(_run(website, output, stop_at=stop) == -signal.SIGKILL, "the process is killed")
    print("   (killed)\n\n   And once more, to the end:\n")
    expect(_run(website, output) == 0, "the last run ends with exit code 0")

    times = Counter(path for path, _ in website.answered)
    # The start page is looked at once more, in case it is a sitemap; the moved page leads to
    # the quickstart.
    times.subtract(["/", "/guide/quickstart/"])
    twice = {path for path, number in times.items() if number > 1}
    print("\n   Asked for twice in the three runs:")
    print("   - /concepts/retries/, which was under way when the process was killed;")
    print("   - /guide/plugins/, which had failed and got another chance.")
    expect(twice == {"/concepts/retries/", "/guide/plugins/"}, f"asked for twice: {twice}")
    print("   The mirror is the same as the one that was never interrupted.")
    expect(_pages(output / calm.name) == _pages(calm), "both mirrors hold the same pages")


def _update(website: Website, output: Path, folder: Path) -> None:
    print(f"\n3. One page changes ({CHANGED_PAGE}), and the first mirror is updated:\n")
    body = website.source(CHANGED_PAGE).decode().replace("<h2>2.1.0</h2>", f"{NEWS}<h2>2.1.0</h2>")
    website.rewrite(CHANGED_PAGE, body.encode(), lastmod=datetime.now(UTC).date().isoformat())
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("index.md")}
    expect(_run(website, output, "--update") == 0, "the update ends with exit code 0")

    touched = [path for path, mtime in before.items() if path.stat().st_mtime_ns != mtime]
    unchanged = sorted(path for path, status in website.answered if status == 304)
    print(f"\n   Files written: {', '.join(str(path.relative_to(folder)) for path in touched)}")
    print(f"   Pages without a lastmod, answered 304 Not Modified: {', '.join(unchanged)}")
    print("   Pages whose lastmod is as it was are not asked for at all.")
    expect(touched == [folder / "releases/index.md"], "only the changed page is written")
    expect("備份" in touched[0].read_text(), "the page holds what is new")
    expect(len(unchanged) == 5, "pages without a lastmod are asked conditionally")
    asked = {path for path, _ in website.answered}
    expect("/guide/install/" not in asked, "pages with the old lastmod are not asked for")
    delta = _manifest(folder)["delta"]
    expect(delta == {"added": 0, "updated": 1, "moved": 0, "removed": 0, "unchanged": 10}, "delta")


def _run(
    website: Website, output: Path, *flags: str, stop_at: tuple[str, signal.Signals] | None = None
) -> int:
    """Run the real command, show what it says, and return its exit code.

    `stop_at`: when this page is asked for, the command gets this signal before the answer.
    """
    # One request at a time, so that "at the 5th page" means the same every time.
    concurrency = ("--concurrency", "1") if output.name == "rough" else ()
    arguments = ["site", f"{website.origin}/", "-o", str(output), *FLAGS, *concurrency, *flags]
    process = start(*arguments, environment=ENVIRONMENT)
    heard = threading.Event()

    def stop(path: str) -> None:
        if stop_at is not None and path == stop_at[0]:
            process.send_signal(stop_at[1])
            heard.wait(PATIENCE_SECONDS)

    website.before_page = stop
    code = relay(process, lambda line: heard.set() if "graceful shutdown" in line else None)
    heard.set()
    return code


def _pages(folder: Path) -> dict[str, str]:
    """The pages of a mirror by path, without the times at which they were fetched."""
    return {
        str(path.relative_to(folder)): re.sub(r'(?m)^fetched_at: ".*"$', "", path.read_text())
        for path in folder.rglob("*.md")
        if not path.relative_to(folder).parts[0].startswith("_")
    }


def _manifest(folder: Path) -> dict[str, Any]:
    manifest: dict[str, Any] = json.loads((folder / "_manifest.json").read_text())
    return manifest


if __name__ == "__main__":
    sys.exit(main())
