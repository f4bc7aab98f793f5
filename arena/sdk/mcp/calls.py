"""What the tools do: join, wait, state, act, explain."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from arena.sdk.game_messages import GAMES
from arena.sdk.llm.match_texts import rules_of
from arena.sdk.mcp.actions import choice_meant, what_it_leads_to, what_the_rules_say
from arena.sdk.mcp.arguments import Act, Explain, Join, State, Wait
from arena.sdk.mcp.errors import Reason, RefusedCallError
from arena.sdk.mcp.presence import Presence
from arena.sdk.mcp.seats import Answer, News, OpenDecision, Seat, Seats

LOOK_S: Final = 0.5
"""How often `wait` looks at the connection, in seconds."""

_NEXT: Final = """\
Next: call wait. When a decision is due, it shows the position and the numbered legal actions. Answer with act, then
call wait again. If you do not answer in time, a fallback plays for you."""

_MORE_RULES: Final = """\
For more call explain with rule (words, or the number of a clause), or with action (a number or text, for the decision
that is due)."""

_NO_RULES: Final = "The pages with the rules are not installed with this program."


@dataclass(frozen=True, slots=True)
class Ladder:
    """A ladder that the bot is on."""

    name: str
    """Without "ladders/"."""
    game: str
    why_no_match: str = ""
    """Why no match of it begins now, as part of a sentence; empty if nothing is known to prevent it."""


Ladders = Callable[[], Sequence[Ladder]]
"""Reads the ladders that the bot is on; may take its time. Raises RefusedCallError: they cannot be read."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The result of a call."""

    text: str
    """For the agent."""
    fields: dict[str, Any] = field(default_factory=dict)
    """For programs: reasons, ids and numbers."""


