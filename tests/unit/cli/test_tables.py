"""Tables on narrow terminals: what is cut, left out or broken, and what never is."""

import pytest

from tests.unit.cli.test_tournaments import PAIRINGS

NAMES = ("a-bot-with-a-name-of-32-letters1", "elm", "dune")
STANDINGS = "".join(
    f"""
    standings {{
      rank: {rank} bot: "bots/{name}" points_milli: 5000 score_milli: 12000 pairs: 15 matches: 16 firsts: 10
      forfeits: 2 rating_milli: 1612345 uncertainty_milli: 515000
      progress {{ status: STATUS_OUT stage: 2 pool: 3 bracket: BRACKET_WINNERS level: 2 }}
    }}
    """
    for rank, name in enumerate(NAMES, start=1)
)
NUMBERS = ("5", "12/15", "80.0", "16")
OPTIONAL = ("firsts", "forfeits", "rating", "+-")


def words_by_bot(text: str) -> dict[str, list[str]]:
    """Return the words of the line of each bot."""
    lines = [line.split() for line in text.splitlines()]
    return {name: line for name in NAMES for line in lines if name in line}


@pytest.mark.parametrize("columns", [20, 60, 80, 100])
def test_standings_keep_each_bot_and_number_whole_on_any_terminal(fake, ask, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    fake.answers["GetCrosstable"] = STANDINGS
    rows = words_by_bot(ask("tournament", "standings", "cup").stdout)
    assert [*rows] == [*NAMES]
    assert all(set(NUMBERS) <= set(row) for row in rows.values())


def test_columns_of_lower_use_are_left_out_one_by_one_until_the_table_fits(fake, ask, monkeypatch):
    fake.answers["GetCrosstable"] = STANDINGS
    shown = []
    for columns in range(60, 200, 3):  # no column is as narrow as that
        monkeypatch.setenv("COLUMNS", str(columns))
        text = ask("tournament", "standings", "cup").stdout
        shown.append(sum(name in text.split() for name in OPTIONAL))
        if shown[-1]:
            assert max(map(len, text.splitlines())) <= columns
    assert shown == sorted(shown)
    assert set(shown) == set(range(len(OPTIONAL) + 1))


def test_the_bots_of_pairings_and_exported_tables_are_whole(fake, ask, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    fake.answers |= {
        "ListPairings": PAIRINGS.replace("cid", NAMES[0]),
        "GetCrosstable": STANDINGS,
        "ListRounds": "",
    }
    assert f"{NAMES[0]}, bob" in ask("tournament", "pairings", "cup").stdout
    assert f"{NAMES[0]}, bob" in ask("tournament", "export", "cup", "--what", "schedule").stdout
    rows = words_by_bot(ask("tournament", "export", "cup", "--what", "standings").stdout)
    assert [*rows] == [*NAMES]
    assert all({"12", "15", "16"} <= set(row) for row in rows.values())


def test_the_hash_of_a_version_is_never_broken(fake, ask, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    name = f'name: "bots/mine/versions/{"cd" * 32}" origin: ORIGIN_SUBMITTED language: "python"'
    program = 'program { games: ["caravan", "caravanserai", "wasteland"] files: 1234 bytes: 123456789 }'
    fake.answers |= {
        "GetBot": 'bot { name: "bots/mine" }',
        "ListVersions": f"versions {{ {name} {program} create_time {{ seconds: 1795254000 }} }}",
    }
    text = ask("bot", "versions", "mine").stdout
    assert "cd" * 6 in text.split()
    assert max(map(len, text.splitlines())) <= 80
