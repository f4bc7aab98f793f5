"""What gRPC gives to every call."""

from __future__ import annotations

from typing import Any, TypeAlias

import grpc

Context: TypeAlias = grpc.aio.ServicerContext[Any, Any]
"""The context of a call."""
