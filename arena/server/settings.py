"""The settings of an arena."""

import socket
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class TlsFiles:
    """The PEM files of an encrypted port."""

    certificate: Path
    """The arena's certificate, followed by those that lead to an authority."""
    key: Path
    client_authorities: Path | None = None
    """Clients must have a certificate of one of these; None: clients need none."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of an arena."""

    data: Path
    """The data folder; made if missing."""
    database: str | None = None
    """The URL of a PostgreSQL database; None: where the arena has its database, at first a file of the data folder."""
    host: str = "127.0.0.1"
    port: int = 7450
    """0: any free port."""
    json_logs: bool = False
    """Write the service log as JSON lines."""
    metrics_port: int | None = None
    """The port for Prometheus, on `metrics_host`; 0: any free port; None: no metrics."""
    metrics_host: str = "127.0.0.1"
    keep_free_mb: int = 200
    """Below so much free disk space, in millions of bytes, no match begins."""
    drain_s: float = 10.0
    """Time for running matches to end at a shutdown; then they are void and replayed."""
    hosted_programs: int | None = None
    """Hosted processes at once; 0: none; None: as many as the machine can run."""
    program_cores: int = 1
    """Processor cores that a hosted bot's program may ask for."""
    program_memory_mib: int = 512
    """Memory that it may ask for."""
    match_workers: int | None = None
    """Processes that play matches of hosted bots; None: one fewer than processors, and none on one or two."""
    cluster: str | None = None
    """The address of the head of a cluster, whose nodes play matches of hosted bots; None: no cluster."""
    cluster_token: Path | None = None
    """The file of the cluster's token; None: `cluster.token` in the data folder."""
    allow_weak_sandbox: bool = False
    """Run hosted bots even if the sandbox lacks a protection against untrusted programs."""
    allow_private_webhooks: bool = False
    """Send notifications also to webhooks at addresses that are not public."""
    runtimes: Path | None = None
    """The folder of the organiser's runtimes; None: `runtimes` in the data folder, if it is there."""
    tls: TlsFiles | None = None
    """None: the port is unencrypted. The Unix socket always is."""
    ready_file: Path | None = None
    """The file that is there while the arena takes calls; None: no such file."""
    pages: socket.socket | None = None
    """The listening socket of the web pages; None: no pages."""
