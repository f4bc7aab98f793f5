"""What is asked for when a tournament is created: checked, with everything filled in that was left out."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from arena.codecs.shared_messages import time_control_of
from arena.core.clock.clock_fit import check_clock_fits, clock_warnings
from arena.core.clock.time_control import CHALLENGE_CLOCK, TimeControl
from arena.core.errors import ErrorReason, FailedPreconditionError, invalid_field
from arena.core.match import SeedPolicy
from arena.core.pairing.formats.formats import format_of
from arena.core.pairing.formats.parameters import FormatParameters, Seeding
from arena.core.pairing.formats.plan import Format
from arena.core.pairing.groups import check_seed_policy, default_seed_policy
from arena.core.pairing.round_robin import PlannedPairing, check_size, round_robin
from arena.core.seeds import SECRET_BYTES, secret_commitment
from arena.core.suites import MOST_TEXT, Suite, parse_suite
from arena.core.tournaments import PLANNED_AT_ONCE, TournamentFormat, TournamentState
from arena.server.auth.permissions import Caller
from arena.server.services.freezes import check_all_revealed
from arena.server.services.new_ladders import asked_seed_policy
from arena.server.services.service_context import ServiceContext
from arena.store.accounts.tokens import Scope
from arena.store.bots.bots import BotRow
from arena.store.store import Transaction
from arena.store.tournaments.tournaments import TournamentRow
from arena.v1 import match_pb2
from arena.v1 import tournament_pb2 as pb
from arena.wire.fields import enum_of, one_line
from arena.wire.messages.tournament_format import FORMATS, parameters_of, policy_of
from arena.wire.resource_names import bot_name, check_id, parse_bot, parse_ladder
from engine.game import Chance, Game, GameSpec

FEWEST_SEATS: Final = 2

MOST_CHALLENGE_MATCHES: Final = 100
"""The most matches of an owner's challenge."""

MOST_SUITE_NAME: Final = 64

MOST_CHALLENGES: Final = 3
"""The most unfinished challenges of one owner."""


@dataclass(frozen=True, slots=True)
class NewTournament:
    """A checked request for a tournament."""

    row: TournamentRow
    """Its id is empty if the arena is to choose one; its seed policy assumes that no bot is hosted."""
    form: Format
    plan: tuple[PlannedPairing, ...]
    """Empty if the tournament is planned round by round."""
    asked_policy: SeedPolicy | None
    """None: the arena chooses."""
    chance: Chance
    """Of the game."""
    warnings: tuple[str, ...]
    """Sentences for its creator."""


def new_tournament(
    request: pb.CreateTournamentRequest, caller: Caller, platform: ServiceContext
) -> NewTournament:
    """Return the requested tournament with all options filled in and a new secret.

    Raises NotFoundError (GAME_NOT_FOUND), InvalidArgumentError (FIELD_INVALID), InvalidOptionsError,
    FailedPreconditionError (TOO_FEW_BOTS, PLAN_TOO_LARGE), PermissionDeniedError (ROLE_REQUIRED).
    """
    kind = enum_of(TournamentFormat, "format", request.format, f"{FORMATS}, a challenge or a gate")
    if kind is not TournamentFormat.CHALLENGE:
        caller.check_organiser("A tournament that is no challenge", Scope.ORGANISE)
    challenge = kind is TournamentFormat.CHALLENGE
    unnamed = challenge and not request.tournament_id
    tournament = "" if unnamed else check_id("tournament_id", request.tournament_id, event=True)
    if request.HasField("gate"):
        raise invalid_field(
            "gate", f"Only a gate compares versions, and this is a {_words(kind)}: leave gate out."
        )
    game = platform.catalogue.game(request.game)
    bots = named_bots(request)
    seats = number_of_seats(request, kind, game.spec)
    parameters, form = _format(request, kind, seats, bots)
    plan = round_robin(bots, seats=seats, rounds=parameters.rounds) if kind in PLANNED_AT_ONCE else ()
    if not caller.is_organiser:
        check_size(len(plan) * seats, MOST_CHALLENGE_MATCHES)
    asked = asked_seed_policy(_visible(request), game.spec)
    row, warnings = asked_rules(request, caller, platform, game, seats)
    row = replace(
        row,
        id=tournament,
        format=kind,
        bots=bots,
        rounds=parameters.rounds,
        seed_policy=asked or default_seed_policy(game.spec.chance, isolated=False),
        state=TournamentState.RUNNING if challenge else TournamentState.PLANNED,
        pairings=len(plan),
        parameters=parameters,
        seeded_by=_seeded_by(request, kind),
        suite=asked_suite(request, kind, seats),
    )
    warnings = (*warnings, *suite_warnings(row, game.spec))
    return NewTournament(row, form, plan, asked, game.spec.chance, warnings)


