"""Submits a bot from a job of a CI service, and reports its trials and its gate: what action.yml beside it runs.

It calls the command `arena` of the Python that runs it. Settings come from the environment: those of the command
(ARENA_ADDRESS, ARENA_TOKEN, ARENA_TLS, ARENA_TLS_CA) and the inputs of the action as SUBMIT_... variables. The report
is appended to the file GITHUB_STEP_SUMMARY as Markdown, the outputs to the file GITHUB_OUTPUT; a file that is not named
is not written. So it also runs on other CI services, and by hand.

The exit codes are those of `arena bot submit`: 0 admitted, 1 rejected or refused, 2 a setting is wrong, 4 no arena
answers. With SUBMIT_REQUIRE_BETTER=true also those of `arena gate`: 5 not better, 6 undecided.
"""

import html
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

FAILED: Final = 1
USAGE: Final = 2
_SHOWN: Final = 12
"""Hex digits of a version in the report."""
_VERDICTS: Final = {"VERDICT_BETTER": "better", "VERDICT_NOT_BETTER": "not-better"}
"""Of a gate, as the output `verdict`; all others are undecided."""
_VERDICT_EXITS: Final = {"better": 0, "not-better": 5, "undecided": 6}


class SubmitError(Exception):
    """The job fails: one sentence, and the exit code."""

    def __init__(self, sentence: str, code: int = FAILED) -> None:
        """Keep both."""
        super().__init__(sentence)
        self.sentence = sentence
        self.code = code


