"""The command `arena`: one file per command group. It meets an arena only through its gRPC services."""

import os

# gRPC's own lines on standard error say less than our sentences, and say it twice. It reads this when it is first
# imported, and every module below imports it.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")
