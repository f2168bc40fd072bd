"""Wait or give up: how long to wait before something is tried again."""

import random
from dataclasses import dataclass

LONGEST_WAIT_SECONDS = 300.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Backoff:
    """Exponential delays with jitter; a server's own wish comes first, within reason."""

    first_seconds: float
    longest_seconds: float = LONGEST_WAIT_SECONDS
    jitter: float = 0.5

    def delay(self, attempt: int, asked_seconds: float | None, chance: random.Random) -> float:
        """Seconds to wait after the given failed attempt (1 is the first)."""
        if asked_seconds is not None:
            return min(asked_seconds, self.longest_seconds)
        base = self.first_seconds * 2.0 ** min(attempt - 1, 30)
        return min(base * (1 + self.jitter * chance.random()), self.longest_seconds)


# A server that says "slow down" is asked again this often before a page counts as failed.
THROTTLE = Backoff(first_seconds=1.0, longest_seconds=LONGEST_WAIT_SECONDS)
THROTTLED_ATTEMPTS = 8
# A host that has let nothing through for this long is left alone.
LONGEST_REFUSAL_SECONDS = 3600.0

# `--on-error retry`: attempts after the main pass, per page.
SECOND_CHANCE = Backoff(first_seconds=1.0)
SECOND_CHANCES = 3

# A sitemap that could not be read is asked for again this often, this far apart.
SITEMAP_RETRIES = 3
SITEMAP_RETRY_SECONDS = 2.0

# Confluence: six attempts, so five delays of 0.5, 1, 2, 4 and 8 s, each times a factor of 1 to 1.5.
CONFLUENCE = Backoff(first_seconds=0.5, longest_seconds=30.0)
CONFLUENCE_ATTEMPTS = 6
