"""A fresh website on loopback for every test of a run."""

from collections.abc import Iterator

import pytest

from tests.web_server import WebServer, serving


@pytest.fixture
def web() -> Iterator[WebServer]:
    with serving() as server:
        yield server
