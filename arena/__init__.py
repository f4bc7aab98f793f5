"""Caravan Arena: bots in any language play board games against each other over gRPC (docs/architecture.md)."""