class Calls:
    """The tools of one bot. All methods belong to the thread of the event loop."""

    def __init__(self, presence: Presence, seats: Seats, ladders: Ladders | None) -> None:
        """`ladders`: None if they cannot be read, as with the token of a bot alone."""
        self._presence, self._seats, self._ladders = presence, seats, ladders
        self._changed = asyncio.Event()
        loop = asyncio.get_running_loop()
        seats.listener = lambda: _wake(loop, self._changed)

    async def join(self, given: Join) -> Reply:
        """Connect as the bot, and say what happens then."""
        if given.matches == 0:
            self._presence.check_joined()
            self._presence.leave()
            return Reply("No new matches are taken. Those in progress are played to their end: call wait.")
        ladders = None if self._ladders is None else await asyncio.to_thread(self._ladders)
        games = _games(given, ladders)
        await self._presence.join(games, given.matches)
        at_once = "match" if given.matches == 1 else "matches"
        plays = f"It plays {', '.join(games)}, {given.matches} {at_once} at once."
        connected = f"Connected as the bot {self._presence.bot}. {plays}"
        parts = [connected, _outlook(self._presence.bot, games, ladders), _NEXT]
        fields = {"bot": self._presence.bot, "games": list(games), "matches": given.matches}
        if ladders is not None:
            fields["ladders"] = [each.name for each in ladders]
        return Reply("\n\n".join(parts), fields)

    async def wait(self, given: Wait) -> Reply:
        """Return as soon as there is something to do or to tell, and at the latest after so many seconds."""
        until = self._seats.now() + given.seconds
        while True:
            self._changed.clear()
            self._presence.look()
            if self._seats.has_news or self._seats.due():
                break
            self._presence.check_joined()
            left_s = until - self._seats.now()
            if left_s <= 0:
                return await self._nothing_yet(given.seconds)
            try:
                await asyncio.wait_for(self._changed.wait(), min(left_s, LOOK_S))
            except TimeoutError:
                continue
        news, due = self._seats.take_news(), self._seats.due()
        parts = [_told(news)]
        began = {each.match for each in news if each.kind == "MATCH_STARTED"}
        parts += [_about(seat) for seat in self._seats.in_progress() if seat.match.name in began]
        if due:
            parts.append(self._decision(due[0]))
        parts.append(self._other_decisions(due[1:]))
        if not due:
            parts.append("No decision is due now. Call wait.")
        reason = "DECISION_DUE" if due else "NEWS"
        return Reply(_joined(parts), self._fields(news, due) | {"reason": reason})

    async def state(self, given: State) -> Reply:
        """Return everything about the matches in progress and the decision that is due."""
        self._presence.look()
        seats = self._seats.in_progress()
        wanted = None if given.match is None else self._seat_named(given.match, seats)
        if not seats and not self._seats.has_news:
            self._presence.check_joined()
        news, due = self._seats.take_news(), self._seats.due()
        shown = [each for each in due if wanted is None or each.match is wanted.match]
        parts = [_told(news), self._matches(seats)]
        if shown:
            parts += [_about(seat) for seat in seats if seat.match is shown[0].match]
            parts.append(self._decision(shown[0]))
            parts.append(self._other_decisions([each for each in due if each is not shown[0]]))
        else:
            parts += [_about(seat) for seat in ([wanted] if wanted else seats[:1])]
            parts.append(f"No decision is due{f' in {wanted.match.name}' if wanted else ''}. Call wait.")
        if not self._presence.is_connected:
            parts.append(f"There is no connection to the arena. {self._presence.trouble}")
        return Reply(_joined(parts), self._fields(news, due))

    async def act(self, given: Act) -> Reply:
        """Play an action for a decision that is due."""
        decision = self._seats.check_open(given.decision)
        choice = choice_meant(decision, given.action)
        told = f"{choice.told} [{choice.notation}]".strip()
        self._seats.answer(given.decision, Answer(choice.action, given.thoughts), told)
        fields = {"decision": given.decision, "match": decision.match.name, "played": choice.notation}
        return Reply(f"Answered: {told}. Call wait.", fields)

    async def explain(self, given: Explain) -> Reply:
        """Return why an action is illegal or what it leads to, or what the rules say."""
        if given.rule is not None:
            return self._rule(given.rule, given.game)
        if given.action is None:
            seats = self._seats.in_progress()
            game = self._game(given.game, seats)
            short = rules_of(game, "short")
            if not short:
                raise RefusedCallError(Reason.RULES_MISSING, _NO_RULES)
            return Reply(f"## {game}: the rules in short\n\n{short}\n\n{_MORE_RULES}", {"game": game})
        decision = self._decision_named(given.decision)
        try:
            choice = choice_meant(decision, given.action)
        except RefusedCallError as why:
            return Reply(str(why), {"decision": decision.id, "legal": False, "reason": str(why.reason)})
        told = f"{choice.told} [{choice.notation}]".strip()
        return Reply(
            f"Legal: {told}.\n\n{what_it_leads_to(decision, choice)}",
            {"decision": decision.id, "legal": True, "notation": choice.notation},
        )

    def _rule(self, words: str, game: str | None) -> Reply:
        name = self._game(game, self._seats.in_progress())
        if not rules_of(name, "short"):
            raise RefusedCallError(Reason.RULES_MISSING, _NO_RULES)
        found = what_the_rules_say(name, words)
        text = "\n\n".join(found) or (
            f"The rules of {name} say nothing with all of these words. Try one word, such as the name of a thing of "
            "the game, or the number of a clause."
        )
        return Reply(text, {"game": name, "clauses": len(found)})

    def _game(self, name: str | None, seats: Sequence[Seat]) -> str:
        """Return the game that is named, or the one that is played. Raises RefusedCallError."""
        if name is not None:
            return _known_game(name)
        due = self._seats.due()
        if due:
            return due[0].match.game
        if seats:
            return seats[0].match.game
        if len(self._presence.games) == 1:
            return self._presence.games[0]
        raise RefusedCallError(
            Reason.GAME_UNKNOWN, f"No match is in progress: name the game, one of {', '.join(GAMES)}."
        )

    def _decision_named(self, decision_id: str | None) -> OpenDecision:
        """Return the decision, or the most urgent one. Raises RefusedCallError."""
        if decision_id is not None:
            return self._seats.check_open(decision_id)
        due = self._seats.due()
        if not due:
            raise RefusedCallError(
                Reason.NO_DECISION, "No decision is due, so no action can be explained. Call wait."
            )
        return due[0]

    async def _nothing_yet(self, seconds: float) -> Reply:
        seats = self._seats.in_progress()
        if not self._presence.is_connected:
            text = f"There is no connection to the arena; it is tried again. {self._presence.trouble}"
        elif seats:
            text = f"No decision is due: the others are thinking. {self._matches(seats)}"
        else:
            text = await self._why_no_match()
        return Reply(
            f"{text} Nothing happened for {seconds:g} s. Call wait again.",
            self._fields([], []) | {"reason": "TIMEOUT"},
        )

    async def _why_no_match(self) -> str:
        """Return why no match is in progress, as far as it is known."""
        begins = "No match is in progress."
        try:
            ladders = [] if self._ladders is None else await asyncio.to_thread(self._ladders)
        except RefusedCallError:
            ladders = []
        fitting = [each for each in ladders if each.game in self._presence.games]
        if not fitting or not all(each.why_no_match for each in fitting):
            return f"{begins} The arena has no opponent for the bot yet."
        why = "; ".join(f"{each.name} {each.why_no_match}" for each in fitting)
        return (
            f"{begins} None begins on the bot's ladders now: {why}. If nobody changes that, only a tournament or a "
            "challenge begins a match: say so to whom you play for."
        )

    def _matches(self, seats: Sequence[Seat]) -> str:
        if not seats:
            return "No match is in progress."
        return "Matches in progress:\n" + "\n".join(
            f"- {seat.match.name}: {seat.match.game}, you are on seat {seat.match.seat} of {seat.match.seats}. "
            f"{seat.last}".rstrip()
            for seat in seats
        )

    def _decision(self, decision: OpenDecision) -> str:
        return (
            f"# Decision {decision.id} of {decision.match.name} ({decision.match.game})\n\nYou have "
            f"{self._left_s(decision):.0f} s to answer; then the fallback plays for you.\n\n"
            f"{decision.question.text}\n\n"
            f'Answer with act(decision="{decision.id}", action=NUMBER).'
        )

    def _other_decisions(self, due: Sequence[OpenDecision]) -> str:
        return "\n".join(
            f"Decision {each.id} of {each.match.name} is due, too, within {self._left_s(each):.0f} s: call "
            f'state(match="{each.match.name}").'
            for each in due
        )

    def _left_s(self, decision: OpenDecision) -> float:
        return max(0.0, decision.until - self._seats.now())

    def _fields(self, news: Sequence[News], due: Sequence[OpenDecision]) -> dict[str, Any]:
        return {
            "news": [{"kind": str(each.kind), "match": each.match} for each in news],
            "decisions": [
                {
                    "decision": each.id,
                    "match": each.match.name,
                    "game": each.match.game,
                    "legal_actions": len(each.legal_actions),
                    "seconds_left": round(self._left_s(each), 1),
                }
                for each in due
            ],
            "matches": [seat.match.name for seat in self._seats.in_progress()],
            "connected": self._presence.is_connected,
        }

    def _seat_named(self, name: str, seats: Sequence[Seat]) -> Seat:
        """Return the seat of a match in progress. Raises RefusedCallError."""
        wanted = name if name.startswith("matches/") else f"matches/{name}"
        for seat in seats:
            if seat.match.name == wanted:
                return seat
        names = ", ".join(seat.match.name for seat in seats) or "none"
        raise RefusedCallError(
            Reason.MATCH_UNKNOWN, f"You play no match {name!r} now. Matches in progress: {names}."
        )


