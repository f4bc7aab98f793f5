"""Pseudonyms: the same for the same key, and nothing that names or finds a match is left."""

from arena.dataset.pseudonyms import REMOVED, Pseudonyms
from arena.dataset.schema import TABLES, Kind

KEY = bytes(range(32))
KEPT = {
    *(
        "group_index",
        "attempt",
        "game",
        "rules_version",
        "seats",
        "options",
        "time_control",
        "state",
        "rated",
    ),
    *("ending", "plies", "log_state", "seat", "final_placing", "score", "termination", "fault", "decisions"),
    *("used_ms", "strikes", "level", "ply", "decision", "action", "notation", "list_place", "legal_actions"),
    *("cause", "started_ns", "used_ns", "credit_ns", "stall_ns", "wait_ns", "bank_ns", "over_seat_limit"),
    *("seq", "kind", "closed_season", "rating_milli_before", "rating_milli_after"),
    *("uncertainty_milli_before", "uncertainty_milli_after", "features"),
}
"""Columns that are the same in an anonymous data set; docs/data.md says what they can reveal."""


def test_every_column_is_kept_removed_or_a_pseudonym() -> None:
    """A new column fails here until somebody has decided what becomes of it."""
    pseudonyms = Pseudonyms(KEY)
    for table in TABLES:
        record: dict[str, object] = {
            column.name: 17 if column.kind is Kind.INT else "greedy" for column in table.columns
        }
        for name, value in pseudonyms.applied(record).items():
            if name in KEPT:
                assert value == record[name]
            elif name in REMOVED:
                assert value is None
            else:
                assert value not in {17, "greedy", None}, name


def test_a_key_gives_the_same_pseudonyms_and_another_one_others() -> None:
    one, same, other = Pseudonyms(KEY), Pseudonyms(KEY), Pseudonyms(bytes(32))
    assert one.text("bot", "greedy") == same.text("bot", "greedy") != other.text("bot", "greedy")
    assert one.number("match", 17) == same.number("match", 17) != other.number("match", 17)
    assert len({one.number("match", number) for number in range(1_000)}) == 1_000
    assert one.text("bot", "main").partition("-")[2] != one.text("ladder", "main").partition("-")[2]


def test_references_between_tables_stay() -> None:
    pseudonyms = Pseudonyms(KEY)
    match = pseudonyms.applied({"match": 17, "replay_of": 16, "replayed_as": None})
    assert pseudonyms.applied({"match": 16})["match"] == match["replay_of"]
    assert match["replayed_as"] is None


def test_the_same_version_label_of_two_bots_does_not_link_them() -> None:
    pseudonyms = Pseudonyms(KEY)
    one = pseudonyms.applied({"bot": "ant", "bot_version": "ab" * 32})
    other = pseudonyms.applied({"bot": "bee", "bot_version": "ab" * 32})
    assert one["bot_version"] != other["bot_version"]