def asked_rules(
    request: pb.CreateTournamentRequest, caller: Caller, platform: ServiceContext, game: Game, seats: int
) -> tuple[TournamentRow, tuple[str, ...]]:
    """Return a tournament with the game, options and clock that are asked for and a new secret, and warnings.

    It is a challenge without a name, bots and plan. Raises InvalidArgumentError (FIELD_INVALID), InvalidOptionsError.
    """
    secret = platform.random_bytes(SECRET_BYTES)
    control = time_control_of(request.time_control) if request.HasField("time_control") else TimeControl()
    if not caller.is_organiser:
        _check_clock(control)
    check_clock_fits(control)
    options = game.options(seats, dict(request.options))
    row = TournamentRow(
        id="",
        owner=caller.owner,
        format=TournamentFormat.CHALLENGE,
        game=game.spec.id,
        rules_version=game.spec.rules_version,
        options=game.option_values(options),
        time_control=control,
        bots=(),
        seats=seats,
        rounds=0,
        seed_policy=SeedPolicy.DERIVED,
        state=TournamentState.PLANNED,
        pairings=0,
        secret=secret,
        commitment=secret_commitment(secret),
        created_us=platform.now_us(),
    )
    return row, clock_warnings(control, game, {seats: options})


def check_possible(tx: Transaction, new: NewTournament, caller: Caller) -> TournamentRow:
    """Return the tournament as it may be stored now, with an id.

    Raises:
        AlreadyExistsError: TOURNAMENT_EXISTS.
        NotFoundError: BOT_NOT_FOUND, LADDER_NOT_FOUND.
        InvalidArgumentError: FIELD_INVALID, the ladder for the order of entry has no ratings in this game.
        PermissionDeniedError: NOT_OWNER, none of the bots is the caller's.
        FailedPreconditionError: TOURNAMENT_STATE, an owner has too many challenges that have not finished;
            SHARED_SEED_REFUSED; CHALLENGE_REFUSED.
    """
    bots = [tx.bots.get(bot) for bot in new.row.bots]
    owners = {bot.id: bot.owner for bot in bots}
    if caller.owner not in owners.values():
        caller.check_owns("", f"Each of {', '.join(bot_name(bot) for bot in owners)}")
    if not caller.is_organiser and tx.tournaments.count_open_challenges(caller.owner) >= MOST_CHALLENGES:
        raise FailedPreconditionError(
            ErrorReason.TOURNAMENT_STATE,
            f"You have {MOST_CHALLENGES} challenges that have not finished, and may have no more: wait for one to"
            " end, see `arena tournament list`.",
        )
    others = [bot for bot in bots if bot.owner != caller.owner]
    for bot in others:
        check_takes_challenges(bot, caller)
    row = replace(
        new.row,
        bots=_in_order_of_entry(tx, new.row),
        seed_policy=_seed_policy(tx, new),
        yields=bool(others) and not caller.is_organiser,
    )
    if not row.id:
        return replace(row, id=tx.tournaments.next_challenge_id())
    tx.tournaments.check_free(row.id)
    return row


