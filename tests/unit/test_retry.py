"""How long to wait before something is tried again."""

import random

from markmirror.retry import LONGEST_WAIT_SECONDS, THROTTLE, Backoff


def test_delays_double_and_carry_jitter() -> None:
    """Seed 000: 429 response handling."""
    chance = random.Random(1)
    backoff = Backoff(first_seconds=1.0, longest_seconds=1000.0)
    for attempt in range(1, 8):
        base = 2.0 ** (attempt - 1)
        delays = {backoff.delay(attempt, None, chance) for _ in range(50)}
        assert all(base <= delay <= 1.5 * base for delay in delays)
        assert len(delays) > 40


def test_the_servers_wish_comes_first_but_not_without_limit() -> None:
    chance = random.Random(1)
    assert THROTTLE.delay(1, 7.0, chance) == 7.0
    assert THROTTLE.delay(5, 0.0, chance) == 0.0
    assert THROTTLE.delay(1, 1e9, chance) == LONGEST_WAIT_SECONDS
    assert THROTTLE.delay(10_000, None, chance) == LONGEST_WAIT_SECONDS
