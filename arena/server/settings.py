"""How an arena is run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class TlsFiles:
    """The PEM files of an encrypted port."""

    certificate: Path
    """The arena's certificate, and behind it those that lead to an authority."""
    key: Path
    client_authorities: Path | None = None
    """Only clients with a certificate of one of these may connect; None: clients show none."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What an organiser says when the arena is started."""

    data: Path
    """The folder that holds everything; made if it is not there."""
    host: str = "127.0.0.1"
    port: int = 7450
    """0: any that is free."""
    json_logs: bool = False
    """The service log as JSON lines instead of text for people."""
    metrics_port: int | None = None
    """Where Prometheus may scrape, on `metrics_host`; 0: any that is free; None: nowhere."""
    metrics_host: str = "127.0.0.1"
    keep_free_mb: int = 200
    """With less free space on the disk, in millions of bytes, no new match begins."""
    drain_s: float = 10.0
    """When asked to stop, running matches have this long to end; then they are void and replayed."""
    hosted_programs: int | None = None
    """Programs of hosted bots at once; 0: none are run; None: as many as this machine bears."""
    allow_weak_sandbox: bool = False
    """Hosted bots are run even where the sandbox lacks a protection that strangers' programs would need."""
    tls: TlsFiles | None = None
    """None: the port speaks plain text. The Unix socket always does."""
