"""The command `arena`: one file per command group. It meets an arena only through its gRPC services."""

import os
import sys

# gRPC's own lines on standard error say less than our sentences, and say it twice. It reads this when it is first
# imported, and every module below imports it.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

# gRPC's traces show the headers of all calls, and a service log with them would hold every caller's token. This, too,
# is read when gRPC is imported; `serve` says that it was asked for in vain.
if "serve" in sys.argv and os.environ.get("GRPC_TRACE"):
    os.environ["GRPC_TRACE"] = ""
