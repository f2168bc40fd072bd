"""Which addresses may be dialled: checked on the address itself, not on the name."""

import ipaddress
import socket
from collections.abc import Callable
from functools import lru_cache

from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.resolver import DefaultResolver

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
# Whether an address may be dialled although it is not public, by the host and port that lead there.
Exempt = Callable[[str, int, IPAddress], bool]

_NAT64 = ipaddress.ip_network("64:ff9b::/96")
# All that was ever given out. Outside lie site-local addresses and other ways to spell IPv4 ones,
# some of which Python counts as global.
_GIVEN_OUT = ipaddress.ip_network("2000::/3")


class AddressRefused(OSError):
    """The host leads to an address inside a private network."""

    def __init__(self, host: str, address: str) -> None:
        super().__init__(f"{host} leads to {address}, which is not a public address")
        self.host = host


def is_public(address: IPAddress) -> bool:
    """Whether the address is on the open internet, also when an IPv4 one hides inside it."""
    if isinstance(address, ipaddress.IPv6Address):
        if hidden := _embedded_ipv4(address):
            return is_public(hidden)
        if address not in _GIVEN_OUT:
            return False
    return address.is_global and not address.is_multicast


def is_link_local(address: IPAddress) -> bool:
    """Whether the address is on a machine's own link, where clouds keep their secrets."""
    hidden = _embedded_ipv4(address) if isinstance(address, ipaddress.IPv6Address) else None
    return (hidden or address).is_link_local


def _embedded_ipv4(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    if address.ipv4_mapped:
        return address.ipv4_mapped
    if address.sixtofour:
        return address.sixtofour
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return None


@lru_cache(maxsize=1024)
def literal_address(host: str) -> IPAddress | None:
    """The address a URL names outright, or None if its host is a name."""
    try:
        return ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return None


class AddressGuard(AbstractResolver):
    """A resolver that gives out only addresses that may be dialled.

    aiohttp dials exactly what its resolver returns, so nothing can change between check and
    connection. Addresses written into the URL never reach a resolver: `check_literal` is for those.
    """

    def __init__(self, *, exempt: Exempt) -> None:
        self._exempt = exempt
        self._resolver = DefaultResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        results = await self._resolver.resolve(host, port, family)
        allowed = [found for found in results if self._allows(host, port, _address_of(found))]
        if not allowed and results:
            raise AddressRefused(host, results[0]["host"])
        return allowed

    def check_literal(self, host: str, port: int) -> None:
        """Raise AddressRefused if the host is itself an address that may not be dialled."""
        address = literal_address(host)
        if address is not None and not self._allows(host, port, address):
            raise AddressRefused(host, str(address))

    def _allows(self, host: str, port: int, address: IPAddress) -> bool:
        return is_public(address) or self._exempt(host, port, address)

    async def close(self) -> None:
        await self._resolver.close()


async def leads_inside(host: str) -> bool:
    """Whether this host is on a private network, as far as its name or address can tell."""
    if address := literal_address(host):
        return not is_public(address)
    resolver = DefaultResolver()
    try:
        results = await resolver.resolve(host, 0, socket.AF_UNSPEC)
    except OSError:
        return False
    finally:
        await resolver.close()
    return any(not is_public(_address_of(found)) for found in results)


def _address_of(found: ResolveResult) -> IPAddress:
    return ipaddress.ip_address(found["host"].split("%")[0])