def _check_clock(control: TimeControl) -> None:
    """Raise InvalidArgumentError (FIELD_INVALID) if the clock is too long for an owner's challenge or gate."""
    for field, most in CHALLENGE_CLOCK.items():
        value = getattr(control, field)
        if value > most:
            raise invalid_field(
                f"time_control.{field}",
                f"time_control.{field} is {value}, but at most {most} in a challenge or gate that an owner makes: lower"
                " it, or ask an organiser to make it.",
            )


def _seed_policy(tx: Transaction, new: NewTournament) -> SeedPolicy:
    """Return the requested seed policy, or the one that bots and game allow; the stages may have others."""
    hosted = tx.hosting.of(new.row.bots)
    isolated = all(bot in hosted and hosted[bot].version is not None for bot in new.row.bots)
    policy = new.asked_policy or default_seed_policy(new.chance, isolated=isolated)
    for each in replace(new.row, seed_policy=policy).seed_policies:
        check_seed_policy(each, new.chance, isolated=isolated)
    return policy


def _format(
    request: pb.CreateTournamentRequest, kind: TournamentFormat, seats: int, bots: tuple[str, ...]
) -> tuple[FormatParameters, Format]:
    """Return the format that is asked for. Raises as `new_tournament` does."""
    whole = kind in PLANNED_AT_ONCE
    parameters = parameters_of(request.parameters, request.rounds or int(whole))
    if whole and parameters.seeding is not Seeding.ORDER:
        raise invalid_field(
            "parameters.seeding",
            f"A {_words(kind)} has no seeds: every pairing is played; leave seeding out.",
        )
    form = format_of(kind, seats, parameters)
    form.check(bots)
    return parameters, form


def _visible(request: pb.CreateTournamentRequest) -> match_pb2.SeedPolicy.ValueType:
    """Return the seed policy that is asked for, by itself or by the visibility.

    Raises InvalidArgumentError: FIELD_INVALID, they contradict each other.
    """
    asked = policy_of(request.visibility, "visibility")
    if asked is None:
        return request.seed_policy
    policy = match_pb2.SeedPolicy.ValueType(asked.value)
    if request.seed_policy not in (match_pb2.SEED_POLICY_UNSPECIFIED, policy):
        raise invalid_field(
            "visibility",
            "Live matches have seeds of their own, and sealed ones share the seed of their group: visibility and"
            " seed_policy contradict each other; leave one of them out.",
        )
    return policy


def _seeded_by(request: pb.CreateTournamentRequest, kind: TournamentFormat) -> str:
    """Return the ladder that gives the order of entry; empty if none. Raises InvalidArgumentError (FIELD_INVALID)."""
    if not request.seeded_by:
        return ""
    if kind in PLANNED_AT_ONCE:
        raise invalid_field(
            "seeded_by", f"A {_words(kind)} has no seeds: every pairing is played; leave seeded_by out."
        )
    if request.parameters.seeding == pb.FormatParameters.SEEDING_DRAWN:
        raise invalid_field("seeded_by", "Seeds are drawn or follow ratings: leave out seeding or seeded_by.")
    return parse_ladder("seeded_by", request.seeded_by)


def takes_challenges(bot: BotRow, caller: Caller) -> bool:
    """Return whether the caller may make the bot play a challenge or a gate."""
    return not bot.refuses_challenges or bot.owner == caller.owner or caller.is_organiser


def check_takes_challenges(bot: BotRow, caller: Caller) -> None:
    """Raise FailedPreconditionError (CHALLENGE_REFUSED) if the bot refuses challenges of the caller."""
    if not takes_challenges(bot, caller):
        raise FailedPreconditionError(
            ErrorReason.CHALLENGE_REFUSED,
            f"{bot_name(bot.id)} takes no challenges of other owners: name another bot, or ask its owner, {bot.owner}.",
            bot=bot.id,
        )


