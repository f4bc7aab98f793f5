"""P8: decisions of a whole match, end to end, over kaggle-environments: by HTTP and in process."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.measuring.figures import per_second, significant
from benchmarks.measuring.goals import Goal, at_least
from benchmarks.measuring.lines import Line, Measured
from benchmarks.measuring.pairs import interleaved
from benchmarks.measuring.spread import ratios, spread
from benchmarks.processes.free_port import free_port, wait_until_listening
from benchmarks.processes.worker import Worker, WorkerFailedError
from benchmarks.rows.row import Bench
from benchmarks.rows.table_of_play import Shape, Side, playing

_EPISODES: Final = "benchmarks.peers.kaggle_episodes"
_SERVER: Final = "benchmarks.peers.kaggle_http"
_AGENTS: Final = {"rps": "rock", "connectx": "random"}
"""By environment, its own agent that thinks least."""


@dataclass(frozen=True, slots=True)
class Contest:
    """A way in which kaggle-environments plays."""

    environment: str
    by_http: bool
    goal: Goal

    @property
    def what(self) -> str:
        """As the table has it."""
        return f"over kaggle {self.environment}, {'HTTP' if self.by_http else 'in process'}"


_CONTESTS: Final = (
    Contest("rps", by_http=True, goal=at_least(20, 40)),
    Contest("connectx", by_http=True, goal=at_least(45, 90)),
    Contest("rps", by_http=False, goal=at_least(5, 10)),
    Contest("connectx", by_http=False, goal=at_least(5, 10)),
)


def end_to_end(bench: Bench) -> Measured:
    """Return one match at a time on the arena, pauses between matches included, against one episode at a time."""
    python = bench.environments.kaggle()
    shape = Shape("kaggle", bots=2, matches_each=1)
    with bench.arena("arena") as arena, playing(arena, shape) as ours:
        broken: dict[str, int] = {}
        lines = tuple(_line_or_trouble(bench, ours, contest, python, broken) for contest in _CONTESTS)
        listed = ours.measure(bench.effort.seconds).legal_actions
    remark = f"P8: legal actions in the mean: ours {significant(listed)}, rps 3, connectx 7 at most."
    return Measured(lines, (remark, left_out(broken)))


def left_out(broken: Mapping[str, int]) -> str:
    """Return how many episodes kaggle-environments has broken off, which do not count; `broken`: by contest."""
    each = ", ".join(f"{count} {what}" for what, count in broken.items())
    return f"P8: episodes that kaggle-environments broke off, left out with their decisions and time: {each or '-'}."


def _line_or_trouble(
    bench: Bench, ours: Side, contest: Contest, python: Path, broken: dict[str, int]
) -> Line:
    """Return the line of a contest; if it fails, the others are measured all the same."""
    try:
        return _line(bench, ours, contest, python, broken)
    except WorkerFailedError as error:
        return Line("P8", contest.what, trouble=str(error))


def _line(bench: Bench, ours: Side, contest: Contest, python: Path, broken: dict[str, int]) -> Line:
    """Return the line of a contest; add to `broken` how many of its episodes have broken off."""
    seconds = bench.effort.seconds
    with ExitStack() as stack:
        agents = stack.enter_context(_agents(contest, python))
        theirs = stack.enter_context(Worker(_EPISODES, contest.environment, *agents, python=python))

        def episodes() -> float:
            answer = theirs.ask("play", seconds=seconds)
            broken[contest.what] = broken.get(contest.what, 0) + answer["broken"]
            return float(answer["decisions"] / answer["seconds"])

        samples = interleaved(partial(ours.measure, seconds), episodes, bench.effort.pairs)
    pairs = [(sample.per_second, rate) for sample, rate in samples]
    return Line(
        "P8",
        contest.what,
        per_second(spread(rate for rate, _ in pairs).middle),
        per_second(spread(rate for _, rate in pairs).middle),
        ratios(pairs),
        contest.goal,
    )


@contextmanager
def _agents(contest: Contest, python: Path) -> Iterator[list[str]]:
    """Yield the names of both agents: by name in process, otherwise by the address of a server for each."""
    agent = _AGENTS[contest.environment]
    if not contest.by_http:
        yield [agent, agent]
        return
    with ExitStack() as stack:
        ports = [free_port(), free_port()]
        for port in ports:
            stack.enter_context(Worker(_SERVER, str(port), python=python))
        for port in ports:
            wait_until_listening(port)
        yield [f"http://127.0.0.1:{port}/?agents[]={agent}" for port in ports]