def _games(given: Join, ladders: Sequence[Ladder] | None) -> tuple[str, ...]:
    """Return the games to play. Raises RefusedCallError: the game or ladder is unknown, or they do not fit."""
    if given.game is not None:
        _known_game(given.game)
    if given.ladder is None:
        return GAMES if given.game is None else (given.game,)
    if ladders is None:
        raise RefusedCallError(
            Reason.LADDER_UNKNOWN,
            "This program has the token of a bot alone and cannot see its ladders. Call join with game instead.",
        )
    wanted = given.ladder.removeprefix("ladders/")
    found = next((each for each in ladders if each.name == wanted), None)
    if found is None or given.game not in (None, found.game):
        those = ", ".join(f"{each.name} ({each.game})" for each in ladders) or "none"
        raise RefusedCallError(
            Reason.LADDER_UNKNOWN,
            f"The bot is on no ladder {wanted!r}{f' of {given.game}' if given.game else ''}. Its ladders: {those}. Its "
            "owner enters it with `arena ladder join`.",
        )
    return (found.game,)


def _known_game(name: str) -> str:
    """Return the name. Raises RefusedCallError: there is no such game."""
    if name not in GAMES:
        raise RefusedCallError(Reason.GAME_UNKNOWN, f"There is no game {name!r}. Games: {', '.join(GAMES)}.")
    return name


def _outlook(bot: str, games: Sequence[str], ladders: Sequence[Ladder] | None) -> str:
    """Return where matches come from."""
    challenge = f"its owner can start one with `arena challenge {bot} OPPONENT --clock slow`"
    if ladders is None:
        return f"The arena begins matches on the bot's ladders, in its tournaments, and by challenges: {challenge}."
    fitting = [each for each in ladders if each.game in games]
    if fitting:
        names = ", ".join(f"{each.name} ({each.game})" for each in fitting)
        return f"Ladders of the bot: {names}. A match begins as soon as a ladder runs and has an opponent."
    return f"The bot is on no ladder of these games, so only a tournament or a challenge begins a match: {challenge}."


def _about(seat: Seat) -> str:
    """Return the game with its options, and its rules in short."""
    rules = rules_of(seat.match.game, "short")
    return f"{seat.texts.about()}{f'{chr(10) * 2}## The rules in short{chr(10) * 2}{rules}' if rules else ''}"


def _told(news: Sequence[News]) -> str:
    return "\n".join(each.text for each in news)


def _joined(parts: Sequence[str]) -> str:
    return "\n\n".join(part for part in parts if part)


def _wake(loop: asyncio.AbstractEventLoop, changed: asyncio.Event) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(changed.set)
