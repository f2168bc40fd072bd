"""`_processed.txt` names what is on disk, also what was fetched again and had not changed."""

from pathlib import Path

from tests.runs.command import markmirror
from tests.web_server import WebServer, serving

PATHS = ["/guide/", "/releases/"]


def _mirror(web: WebServer, output: Path, *flags: str) -> list[str]:
    """Run the command; the list of processed pages afterwards."""
    arguments = ("--rate-limit", 0, "--quiet", "--workers", 0)
    assert markmirror("site", web.url, "-o", output, *arguments, *flags).code == 0
    return sorted((output / web.host_dir / "_processed.txt").read_text().splitlines())


def test_a_page_taken_out_of_the_list_is_fetched_again_once(tmp_path: Path) -> None:
    """Seed 002: D2."""
    with serving() as web:
        web.serve_pages(PATHS)
        urls = [web.url + path for path in PATHS]
        assert _mirror(web, tmp_path) == urls
        (tmp_path / web.host_dir / "_processed.txt").write_text(f"{urls[0]}\n")
        web.forget()
        assert _mirror(web, tmp_path) == urls
        assert (web.count(PATHS[0]), web.count(PATHS[1])) == (0, 1)
        assert _mirror(web, tmp_path) == urls
        assert web.count(PATHS[1]) == 1


def test_starting_over_on_an_unchanged_site_lists_every_page_again(tmp_path: Path) -> None:
    with serving() as web:
        web.serve_pages(PATHS)
        before = _mirror(web, tmp_path)
        assert _mirror(web, tmp_path, "--fresh") == before
        web.forget()
        assert _mirror(web, tmp_path) == before
        assert not any(web.count(path) for path in PATHS)