def asked_suite(request: pb.CreateTournamentRequest, kind: TournamentFormat, seats: int) -> Suite | None:
    """Return the suite that is asked for; None if seeds are derived. Raises InvalidArgumentError (FIELD_INVALID)."""
    if not request.HasField("suite"):
        return None
    if kind is TournamentFormat.CHALLENGE:
        raise invalid_field("suite", "The seeds of a challenge are drawn: leave suite out.")
    given = request.suite
    if len(given.text) > MOST_TEXT:
        raise invalid_field(
            "suite.text", f"suite.text has {len(given.text)} characters, but may have at most {MOST_TEXT}."
        )
    suite = parse_suite(one_line("suite.name", given.name, MOST_SUITE_NAME, least=1), given.text)
    suite.check_fits(request.game, seats)
    return suite


def suite_warnings(row: TournamentRow, spec: GameSpec) -> Iterator[str]:
    """Yield a warning if the seeds of its suite reveal hidden draws."""
    if row.suite is not None and spec.chance is Chance.HIDDEN:
        yield (
            f"The seeds of the suite {row.suite.name} are known beforehand, and {spec.title} has hidden draws: a bot "
            "that has the file knows them."
        )


def _in_order_of_entry(tx: Transaction, row: TournamentRow) -> tuple[str, ...]:
    """Return the bots by rating, equals and those without a rating in the order in which they were named."""
    if not row.seeded_by:
        return row.bots
    ladder = tx.ladders.get(row.seeded_by)
    check_all_revealed(ladder)
    if ladder.solo or ladder.game != row.game:
        why = "ranks solo play, without ratings" if ladder.solo else f"is one of {ladder.game}"
        raise invalid_field(
            "seeded_by",
            f"The ladder {ladder.id} {why}: name a rated ladder of {row.game}, or leave seeded_by out.",
        )
    entries = tx.entries.of_bots(ladder.id, row.bots)
    ratings = {entry.bot: entry.rating_milli for entry in entries if entry.matches}
    return tuple(sorted(row.bots, key=lambda bot: (bot not in ratings, -ratings.get(bot, 0))))


def _words(kind: TournamentFormat) -> str:
    return kind.name.lower().replace("_", "-")


def named_bots(request: pb.CreateTournamentRequest) -> tuple[str, ...]:
    """Return the bots that are named. Raises InvalidArgumentError (FIELD_INVALID): a name is none, or named twice."""
    bots = tuple(parse_bot("bots", name) for name in request.bots)
    twice = next((bot for bot, times in Counter(bots).items() if times > 1), None)
    if twice is not None:
        raise invalid_field("bots", f"bots has {bot_name(twice)} twice: name each bot once.")
    return bots


def number_of_seats(request: pb.CreateTournamentRequest, kind: TournamentFormat, spec: GameSpec) -> int:
    """Return the seats of a match.

    Raises InvalidArgumentError (FIELD_INVALID), FailedPreconditionError (TOO_FEW_BOTS).
    """
    allowed = range(max(FEWEST_SEATS, spec.min_seats), spec.max_seats + 1)
    challenge = kind is TournamentFormat.CHALLENGE
    if challenge and len(request.bots) < allowed[0]:
        raise FailedPreconditionError(
            ErrorReason.TOO_FEW_BOTS, f"A challenge is between {allowed[0]} bots or more: name more."
        )
    seats = request.seats or (len(request.bots) if challenge else allowed[0])
    if seats not in allowed:
        why = "; who plays alone is ranked on a solo ladder" if seats == spec.min_seats == 1 else ""
        allowed_words = f"{allowed[0]} to {allowed[-1]} seats in {spec.title}"
        raise invalid_field("seats", f"A match of a tournament has {allowed_words}, not {seats}{why}.")
    if challenge and seats != len(request.bots):
        raise invalid_field("seats", f"A challenge seats all its {len(request.bots)} bots: leave seats out.")
    return seats
