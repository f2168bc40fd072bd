"""A Confluence on loopback for tests and demos: its API, its caps, and everything it does wrong."""

from tests.confluence_server.content import Attachment, Content, Folder, Page, Space, User
from tests.confluence_server.faults import (
    ATTACHMENTS,
    DOWNLOADS,
    LISTINGS,
    PAGES,
    Endpoint,
    Fault,
    FaultBoard,
    FaultKind,
)
from tests.confluence_server.generated import SpacePlan, deep_chain, generate_space, huge_body
from tests.confluence_server.server import ConfluenceServer, serving_in_a_thread
from tests.confluence_server.site import Site

__all__ = [
    "ATTACHMENTS",
    "DOWNLOADS",
    "LISTINGS",
    "PAGES",
    "Attachment",
    "ConfluenceServer",
    "Content",
    "Endpoint",
    "Fault",
    "FaultBoard",
    "FaultKind",
    "Folder",
    "Page",
    "Site",
    "Space",
    "SpacePlan",
    "User",
    "deep_chain",
    "generate_space",
    "huge_body",
    "serving_in_a_thread",
]
