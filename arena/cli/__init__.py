"""The command `arena`, one folder or file per group. It calls an arena only through its gRPC services."""

import os
import sys

# gRPC's own lines on standard error only repeat our messages. It reads this when it is first
# imported, and every module below imports it.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

# gRPC's traces show the headers of all calls, and a service log with them would hold every caller's token. This, too,
# is read when gRPC is imported; `serve` logs that it has no effect.
if "serve" in sys.argv and os.environ.get("GRPC_TRACE"):
    os.environ["GRPC_TRACE"] = ""
