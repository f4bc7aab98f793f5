"""The bots that a gate adds for the two versions it compares: added with it, and hosted only as long as it lasts."""

from dataclasses import replace

from arena.core.sequential.sprt import Verdict
from arena.core.versions import shown_version
from arena.store.audit.entries import AuditEntry, AuditKind
from arena.store.bots.bots import BotRow
from arena.store.bots.hosting import HostingMode
from arena.store.store import Transaction
from arena.store.tournaments.tournaments import TournamentRow


def add_gate_bots(tx: Transaction, row: TournamentRow) -> None:
    """Add the bots of a new gate, each with its one version, for the arena to run."""
    gate = row.gate
    assert gate is not None
    owner = tx.bots.get(gate.bot).owner
    for bot, label, role in zip(
        row.bots, (gate.candidate, gate.incumbent), ("candidate", "incumbent"), strict=False
    ):
        what = f"The {role} of {row.id}: the version {shown_version(label)} of {gate.bot}."
        tx.bots.add(
            BotRow(
                bot, owner, what, hidden=True, created_us=row.created_us, refuses_challenges=True, gate=row.id
            )
        )
        tx.bots.ensure_version(replace(tx.bots.version(gate.bot, label), bot=bot))
        tx.hosting.admitted(bot, label)


def end_gate(tx: Transaction, row: TournamentRow, verdict: Verdict, now_us: int) -> None:
    """Run the bots of a gate that has finished no more, and pin the candidate if that was asked for and it is better.

    It is not pinned if another version than the incumbent plays by now, since the owner has chosen otherwise meanwhile,
    nor if the deadline of a ladder that the bot is on has passed.
    """
    gate = row.gate
    assert gate is not None
    for bot in row.bots[:2]:
        tx.hosting.set_mode(bot, HostingMode.OFF)
    hosted = tx.hosting.get(gate.bot)
    plays = None if hosted is None else hosted.version
    if not gate.apply or verdict is not Verdict.BETTER or plays != gate.incumbent:
        return
    if tx.ladders.closed_for(gate.bot, now_us) is not None:
        return
    tx.hosting.set_mode(gate.bot, HostingMode.PINNED, gate.candidate)
    tx.tournaments.set_gate(row.id, replace(gate, applied=True))
    sentence = (
        f"The gate {row.id} has pinned the version {shown_version(gate.candidate)} of {gate.bot}, which is better than"
        f" {shown_version(gate.incumbent)}."
    )
    about = (f"bots/{gate.bot}", f"tournaments/{row.id}")
    tx.audit.add(AuditEntry(AuditKind.BOT, now_us, sentence, about))
