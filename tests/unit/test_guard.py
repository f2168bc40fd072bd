"""Which addresses may be dialled."""

import ipaddress

import pytest

from markmirror.confluence_session import _address_guard
from markmirror.fetch.guard import AddressRefused, is_public

METADATA = "169.254.169.254"


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1::1", True),
        ("64:ff9b::5db8:d822", True),
        ("127.0.0.1", False),
        (METADATA, False),
        ("::1", False),
        ("::ffff:127.0.0.1", False),
        ("64:ff9b::7f00:1", False),
        ("2002:7f00:1::", False),
        ("::127.0.0.1", False),
        ("64:ff9b:1::7f00:1", False),
        ("fec0::1", False),
        ("fd00::1", False),
        ("ff02::1", False),
    ],
)
def test_an_address_is_public_if_it_is_so_in_every_spelling(address: str, public: bool) -> None:
    assert is_public(ipaddress.ip_address(address)) is public


class Names:
    """A resolver of made-up names."""

    def __init__(self, **names: str) -> None:
        self._names = names

    async def resolve(self, host: str, port: int, _family: int) -> list[dict[str, object]]:
        return [{"hostname": host, "host": self._names[host], "port": port}]


async def test_a_wiki_inside_may_send_us_to_its_neighbours_but_not_to_secrets_of_a_cloud(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whether the address is written down, in any spelling, or stands behind a name."""
    guard = await _address_guard("http://127.0.0.1:8090/confluence")
    monkeypatch.setattr(guard, "_resolver", Names(neighbour="10.0.0.7", metadata=METADATA))
    assert len(await guard.resolve("neighbour", 80)) == 1
    with pytest.raises(AddressRefused):
        await guard.resolve("metadata", 80)
    guard.check_literal("10.0.0.7", 80)
    for literal in (METADATA, f"[::ffff:{METADATA}]"):
        with pytest.raises(AddressRefused):
            guard.check_literal(literal, 80)
