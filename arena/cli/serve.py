"""`arena serve`: run an arena."""

import socket
from pathlib import Path
from typing import Annotated, Literal

import typer

from arena.cli.framework.commands import command, only_command
from arena.cli.framework.errors import server_packages
from arena.cli.framework.target import DEFAULT_DATA, check_data_folder, check_host_and_port
from arena.submissions.manifest import CORES, MEMORY_MIB, STANDARD

app = only_command()

LogFormat = Literal["console", "json"]
"""How the arena writes its service log."""


DataOption = Annotated[
    Path,
    typer.Option(
        metavar="DIR",
        envvar="ARENA_DATA",
        callback=check_data_folder,
        help="The data folder; created if it is missing.",
    ),
]

DatabaseOption = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        show_default="a file in the data folder",
        help="Keep the database at postgresql://USER@HOST/NAME. Later starts need no --database.",
    ),
]

CertificateOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Encrypt the port: the arena's certificate chain, PEM."),
]

KeyOption = Annotated[Path | None, typer.Option(metavar="FILE", help="The key of that certificate, PEM.")]

ClientCaOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Accept only clients with a certificate of these authorities, PEM."),
]

RuntimesOption = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        envvar="ARENA_RUNTIMES",
        show_default="runtimes in the data folder",
        help="A folder with one TOML file for each runtime that you add.",
    ),
]

ReadyFileOption = Annotated[
    Path | None,
    typer.Option(
        "--ready-file",
        metavar="FILE",
        help="Write the arena's addresses to this file while it takes calls, as JSON.",
    ),
]

PagesOption = Annotated[
    int | None,
    typer.Option(
        "--pages", metavar="PORT", min=0, max=65535, help="Serve web pages on this port; 0: any free port."
    ),
]

HostedProgramsOption = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        min=0,
        show_default="by cores and memory",
        help="Maximum of hosted bots' processes, at least the seats of a match; 0: none.",
    ),
]

ProgramCoresOption = Annotated[
    int,
    typer.Option(
        metavar="N", min=CORES[0], max=CORES[-1], help="Cores that a hosted bot may ask for in its bot.toml."
    ),
]

ProgramMemoryOption = Annotated[
    int,
    typer.Option(
        metavar="MIB",
        min=STANDARD.memory_mib,
        max=MEMORY_MIB[-1],
        help="Memory that a hosted bot may ask for in its bot.toml, in MiB.",
    ),
]

MatchWorkersOption = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        min=0,
        max=64,
        show_default="processors less one, 0 on one or two",
        help="Processes that play the matches between hosted bots, one match each at a time; 0: the arena itself.",
    ),
]

ClusterOption = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        callback=check_host_and_port,
        help="Play matches of hosted bots on the nodes of the cluster whose head is at this address, host:port.",
    ),
]

ClusterTokenOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", show_default="cluster.token in the data folder", help="The token of the cluster."
    ),
]

WeakSandboxOption = Annotated[
    bool,
    typer.Option(
        "--allow-weak-sandbox",
        help="Run hosted bots although the sandbox lacks a protection: only for your own bots.",
    ),
]

PrivateWebhooksOption = Annotated[
    bool,
    typer.Option(
        "--allow-private-webhooks",
        help="Send notifications also to webhooks in this machine's or a private network.",
    ),
]


@command(app, "serve", example="arena serve --data data --port 7450")
def serve_arena(
    data: DataOption = DEFAULT_DATA,
    database: DatabaseOption = None,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0: any free port.")] = 7450,
    tls_cert: CertificateOption = None,
    tls_key: KeyOption = None,
    tls_client_ca: ClientCaOption = None,
    metrics_port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help="Serve Prometheus metrics on this port; 0: any free port."),
    ] = None,
    metrics_host: Annotated[str, typer.Option(help="The address of the metrics.")] = "127.0.0.1",
    pages: PagesOption = None,
    pages_host: Annotated[str, typer.Option(help="The address of the web pages.")] = "127.0.0.1",
    keep_free: Annotated[
        int,
        typer.Option(
            metavar="MB", min=0, help="Start no match with less free disk; warn below five times this."
        ),
    ] = 200,
    hosted_programs: HostedProgramsOption = None,
    program_cores: ProgramCoresOption = STANDARD.cores,
    program_memory: ProgramMemoryOption = STANDARD.memory_mib,
    match_workers: MatchWorkersOption = None,
    cluster: ClusterOption = None,
    cluster_token: ClusterTokenOption = None,
    allow_weak_sandbox: WeakSandboxOption = False,
    allow_private_webhooks: PrivateWebhooksOption = False,
    runtimes: RuntimesOption = None,
    ready_file: ReadyFileOption = None,
    log_format: Annotated[LogFormat, typer.Option(help="Format of the service log.")] = "console",
) -> None:
    """Run an arena until it is stopped (Ctrl-C, SIGTERM or SIGHUP)."""
    with server_packages():
        from arena.hosting.environment import least_slots
        from arena.server.cluster.ray_commands import require_ray
        from arena.server.serve import run
        from arena.server.settings import Settings, TlsFiles
    _check_slots(hosted_programs, least_slots(), match_workers)
    if cluster is not None:
        with server_packages("cluster"):
            require_ray()
    _check_tls(tls_cert, tls_key, tls_client_ca)
    run(
        Settings(
            data=data,
            database=database,
            host=host,
            port=port,
            ready_file=ready_file,
            json_logs=log_format == "json",
            metrics_port=metrics_port,
            metrics_host=metrics_host,
            keep_free_mb=keep_free,
            hosted_programs=hosted_programs,
            program_cores=program_cores,
            program_memory_mib=program_memory,
            match_workers=match_workers,
            cluster=cluster,
            cluster_token=cluster_token,
            allow_weak_sandbox=allow_weak_sandbox,
            allow_private_webhooks=allow_private_webhooks,
            runtimes=runtimes,
            pages=_listen_for_pages(pages_host, pages),
            tls=TlsFiles(tls_cert, tls_key, tls_client_ca) if tls_cert and tls_key else None,
        )
    )


def _listen_for_pages(host: str, port: int | None) -> socket.socket | None:
    """Return the socket of the pages, if they are wanted. Raises FailedPreconditionError: it cannot be had."""
    if port is None:
        return None
    with server_packages("pages"):
        from arena.pages.process import listen
    return listen(host, port)


def _check_tls(certificate: Path | None, key: Path | None, client_ca: Path | None) -> None:
    """Raise BadParameter if some of the files are missing."""
    if (certificate is None) is not (key is None):
        raise typer.BadParameter("use --tls-cert and --tls-key together.")
    if certificate is None and client_ca is not None:
        raise typer.BadParameter("--tls-client-ca needs --tls-cert and --tls-key.")


def _check_slots(hosted_programs: int | None, least: int, workers: int | None) -> None:
    """Raise BadParameter if so many programs could be too few for one match, with workers for one of each kind."""
    if hosted_programs and hosted_programs < least:
        raise typer.BadParameter(
            f"--hosted-programs must be 0 or at least {least}: a match may need that many."
        )
    if workers and hosted_programs and hosted_programs < 2 * least:
        raise typer.BadParameter(
            f"--hosted-programs must be at least {2 * least} with --match-workers: {least} are for matches that hosted "
            "bots play against others, and a match of a worker may need as many."
        )
