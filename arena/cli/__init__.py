"""The command `arena`: one file per command group. It meets an arena only through its gRPC services."""
