"""The matches of a simulation as a data set."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from arena.cli.framework.errors import CliError
from arena.cli.simulate.simulation import Chunk, Plan, match_seed
from arena.dataset.card import CardFacts
from arena.dataset.columns import Repeated, Rows
from arena.dataset.folder import DatasetFolder
from arena.dataset.schema import DECISIONS, MATCHES, SEATS, DataFormat
from engine.randomness import commitment
from engine.registry import GAMES


def write_data_set(
    chunks: Iterator[Chunk], plan: Plan, target: Path, data_format: DataFormat
) -> Iterator[Chunk]:
    """Write the chunks to the folder while they pass; it is there when the last one has passed.

    Raises CliError: it exists already; OSError, ModuleNotFoundError (pyarrow).
    """
    if target.exists():
        raise CliError(f"{target} exists already: name a new folder.")
    facts = CardFacts()
    with DatasetFolder(target.absolute().parent, (MATCHES, SEATS, DECISIONS), data_format) as folder:
        for chunk in chunks:
            assert chunk.decisions is not None
            folder.write(DECISIONS, chunk.decisions)
            folder.write(MATCHES, _matches(chunk, plan))
            folder.write(SEATS, _seats(chunk, plan))
            facts.games[plan.game, GAMES[plan.game].spec.rules_version, plan.seats] += len(chunk.played)
            facts.states["FINISHED"] += len(chunk.played)
            yield chunk
        card = {
            "kind": "simulation",
            "policy": plan.policy.value,
            "seed": plan.seed.hex(),
            **facts.document(),
        }
        folder.finish(target.name, card)


def _matches(chunk: Chunk, plan: Plan) -> Rows:
    game = GAMES[plan.game]
    options = game.option_values(game.options(plan.seats, dict(plan.options)))
    numbers = range(chunk.first, chunk.first + len(chunk.played))
    seeds = [match_seed(plan.seed, number) for number in numbers]
    return Rows(
        len(chunk.played),
        {
            "match": [*numbers],
            "game": Repeated(plan.game),
            "rules_version": Repeated(game.spec.rules_version),
            "seats": Repeated(plan.seats),
            "options": Repeated(json.dumps(options, ensure_ascii=False, separators=(",", ":"))),
            "state": Repeated("FINISHED"),
            "rated": Repeated(False),
            "ending": [one.ending for one in chunk.played],
            "plies": [one.plies for one in chunk.played],
            "seed": [seed.hex() for seed in seeds],
            "seed_commitment": [commitment(seed).hex() for seed in seeds],
            "log_state": Repeated("NONE"),
        },
    )


def _seats(chunk: Chunk, plan: Plan) -> Rows:
    lines: list[tuple[Any, ...]] = [
        (chunk.first + number, seat, one.placings[seat], one.scores[seat])
        for number, one in enumerate(chunk.played)
        for seat in range(plan.seats)
    ]
    varying = dict(zip(("match", "seat", "final_placing", "score"), zip(*lines, strict=True), strict=True))
    fixed = {
        "bot": Repeated(plan.policy.value),
        "termination": Repeated("NORMAL"),
        "fault": Repeated("NONE"),
        "strikes": Repeated(0),
    }
    return Rows(len(lines), {**varying, **fixed})
