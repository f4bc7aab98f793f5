"""What holds for all tests: the same examples each time, and no deadline that a busy machine breaks."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile("arena", deadline=None, derandomize=True, database=None)
settings.register_profile(
    "soak",
    deadline=None,
    derandomize=False,
    max_examples=1000,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("arena")

os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # its own lines say nothing about a test
os.environ.pop("COLUMNS", None)  # tables are as wide as for a pipe