@dataclass(frozen=True, slots=True)
class Settings:
    """The inputs of the action."""

    bot: str
    path: str
    against: tuple[str, ...]
    """The opponents of the gate, as `arena gate --against` takes them; none: there is no gate."""
    gate_options: tuple[str, ...]
    require_better: bool


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Return the settings. Raises SubmitError: one is missing or has a wrong value."""
    required = {
        "ARENA_ADDRESS": "Input server is missing: set it to the address of the arena, host:port.",
        "ARENA_TOKEN": "Input token is missing: set it to a secret that holds a token of the bot's owner. "
        "Jobs for pull requests from forks get no secrets.",
        "SUBMIT_BOT": "Input bot is missing: set it to the id of a bot that exists on the arena.",
        "SUBMIT_PATH": "Input path is missing: set it to the folder with bot.toml in it.",
    }
    for name, sentence in required.items():
        if not environment.get(name, "").strip():
            raise SubmitError(sentence, USAGE)
    against = tuple(environment.get("SUBMIT_AGAINST", "").split())
    options: list[str] = []
    for name in ("ladder", "game", "sprt", "matches"):
        if value := environment.get(f"SUBMIT_{name.upper()}", "").strip():
            options += [f"--{name}", value]
    if _is_true(environment, "SUBMIT_APPLY"):
        options.append("--apply")
    require_better = _is_true(environment, "SUBMIT_REQUIRE_BETTER")
    if not against and (options or require_better):
        raise SubmitError(
            "Input against is missing, and other inputs ask for a gate: name its opponents, for example field:10.",
            USAGE,
        )
    return Settings(
        environment["SUBMIT_BOT"].strip(),
        environment["SUBMIT_PATH"].strip(),
        against,
        tuple(options),
        require_better,
    )


def _is_true(environment: Mapping[str, str], name: str) -> bool:
    value = environment.get(name, "").strip().lower()
    if value not in {"", "true", "false"}:
        given = name.removeprefix("SUBMIT_").lower().replace("_", "-")
        raise SubmitError(f"Input {given} is {value!r}: expected true or false.", USAGE)
    return value == "true"


def arena(*words: str) -> tuple[int, dict[str, Any]]:
    """Run `arena WORDS... --format json`; return its exit code and what it has printed.

    Its progress appears in the log of the job at once. Raises SubmitError: it has printed no answer, but an error.
    """
    command = [sys.executable, "-P", "-m", "arena.cli.app", *words, "--format", "json"]
    said: list[str] = []
    with tempfile.TemporaryFile("w+", encoding="utf-8") as output:
        with subprocess.Popen(command, stdout=output, stderr=subprocess.PIPE, text=True) as process:
            assert process.stderr is not None
            for line in process.stderr:
                said.append(line.strip())
                print(f"  {line.strip()}", flush=True)  # indented, so that no line is a workflow command
        output.seek(0)
        answer = output.read()
    if not answer.strip():
        sentence = " ".join(said) or f"`arena {' '.join(words)}` ended with {process.returncode}."
        raise SubmitError(sentence, process.returncode)
    found: dict[str, Any] = json.loads(answer)
    return process.returncode, found


class Report:
    """The summary and the outputs of the job."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        """Write to the files that the CI service names."""
        self._summary = environment.get("GITHUB_STEP_SUMMARY", "")
        self._outputs = environment.get("GITHUB_OUTPUT", "")

    def add(self, text: str) -> None:
        """Append Markdown to the summary."""
        if self._summary:
            with Path(self._summary).open("a", encoding="utf-8") as file:
                file.write(f"{text}\n\n")

    def set(self, **outputs: str) -> None:
        """Set outputs, whose values have one line each."""
        if self._outputs:
            with Path(self._outputs).open("a", encoding="utf-8") as file:
                file.writelines(f"{name}={' '.join(value.split())}\n" for name, value in outputs.items())


def cell(text: str) -> str:
    """Return the text for a cell of a Markdown table: one line in which nothing is markup."""
    escaped = html.escape(" ".join(text.split()), quote=False)
    return "".join(f"&#{ord(each)};" if each in "|`*_[]\\~@#!" else each for each in escaped)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [head, ["---"] * len(head), *([cell(each) for each in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def last(name: str) -> str:
    """Return the last part of a resource name."""
    return name.rpartition("/")[2]


def pin_incumbent(bot: str) -> str:
    """Pin the version that plays now, so that the submitted one waits for the gate; return it, or nothing."""
    _, shown = arena("bot", "host", bot)
    hosting = shown.get("hosting", {})
    version = last(hosting.get("version", ""))
    if version and hosting.get("mode") == "MODE_NEWEST":
        arena("bot", "host", bot, "--pin", version)
        print(f"Pinned version {version[:_SHOWN]}, which plays now, until the gate has decided.")
    return version


def submit(settings: Settings, report: Report) -> str:
    """Submit the bot and report its trials; return its version. Raises SubmitError: it was not admitted."""
    _, submission = arena("bot", "submit", settings.bot, settings.path)
    number, version = last(submission.get("name", "")), last(submission.get("version", ""))
    admitted = submission.get("state") == "STATE_ADMITTED"
    plays = bool(submission.get("plays"))
    report.set(submission=number, version=version, admitted=str(admitted).lower(), plays=str(plays).lower())
    outcome = f"admitted as version {version[:_SHOWN]}" if admitted else "rejected"
    known = (
        " The bot had this version already, so nothing was tested again." if submission.get("known") else ""
    )
    now = "It plays from now on." if plays else "It does not play: another version is pinned, or none is run."
    report.add(f"## {cell(settings.bot)}: {outcome}\n\nSubmission {number}.{known} {now if admitted else ''}")
    trials = [
        (trial.get("scenario", ""), _word(trial.get("verdict", "")), trial.get("sentence", ""))
        for trial in submission.get("trials", ())
    ]
    if trials:
        report.add(table(("scenario", "verdict", "finding"), trials))
    for scenario, verdict, sentence in trials:
        if verdict != "passed":
            print(f"  {scenario}: {verdict}. {' '.join(sentence.split())}")
    print(f"Submission {number} of {settings.bot} was {outcome}.")
    if not admitted:
        rejection = submission.get("rejection", {})
        if output := rejection.get("output", ""):
            report.add(f"Output of the program:\n\n<pre>{html.escape(output)}</pre>")
        reason = last(rejection.get("reason", "")).removeprefix("ERROR_REASON_")
        raise SubmitError(f"{settings.bot} was rejected with {reason}: {rejection.get('sentence', '')}")
    return version


def _word(verdict: str) -> str:
    return verdict.removeprefix("VERDICT_").lower().replace("_", " ")


def run_gate(settings: Settings, report: Report, incumbent: str, candidate: str) -> None:
    """Compare the submitted version with the one that plays. Raises SubmitError: it has to be better and is not."""
    if incumbent in {"", candidate}:
        why = "no version played before" if not incumbent else "the submitted version already plays"
        report.set(gate="", verdict="none")
        report.add(f"## Gate\n\nNone: {why}.")
        print(f"No gate: {why}.")
        return
    opponents = [word for each in settings.against for word in ("--against", each)]
    words = ("--candidate", candidate, *opponents, *settings.gate_options, "--wait")
    _, tournament = arena("gate", settings.bot, *words)
    gate, name = tournament.get("gate", {}), last(tournament.get("name", ""))
    verdict = _VERDICTS.get(gate.get("verdict", ""), "undecided")
    report.set(gate=name, verdict=verdict)
    plays = "The candidate plays from now on." if gate.get("applied") else "Nothing was pinned by it."
    report.add(f"## Gate {cell(name)}: {verdict}\n\n{plays}")
    report.add(table(("", ""), _gate_rows(gate)))
    print(
        f"Gate {name}: the candidate {candidate[:_SHOWN]} against {incumbent[:_SHOWN]} is {verdict}. {plays}"
    )
    if settings.require_better and verdict != "better":
        raise SubmitError(
            f"The gate {name} is {verdict}, and input require-better is true.", _VERDICT_EXITS[verdict]
        )


def _gate_rows(gate: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return how the gate ended, in the words and units of `arena gate`; what is unknown is left out."""
    rows = [("candidate", last(gate.get("candidate", ""))), ("incumbent", last(gate.get("incumbent", "")))]
    rows.append(("set-ups that count", str(gate.get("set_ups", 0))))
    rows.extend(
        (f"score of the {word}", f"{score / 10:.1f} %")
        for word in ("candidate", "incumbent")
        if (score := gate.get(f"{word}_score_milli")) is not None
    )
    if (elo := gate.get("elo_milli")) is not None:
        ends = [gate.get(f"elo_{end}_milli") for end in ("low", "high")]
        interval = " to ".join("unknown" if each is None else f"{each / 1000:+.1f}" for each in ends)
        rows.append(("Elo difference", f"{elo / 1000:+.1f} ({interval})"))
    if ratios := gate.get("llr_milli"):
        bounds = f"{gate.get('lower_milli', 0) / 1000:.2f} to {gate.get('upper_milli', 0) / 1000:.2f}"
        rows.append(("LLR", f"{ratios[-1] / 1000:.2f} ({bounds})"))
    return rows


def main() -> int:
    """Submit the bot, play its gate, and return the exit code."""
    report = Report(os.environ)
    try:
        settings = read_settings(os.environ)
        incumbent = pin_incumbent(settings.bot) if settings.against else ""
        version = submit(settings, report)
        if settings.against:
            run_gate(settings, report, incumbent, version)
    except SubmitError as error:
        escaped = error.sentence.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
        print(f"::error title=Caravan Arena::{escaped}")
        report.add(f"**Failed:** {cell(error.sentence)}")
        return error.code
    return 0


if __name__ == "__main__":
    sys.exit(main())
