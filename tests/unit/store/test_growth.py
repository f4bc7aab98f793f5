"""What the store answers takes the same work after forty matches and after a thousand."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from arena.store.store import Store, Transaction
from benchmarks.growth.history import LADDER, Size, bot_names, build
from tests.unit.store.test_every_query_plan import CHANGES, questions, ways_to_ask

BOTS = 6

GROWS = {
    "bot_records.endings": "counts all matches of a bot",
    "bot_records.opponents": "counts all matches of a bot",
    "bot_records.totals": "counts all matches of a bot",
    "ledger.all": "is the ledger",
    "ledger.history": "is the part of the ledger that is about one bot",
    "ledger.rated_matches": "is the history that ratings are fitted to",
    "ledger.taken_back": "goes through the keys of the ledger, once for a recomputation",
    "logs.all": "is all logs",
    "solo_boards.counted": "counts all boards of a ladder again",
    "tallies.finished_since": "counts an hour, which here is all time",
}
"""What reads more where more was played, and why."""


NONE_THERE = {
    *(
        "audit.get",
        "seasons.get",
        "tokens.get",
        "invites.get",
        "teams.get",
        "webhooks.get",
        "void_counts.all",
    ),
    *("tournaments.get", "bots.version", "bots.submitted_version", "submissions.get"),
}
"""Nothing was submitted, or has gone wrong, and there is no tournament, team or closed season."""


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, Store]]:
    """Yield a ladder of which little, and one of which much was played; of the same bots."""
    folder: Path = tmp_path_factory.mktemp("growth")
    opened = []
    for matches in (40, 1_000):
        file = folder / f"{matches}.db"
        build(file, Size(BOTS, matches))
        opened.append(Store(f"sqlite:///{file}"))
    yield opened[0], opened[1]
    for store in opened:
        store.close()


def steps(tx: Transaction, work: Callable[[], object]) -> int:
    """How many steps the virtual machine of SQLite takes for it: a row read is a handful."""
    driver: Any = tx._connection.connection.driver_connection
    count = 0

    def step() -> int:
        nonlocal count
        count += 1
        return 0

    driver.set_progress_handler(step, 1)
    answer = work()
    if isinstance(answer, Iterator):
        list(answer)
    driver.set_progress_handler(None, 0)
    return count


def work(store: Store, name: str) -> list[int]:
    """Return steps for each way to ask a question."""
    method = dict(questions())[name]
    kind, _, called = name.partition(".")
    names = bot_names(BOTS)
    real = {"bot": names[0], "bots": names[:2], "ladder": LADDER}

    def ask(tx: Transaction) -> list[int]:
        ways = [way | {key: real[key] for key in way if key in real} for way in ways_to_ask(name, method)]
        return [steps(tx, partial(getattr(getattr(tx, kind), called), **way)) for way in ways]

    return store.read(ask)


def asked() -> list[str]:
    """All questions but those after one thing of which there is none; its other questions are asked all the same."""
    return [name for name, _ in questions() if name not in CHANGES | NONE_THERE]


@pytest.mark.parametrize("name", asked())
def test_a_question_takes_no_more_work_where_more_was_played(stores: tuple[Store, Store], name: str) -> None:
    few, many = (work(store, name) for store in stores)
    grown = any(after > 1.5 * before + 100 for before, after in zip(few, many, strict=True))
    assert grown == (name in GROWS), (few, many)
