"""The connections that requests travel on."""

import asyncio
from functools import partial

import aiohttp
from aiohttp.client_proto import ResponseHandler
from aiohttp.http_exceptions import HttpProcessingError

from markmirror.fetch.guard import AddressGuard

DNS_CACHE_SECONDS = 300


class NotHttp(ValueError):
    """What arrived cannot be read as HTTP."""


def connector(guard: AddressGuard, *, limit: int) -> aiohttp.TCPConnector:
    """Dials only what the guard allows, and at most so many connections at once."""
    made = aiohttp.TCPConnector(
        resolver=guard, limit=limit, limit_per_host=0, ttl_dns_cache=DNS_CACHE_SECONDS
    )
    connection: type[ResponseHandler] = _Connection
    made._factory = partial(connection, loop=asyncio.get_running_loop())
    return made


class _Connection(ResponseHandler):
    """A connection whose reader hears of it when a body turns out not to be HTTP.

    aiohttp tells only those who wait for a response's head. Once that has been handed out, the
    reader of the body waits on a closed connection, with no more timeout than the one in total.
    """

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        error, body = self._exception, self._payload
        if isinstance(error, HttpProcessingError) and body is not None and not body.is_eof():
            body.set_exception(NotHttp(" ".join(error.message.split())))
