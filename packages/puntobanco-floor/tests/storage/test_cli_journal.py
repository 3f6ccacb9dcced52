"""The commands that read a database: one path through each, and what they refuse."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from examples.live_table import play
from puntobanco_floor.store.sqlite_file import beside
from tests.test_cli import Runner, run

__all__ = ["run"]


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("cli") / "floor.db"
    play(path)
    return str(path)


def test_an_audit_says_what_it_looked_at_and_that_all_agrees(run: Runner, database: str) -> None:
    out = run("audit", "--database", database)
    assert out.status == 0
    assert "sound: the journal, the ledger and the rules agree" in out.out
    told = run("audit", "--database", f"sqlite:///{database}", "--json").json
    assert (told["sound"], told["rounds"], told["voids"], told["unproven"]) == (True, 2, 1, [])


def test_an_audit_with_a_fault_ends_with_status_1(
    run: Runner, database: str, tmp_path: Path
) -> None:
    heads = tmp_path / "heads"
    heads.write_bytes(
        beside(Path(database), "heads").read_bytes().replace(b'"seq":12', b'"seq":13', 1)
    )
    out = run("audit", "--database", database, "--heads", str(heads))
    assert out.status == 1
    assert "FAULT: " in out.out


def test_a_replay_shows_cards_wagers_lines_and_clauses(run: Runner, database: str) -> None:
    out = run("replay", "--database", database, "--round", "table:1:2").out
    for text in (
        '"Place your bets, please": round 2',
        "ann wagers $100 on Banker",
        "p3 5s: Player has 0 and draws [3.9.2]",
        "totals: player 0, banker 6 [3.9]",
        "wins        50.00    100.00   0.00  4.1",
    ):
        assert text in out
    void = run("replay", "--database", database, "--round", "1:3").out
    assert "VOID [5.1] a card that does not belong to the set: all wagers returned" in void
    told = run("replay", "--database", database, "--round", "1:1", "--json").json
    assert told["game"] == "fortune-six"
    assert told["entries"][0]["events"][0]["event"] == "BetsOpened"


def test_an_export_is_the_journal_the_wagers_or_the_transfers(run: Runner, database: str) -> None:
    rows = run("export", "--database", database, "--format", "csv").out.splitlines()
    assert len(rows) == 4
    assert rows[0].startswith("stream,round,entry,time,game,result,cards,session,bet,stake_cents")
    assert rows[2].endswith(",fortune-six,B,Ts 2h Kd 4c 5s,ann,banker,10000,wins,5000,10000,0,4.1,")
    entries = [
        json.loads(line)
        for line in run("export", "--database", database, "--format", "jsonl").out.splitlines()
    ]
    assert [entry[0]["seq"] for entry in entries] == list(range(1, len(entries) + 1))
    moved = run(
        "export", "--database", database, "--format", "csv", "--what", "transfers"
    ).out.splitlines()
    assert "table:1,5,0,cage,session:ann,50000" in moved


def test_a_period_is_archived_and_read_alone(run: Runner, database: str, tmp_path: Path) -> None:
    file = str(tmp_path / "period.jsonl")
    assert (
        run(
            "archive", "--database", database, "--table", "table:1", "--period", "1", "--to", file
        ).status
        == 0
    )
    assert run("audit", "--archive", file, "--keys", f"{database}.keys").status == 0
    assert (
        run("replay", "--archive", file, "--round", "1:2").out
        == run("replay", "--database", database, "--round", "1:2").out
    )


def test_a_backup_is_restored(run: Runner, database: str, tmp_path: Path) -> None:
    assert run("backup", "--database", database, "--to", str(tmp_path / "copy")).status == 0
    out = run("restore", "--from", str(tmp_path / "copy"), "--database", str(tmp_path / "new.db"))
    assert "all 1 streams came to the state they had" in out.out
    assert f"puntobanco epoch begin --database {tmp_path / 'new.db'} --reason" in out.out
    assert run("audit", "--database", str(tmp_path / "new.db")).status == 0


REFUSED = [
    (["audit", "--table", "table:3"], "there is no database at floor.db"),
    (["audit", "--database", "{}", "--archive", "x"], "name a --database or an --archive, not both"),
    (["audit", "--database", "nowhere.db"], "there is no database at nowhere.db"),
    (["audit", "--database", "mysql://x"], "mysql is no database that this program knows"),
    (["replay", "--database", "{}", "--round", "812"], "names no round; write the table and the number"),
    (["replay", "--database", "{}", "--round", "1:99"], "table:1 has no round 99; its last is 3"),
    (["replay", "--database", "{}", "--round", "9:1"], "there is no stream table:9; there are table:1"),
    (["export", "--database", "{}", "--format", "csv", "--what", "journal"], "the journal goes out as jsonl"),
    (["archive", "--database", "{}", "--table", "table:1", "--period", "9", "--to", "x"], "no sealed period 9; 1 to 2 are"),
    (["audit", "--database", "{}", "--keys", "nowhere"], "there is no key ring at nowhere"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "reason"), REFUSED, ids=lambda x: x[:40] if isinstance(x, str) else "-"
)
def test_what_cannot_be_done_is_said_in_a_line(
    run: Runner, database: str, arguments: Sequence[str], reason: str
) -> None:
    out = run(*(a.format(database) for a in arguments))
    assert out.status == 2
    assert out.err.startswith("puntobanco: ")
    assert reason in out.err
    assert out.err.count("\n") == 1


def test_a_file_that_is_no_database_is_refused(run: Runner, tmp_path: Path) -> None:
    file = tmp_path / "x.db"
    file.write_text("hello " * 1000)
    assert run("audit", "--database", str(file)).status == 2
