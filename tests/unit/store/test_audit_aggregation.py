"""What happens again and again takes one entry a minute, and fewer the longer it goes on."""

from hypothesis import given
from hypothesis import strategies as st

from arena.store.audit.aggregation import LONGEST_SILENCE_NS, MOST_NAMED, SILENT_NS, AuditAggregator, Incident
from arena.store.audit.entries import AuditEntry, AuditKind

S = 1_000_000_000


def stall(at_s: int, ms: int = 700, *, who: str = "") -> Incident:
    """Return an incident of a stall."""
    facts = (("who", who),) if who else ()
    about = (f"bots/{who}",) if who else ()
    return Incident(AuditKind.STALL, f"a stall of {ms} ms", at_s * 1_000_000, about, facts, ms * 1_000_000)


def after_the_first() -> AuditAggregator:
    """Return an aggregator of which one entry was stored, at 5 s."""
    summaries = AuditAggregator()
    summaries.note(stall(1))
    assert len(summaries.due(5 * S)) == 1
    return summaries


def test_the_first_incident_is_an_entry_at_once() -> None:
    summaries = AuditAggregator()
    summaries.note(stall(1_700_000_000, who="ann"))
    [entry] = summaries.due(5 * S)
    assert entry == AuditEntry(
        AuditKind.STALL,
        1_700_000_000_000_000,
        "A stall of 700 ms.",
        ("bots/ann",),
        (("longest_ms", "700"), ("total_ms", "700"), ("who", "ann")),
    )
    assert summaries.due(6 * S) == []
    assert summaries.next_due() is None


def test_incidents_of_the_next_minute_are_one_entry_with_count_and_lengths() -> None:
    summaries = after_the_first()
    summaries.note(stall(1_700_000_010, 900))
    summaries.note(stall(1_700_000_020, 600))
    assert summaries.due(5 * S + SILENT_NS - 1) == []
    assert summaries.next_due() == 5 * S + SILENT_NS
    [entry] = summaries.due(5 * S + SILENT_NS)
    assert entry.sentence.endswith("a stall of 600 ms.")
    assert entry.evidence[:4] == (
        ("times", "2"),
        ("since", "2023-11-14T22:13:30Z"),
        ("longest_ms", "900"),
        ("total_ms", "1500"),
    )


def test_kinds_do_not_wait_for_each_other() -> None:
    summaries = after_the_first()
    summaries.note(Incident(AuditKind.BAN, "somebody asked for too much", 2_000_000))
    assert [entry.kind for entry in summaries.due(6 * S)] == [AuditKind.BAN]


def test_after_a_long_silence_the_series_begins_anew() -> None:
    summaries = after_the_first()
    summaries.note(stall(2))
    assert summaries.due(5 * S + 3 * SILENT_NS)
    summaries.note(stall(3))
    assert summaries.next_due() == 5 * S + 4 * SILENT_NS


def test_an_entry_names_so_many_things_and_no_more() -> None:
    summaries = AuditAggregator()
    for number in range(100):
        summaries.note(stall(1, who=f"b{number}"))
    [entry] = summaries.due(5 * S)
    assert len(entry.about) == MOST_NAMED
    assert dict(entry.evidence)["who"].count(",") == MOST_NAMED - 1


def test_at_the_end_all_that_is_left_becomes_entries() -> None:
    summaries = after_the_first()
    summaries.note(stall(2))
    assert len(summaries.all()) == 1
    assert summaries.all() == []


@given(st.lists(st.integers(0, 40 * S), min_size=1, max_size=400))
def test_few_entries_count_every_incident(gaps: list[int]) -> None:
    summaries, now, entries = AuditAggregator(), 5 * S, list[AuditEntry]()
    for gap in gaps:
        now += gap
        summaries.note(stall(1))
        entries += summaries.due(now)
    hours = (now - 5 * S) // LONGEST_SILENCE_NS
    assert len(entries) <= 8 + hours
    entries += summaries.all()
    assert sum(int(dict(entry.evidence).get("times", "1")) for entry in entries) == len(gaps)
