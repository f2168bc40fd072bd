"""The disk a run writes to: whether there is room, and what of it would survive a power cut."""

import asyncio
from dataclasses import dataclass, field

from markmirror.errors import DiskFull
from markmirror.output.files import MirrorFolder
from markmirror.output.tree import OutputTree
from markmirror.state.ledger import Ledger
from markmirror.world import World

SYNC_SECONDS = 10.0


@dataclass(slots=True, kw_only=True)
class Disk:
    """Checks for room, and writes through to the disk now and then. `advice` is for a full one."""

    home: MirrorFolder
    tree: OutputTree
    ledger: Ledger
    world: World
    advice: str
    _wanted: asyncio.Event = field(default_factory=asyncio.Event)
    _synced: float = field(init=False)

    def __post_init__(self) -> None:
        self._synced = self.world.clock.monotonic()

    def check(self) -> None:
        """Raises DiskFull while there is still room to write everything down."""
        if self.home.free_bytes() < self.world.min_free_bytes:
            megabytes = self.world.min_free_bytes // (1024 * 1024)
            raise DiskFull(
                f"Less than {megabytes} MB are free on the disk of {self.home.root}.",
                hint=f"Free some space and {self.advice}.",
            )

    def sync_if_due(self) -> None:
        """Ask for a sync, if the last one is some time ago."""
        if self.world.clock.monotonic() - self._synced > SYNC_SECONDS:
            self._wanted.set()

    async def sync_when_asked(self) -> None:
        """Sync until cancelled; in a thread, for a slow disk must not hold up the requests."""
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            began = self.world.clock.now().isoformat()
            await asyncio.to_thread(self.tree.flush_to_disk)
            self._remember(began)

    def sync(self) -> None:
        """Make what was written survive a power cut, and remember up to when."""
        began = self.world.clock.now().isoformat()
        self.tree.flush_to_disk()
        self._remember(began)

    def _remember(self, began: str) -> None:
        self.ledger.remember("synced_at", began)
        self._synced = self.world.clock.monotonic()
