"""How properties are tested: the same examples each time, and none of them against a clock."""

from hypothesis import settings

repeatable = settings(derandomize=True, deadline=None, max_examples=200)
