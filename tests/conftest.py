"""How properties are tested: a few repeatable examples in the suite, many new ones in a soak."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile("suite", derandomize=True, deadline=None, max_examples=100)
settings.register_profile(
    "soak",
    deadline=None,
    max_examples=10_000,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))
