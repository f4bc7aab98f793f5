"""The trades of a match and their balance, as text and JSON: they show collusion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

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
    gifts = sum(each.gift is not None for each in found)
    yield Text(
        f"\nTrades: {counted(len(found), 'offer')}, {accepted} accepted, {counted(gifts, 'gift')}",
        style="bold",
    )
    yield from (_line(_offer(each, names), "yellow" if each.gift else "") for each in found)
    yield Text("Balance of trades", style="bold")
    pairs = between(found)
    yield from (_line(_balance(each, names)) for each in pairs)
    if len(pairs) > 1:
        traders = sorted({seat for each in pairs for seat in each.seats})
        yield from (_line(_sums(in_all(found, seat), names)) for seat in traders)


def _offer(trade: Trade, names: Sequence[str]) -> str:
    each = trade.exchange
    offered = (
        f"{names[each.proposer]} offers {names[each.target]} {amounts(each.gave)} for {amounts(each.got)}"
    )
    return f"turn {each.turn}, ply {trade.ply}: {offered}: {_answer(trade, names)}"


def _answer(trade: Trade, names: Sequence[str]) -> str:
    if trade.gift:
        giver, taker = trade.gift
        return f"accepted: a gift of {names[giver]} to {names[taker]}"
    answer = "accepted" if trade.exchange.accepted else "declined"
    return answer if trade.cause is Cause.CHOSEN else f"{answer} by the arena, for want of a valid answer"


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


def _line(text: str, style: str = "") -> RenderableType:
    return Padding(Text(text, style=style), (0, 0, 0, 2), expand=False)


def trade_document(log: MatchLog) -> dict[str, object]:
    """Return the same for JSON. `trades` is null if the log does not fit the installed rules."""
    found = trades(log, codec_for(log.setup.game).game)
    if found is None:
        return {"trades": None, "trade_balance": None}
    pairs = [_pair_document(each) for each in between(found)]
    seats = [_seat_document(in_all(found, seat)) for seat in range(len(log.setup.seats))]
    return {
        "trades": [_trade_document(each) for each in found],
        "trade_balance": {"pairs": pairs, "seats": seats},
    }


def _trade_document(trade: Trade) -> dict[str, object]:
    each = trade.exchange
    return {
        "turn": each.turn,
        "ply": trade.ply,
        "proposer": each.proposer,
        "target": each.target,
        "gave": dict(each.gave),
        "got": dict(each.got),
        "accepted": each.accepted,
        "cause": trade.cause.name,
        "gift_of": trade.gift and trade.gift[0],
    }


def _pair_document(each: PairTrades) -> dict[str, object]:
    return {
        "seats": list(each.seats),
        "offers": each.offers,
        "accepted": each.accepted,
        "gave": [dict(amounts) for amounts in each.gave],
        "gifts": list(each.gifts),
    }


def _seat_document(each: SeatTrades) -> dict[str, object]:
    return {
        "seat": each.seat,
        "gave": dict(each.gave),
        "got": dict(each.got),
        "gifts_given": each.gifts_given,
        "gifts_got": each.gifts_got,
    }
