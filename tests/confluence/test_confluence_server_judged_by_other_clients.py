"""The test server is believed because clients that nobody here wrote read it without a change."""

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.confluence_server import (
    ConfluenceServer,
    Site,
    SpacePlan,
    generate_space,
    serving_in_a_thread,
)
from tests.confluence_server.clients import EXPORTER, LIBRARY, Client

READ_WITH_LIBRARY = """
import json, sys
from atlassian import Confluence
wiki = Confluence(url=sys.argv[1], username="user", password="pass", cloud=False)
pages = list(wiki.get_all_pages_from_space("DOCS", limit=1000, expand="body.storage"))
last = wiki.get_page_by_id(pages[-1]["id"], expand="ancestors,version,space")
files = wiki.get_attachments_from_content(last["id"])["results"]
download = wiki.get(files[0]["_links"]["download"], not_json_response=True)
print(json.dumps({
    "pages": {page["title"]: page["body"]["storage"]["value"] for page in pages},
    "ancestors": [ancestor["title"] for ancestor in last["ancestors"]],
    "space": last["space"]["key"],
    "file": [files[0]["title"], files[0]["extensions"]["fileSize"], download.hex()],
    "labels": [label["name"] for label in wiki.get_page_labels(last["id"])["results"]],
    "found": wiki.cql(f"type=page AND ancestor={pages[0]['id']}", limit=500)["totalSize"],
}))
"""


def needs(client: Client) -> pytest.MarkDecorator:
    reason = f"{client.package} is not installed; python -m tests.confluence_server.clients does it"
    return pytest.mark.skipif(not client.installed, reason=reason)


def a_space_of(pages: int, **site: Any) -> ConfluenceServer:
    server = ConfluenceServer(Site(**site))
    generate_space(server.site.content, SpacePlan(pages=pages))
    return server


def export(folder: Path, host: str, address: str, **environment: str) -> str:
    """Run the exporter on a space; what it printed comes back with its colours removed."""
    config = folder / "config.json"
    config.write_text(
        json.dumps(
            {
                "auth": {"confluence": {host: {"username": "user", "api_token": "pass"}}},
                "export": {"enable_jira_enrichment": False, "output_path": str(folder / "out")},
            }
        )
    )
    run = subprocess.run(
        [EXPORTER.programs / "cme", "spaces", address],
        env={**os.environ, "CME_CONFIG_PATH": str(config), "CI": "1", **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return re.sub(r"\x1b\[[0-9;]*m", "", run.stdout)


def assert_exported(folder: Path, server: ConfluenceServer) -> None:
    exported = {path.stem: path for path in folder.rglob("*.md")}
    pages = server.site.content.pages.values()
    assert set(exported) == {page.title for page in pages}
    for number, page in enumerate(pages):
        text = exported[page.title].read_text()
        assert f"Body of **page {number}**" in text
        assert f"- second of {number}" in text
    saved = {path.read_bytes() for path in folder.rglob("*.png")}
    assert saved == {file.body for page in pages for file in page.attachments}


@needs(LIBRARY)
# Version 5.0.5 joins `next` with the host in place of the base URL, which only a server without
# a context path forgives: under one, everything must fit into one answer.
@pytest.mark.parametrize(("context", "pages"), [("", 230), ("/confluence", 90)])
def test_the_python_library_reads_what_the_server_holds(context: str, pages: int) -> None:
    server = a_space_of(pages, context=context)
    with serving_in_a_thread(server):
        run = subprocess.run(
            [LIBRARY.programs / "python", "-c", READ_WITH_LIBRARY, server.url],
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
    read = json.loads(run.stdout)
    held = list(server.site.content.pages.values())
    assert read["pages"] == {page.title: page.body for page in held}
    parents = server.site.content.ancestors(held[-1])
    assert read["ancestors"] == [node.title for node in parents]
    assert read["space"] == "DOCS"
    file = held[-1].attachments[0]
    assert read["file"] == [file.name, file.size, file.body.hex()]
    assert read["labels"] == held[-1].labels
    assert read["found"] == pages - 1


@needs(EXPORTER)
@pytest.mark.parametrize("context", ["", "/confluence"])
def test_the_exporter_reads_a_data_center(tmp_path: Path, context: str) -> None:
    server = a_space_of(40, context=context)
    with serving_in_a_thread(server):
        export(tmp_path, server.url, f"{server.url}/display/DOCS")
    assert_exported(tmp_path / "out", server)


@needs(EXPORTER)
def test_the_exporter_reads_a_cloud_site_through_a_proxy(tmp_path: Path) -> None:
    server = a_space_of(30, flavour="cloud", context="/wiki")
    with serving_in_a_thread(server):
        proxy = server.url.removesuffix("/wiki")
        host = "http://sim.atlassian.net"
        export(tmp_path, host, f"{host}/wiki/spaces/DOCS", HTTP_PROXY=proxy, http_proxy=proxy)
    assert_exported(tmp_path / "out", server)
