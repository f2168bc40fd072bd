"""When the next request to a host may start: the rate limit, and the pauses a server asks for."""

import asyncio

from markmirror.ports import Clock

# A request is seen by the server a moment after it was sent, and that moment varies.
# The spacing is stretched by this much so that the server's clock never sees two starts too close.
SAFETY = 1.005


class Politeness:
    """Turns, one host at a time: starts are at least 1/rate apart, whatever the concurrency."""

    def __init__(self, clock: Clock, *, per_second: float) -> None:
        self._clock = clock
        self._interval = SAFETY / per_second if per_second else 0.0
        self._gates: dict[str, _Gate] = {}

    async def turn(self, host: str) -> None:
        """Return when a request to this host may start."""
        gate = self._gate(host)
        if gate.interval == 0.0 and gate.paused_until == 0.0:
            return
        async with gate.lock:
            while (wait := gate.free_at() - self._clock.monotonic()) > 0:
                await self._clock.sleep(wait)
            gate.next_start = self._clock.monotonic() + gate.interval

    def started(self, host: str) -> None:
        """The request has left: the next start is counted from now, not from its turn.

        Between the two lies whatever the process was busy with, and a new connection's making.
        """
        gate = self._gate(host)
        if gate.interval:
            gate.next_start = max(gate.next_start, self._clock.monotonic() + gate.interval)

    def pause(self, host: str, seconds: float) -> None:
        """No request to this host starts before these seconds have passed."""
        gate = self._gate(host)
        gate.paused_until = max(gate.paused_until, self._clock.monotonic() + seconds)

    def slow_down(self, host: str, seconds_apart: float) -> None:
        """Keep at least this distance between starts, as a Crawl-delay asks."""
        gate = self._gate(host)
        gate.interval = max(gate.interval, seconds_apart * SAFETY)

    def _gate(self, host: str) -> "_Gate":
        gate = self._gates.get(host)
        if gate is None:
            gate = self._gates[host] = _Gate(self._interval)
        return gate


class _Gate:
    __slots__ = ("interval", "lock", "next_start", "paused_until")

    def __init__(self, interval: float) -> None:
        self.interval = interval
        self.next_start = 0.0
        self.paused_until = 0.0
        self.lock = asyncio.Lock()

    def free_at(self) -> float:
        return max(self.next_start, self.paused_until)
