"""What all services use, and how they record decisions of people."""

import asyncio
from collections.abc import Callable, Collection, Coroutine, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, Protocol, TypeVar

from google.protobuf.message import Message

from arena.core.errors import ArenaError, invalid_field
from arena.core.match import DebugLine
from arena.hosting.admission.admission import Admission
from arena.match_log.files import LogStorage
from arena.match_log.keys import KeyRing
from arena.runner.change_signal import ChangeSignal
from arena.runner.spectator_view import SpectatorView
from arena.scheduling.debug_lines import DebugLines
from arena.scheduling.queue_report import QueuePlace
from arena.server.announcements_in_force import AnnouncementsInForce
from arena.server.auth.permissions import Caller, current_caller
from arena.server.cluster.node import Nodes
from arena.server.services.freezes import Freezes
from arena.server.services.paging import ListRequest, Page, PageRequest, Pages, Place
from arena.server.webhooks.deliveries import Deliveries
from arena.sessions.registry import Presence
from arena.store.accounts.idempotency import RequestKey
from arena.store.accounts.tokens import Role, Scope
from arena.store.audit.entries import AuditEntry, AuditKind
from arena.store.database import Database
from arena.store.store import Transaction
from arena.wire.game_catalogue import GameCatalogue

MAX_REQUEST_ID: Final = 36

M = TypeVar("M", bound=Message)
T = TypeVar("T")


class ArenaRuntime(Protocol):
    """The running arena. Call it on its event loop; methods that are not awaited return at once."""

    def presence(self, bot: str) -> Presence:
        """Return the bot's presence; all zeros if it is not connected."""

    def waiting_for(self, ladder: str, bots: Collection[str] | None = None) -> str:
        """Return why no match of a running ladder begins now; empty if none. `bots`: which it may name; None: all."""

    def tournament_waiting_for(self, tournament: str) -> str:
        """Return why no match of a running tournament begins now; empty if nothing is wrong."""

    async def queue(self, ladder: str) -> tuple[QueuePlace, ...]:
        """Return the bots of a ladder, next paired first. Raises NotFoundError (LADDER_NOT_FOUND)."""

    async def debug_lines(self, match: int, seat: int) -> list[DebugLine] | None:
        """Return the debug lines so far of a seat of a match in play; None if it is not in play."""

    def wake_scheduler(self) -> None:
        """Run matchmaking again: a ladder or its participants have changed."""

    def hosting_changed(self) -> None:
        """Load hosted bots again: the hosted version of some bot has changed."""

    def end_calls(self, tokens: Iterable[str], why: ArenaError) -> None:
        """End the connections and calls of these tokens, soon, with this error."""

    def connections_of(self, owner: str) -> int:
        """Return how many connections the bots of an owner have, without hosted processes."""

    def spectator_view(self, match: int) -> SpectatorView | None:
        """Return what spectators of a match see; None if it is not in play."""

    @property
    def matches_changed(self) -> ChangeSignal:
        """Signals that a match came into play, ended, or was withdrawn."""

    @property
    def nodes(self) -> Nodes:
        """The match nodes; `NoCluster` if the arena has none."""

    @property
    def deliveries(self) -> Deliveries:
        """What sends notifications to webhooks."""


@dataclass(frozen=True, slots=True)
class ServiceContext:
    """What all services use."""

    database: Database
    catalogue: GameCatalogue
    runtime: ArenaRuntime
    pages: Pages
    now_us: Callable[[], int]
    """Microseconds since 1970 UTC."""
    random_bytes: Callable[[int], bytes]
    """Makes tokens and secrets of seeds: `secrets.token_bytes` in a real arena."""
    admission: Admission
    """Processes complete archives."""
    logs: LogStorage
    keys: KeyRing
    """The keys that logs and final standings of seasons are signed with."""
    debug_lines: DebugLines
    announcements: AnnouncementsInForce
    freezes: Freezes

    async def page(
        self,
        request: ListRequest,
        rows: Callable[[Transaction, PageRequest], Sequence[T]],
        place: Callable[[T], Place],
        *filters: str,
    ) -> Page[T]:
        """Return a page of a listing. `rows` reads it; `place`, `filters`: see `Pages`."""
        wanted = self.pages.read(request, *filters)
        return self.pages.cut(wanted, await self.database.read(lambda tx: rows(tx, wanted)), place)

    async def create_once(self, request: Message, create: Callable[[Transaction], M], response: type[M]) -> M:
        """Return what `create` returns, or what it returned for the same request before.

        A request without a request_id is always a new one (docs/bad_inputs.md rows 31 and 32).

        Raises AlreadyExistsError (REQUEST_ID_REUSED), InvalidArgumentError (FIELD_INVALID: the request_id is none).
        """
        request_id = _request_id(request)
        if not request_id:
            return await self.database.write(create)
        body = sha256(request.SerializeToString(deterministic=True)).digest()
        key = RequestKey(current_caller().user, request_id, type(request).__name__, body)

        def change(tx: Transaction) -> M:
            known = tx.requests.find_response(key)
            if known is not None:
                return response.FromString(known)
            created = create(tx)
            tx.requests.remember(key, created.SerializeToString(), self.now_us())
            return created

        return await self.database.write(change)


class Service:
    """A service of `arena.v1`."""

    def __init__(self, platform: ServiceContext) -> None:
        self._platform = platform


def check_may_list_hidden(show_hidden: bool) -> None:
    """Raise PermissionDeniedError (ROLE_REQUIRED) if others than organisers ask for what is hidden."""
    if show_hidden:
        current_caller().check_organiser("A listing with what is hidden", Scope.READ)


def _request_id(request: Message) -> str:
    request_id: str = getattr(request, "request_id")  # noqa: B009 - every message that creates has it
    if len(request_id) > MAX_REQUEST_ID or not (request_id.isascii() and request_id.isprintable()):
        raise invalid_field(
            "request_id",
            f"request_id must be at most {MAX_REQUEST_ID} printable ASCII characters, best a UUID.",
        )
    return request_id


def bots_shown(tx: Transaction, caller: Caller) -> frozenset[str] | None:
    """Return the bots of which the caller may see everything before a match begins; None: all.

    A spectator sees no more than any other one, also of their own bots: what they see may be shown to everybody.
    """
    if caller.is_organiser:
        return None
    return frozenset() if caller.role is Role.SPECTATOR else tx.bots.of_owner(caller.owner)


def record_decision(
    tx: Transaction, kind: AuditKind, caller: Caller, now_us: int, sentence: str, *about: str
) -> None:
    """Record a decision of the caller. `sentence`: for people; `about`: resource names, each once."""
    tx.audit.add(AuditEntry(kind, now_us, sentence, about, actor=caller.actor))


async def complete(work: Coroutine[Any, Any, T]) -> T:
    """Complete the work even if the caller cancels the call; return its result.

    What is stored stays stored, so its consequences, for example calls that must end, must not be left out.
    """
    return await asyncio.shield(asyncio.ensure_future(work))
