"""The trades of a match and their balance, as text and JSON: they show collusion."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from rich.console import RenderableType
from rich.text import Text

from arena.cli.framework.output import indented
from arena.codecs.codec import codec_for
from arena.core.match import Cause
from arena.drawings.wording import amounts, counted
from arena.match_log.reader import MatchLog
from arena.match_report.trades import PairTrades, SeatTrades, Trade, between, in_all, trades
from arena.match_report.turns import names_in


def trade_lines(log: MatchLog) -> Iterator[RenderableType]:
    """Yield each offer with its answer, then the balance per pair and per seat; nothing without an offer."""
    found = trades(log, codec_for(log.setup.game).game)
    if found is None:
        yield Text("\nTrades are unknown: the log does not fit the installed rules.")
        return
    if not found:
        return
    names = names_in(log)
    accepted = sum(each.exchange.accepted for each in found)
    gifts = counted(sum(each.gift is not None for each in found), "gift")
    yield Text(f"\nTrades: {counted(len(found), 'offer')}, {accepted} accepted, {gifts}", style="bold")
    yield from (indented(_offer(each, names), "yellow" if each.gift else "") for each in found)
    yield Text("Balance of trades", style="bold")
    pairs = between(found)
    yield from (indented(_balance(each, names)) for each in pairs)
    if len(pairs) > 1:
        traders = sorted({seat for each in pairs for seat in each.seats})
        yield from (indented(_sums(in_all(found, seat), names)) for seat in traders)


def _offer(trade: Trade, names: Sequence[str]) -> str:
    each = trade.exchange
    offered = (
        f"{names[each.proposer]} offers {names[each.target]} {amounts(each.gave)} for {amounts(each.got)}"
    )
    answer = "accepted" if each.accepted else "declined"
    if trade.gift:
        answer = f"accepted: a gift of {names[trade.gift[0]]} to {names[trade.gift[1]]}"
    elif trade.cause is not Cause.CHOSEN:
        answer += " by the arena, for want of a valid answer"
    return f"turn {each.turn}, ply {trade.ply}: {offered}: {answer}"


def _balance(each: PairTrades, names: Sequence[str]) -> str:
    (a, b), (gave_a, gave_b) = each.seats, each.gave
    gifts = [
        f"{counted(number, 'gift')} of {names[seat]}"
        for seat, number in zip(each.seats, each.gifts, strict=True)
        if number
    ]
    accepted = f"{names[a]} and {names[b]}: {each.accepted} of {counted(each.offers, 'offer')} accepted"
    if not each.accepted:
        return accepted
    flows = f"{names[a]} gave {amounts(gave_a)}, {names[b]} gave {amounts(gave_b)}"
    return "; ".join([accepted, flows, *gifts])


def _sums(each: SeatTrades, names: Sequence[str]) -> str:
    gifts = f"gifts: {each.gifts_given} given, {each.gifts_got} got"
    return f"{names[each.seat]} in total: gave {amounts(each.gave)}, got {amounts(each.got)}; {gifts}"


def trade_document(log: MatchLog) -> dict[str, object]:
    """Return the same for JSON. `trades` is null if the log does not fit the installed rules."""
    found = trades(log, codec_for(log.setup.game).game)
    if found is None:
        return {"trades": None, "trade_balance": None}
    return {
        "trades": [
            {
                "turn": trade.exchange.turn,
                "ply": trade.ply,
                "proposer": trade.exchange.proposer,
                "target": trade.exchange.target,
                "gave": dict(trade.exchange.gave),
                "got": dict(trade.exchange.got),
                "accepted": trade.exchange.accepted,
                "cause": trade.cause.name,
                "gift_of": trade.gift and trade.gift[0],
            }
            for trade in found
        ],
        "trade_balance": {
            "pairs": [_plain(pair) for pair in between(found)],
            "seats": [_plain(in_all(found, seat)) for seat in range(len(log.setup.seats))],
        },
    }


def _plain(balance: PairTrades | SeatTrades) -> dict[str, object]:
    """Return the fields by name, with lists for tuples."""
    return {
        name: list(value) if isinstance(value, tuple) else value for name, value in asdict(balance).items()
    }
