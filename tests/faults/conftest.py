"""A fresh misbehaving website on loopback for every test."""

from collections.abc import Iterator

import pytest

from tests.web_server import serving
from tests.web_server.misdeeds import MisbehavingServer


@pytest.fixture
def web() -> Iterator[MisbehavingServer]:
    server = MisbehavingServer()
    with serving(server):
        yield server
