"""What a run takes from outside; tests put their own in."""

import random
from dataclasses import dataclass

from markmirror.interrupts import SystemClock
from markmirror.ports import Clock
from markmirror.progress import Display, Silence

# Below this a disk counts as full: the ledger and the lists must still find room.
MIN_FREE_BYTES = 100 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """The time, chance, the person who watches, and how much of the disk is to be left free."""

    clock: Clock
    chance: random.Random
    display: Display
    min_free_bytes: int = MIN_FREE_BYTES


def the_world(display: Display | None = None) -> World:
    """The real one; with nobody watching, unless a display is given."""
    return World(clock=SystemClock(), chance=random.SystemRandom(), display=display or Silence())
