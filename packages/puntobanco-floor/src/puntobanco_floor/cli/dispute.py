"""`dispute`: the evidence of one round in a folder, and the check of such a folder alone."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path

import click

from puntobanco.cli import console
from puntobanco.cli.options import file_option, json_option
from puntobanco_floor.cli.floor_options import database_option, names_a_database, round_of
from puntobanco_floor.evidence.pack_format import fingerprint
from puntobanco_floor.evidence.pack_verifier import Verdict, verify_pack
from puntobanco_floor.journal.key_ring import KeyRing, roots_in


@click.command
@database_option
@click.option("--round", "round_", metavar="TABLE:NUMBER", help="Such as table:1:17.")
@click.option("--to", "target", metavar="FOLDER")
@click.option(
    "--session", default="", help="Show this session only; what names others is withheld."
)
@file_option("--keys", "The key ring; by default beside the database. To check: whose keys.")
@click.option("--verify", "folder", metavar="FOLDER", help="Check a pack; needs no database.")
@json_option
def dispute(
    database: str,
    round_: str | None,
    target: str | None,
    session: str,
    keys: Path | None,
    folder: str | None,
    as_json: bool,
) -> int:
    """Put the evidence of a round in a folder for an inspector, or check such a folder alone."""
    if folder is not None:
        if names_a_database() or round_ or target or session:
            raise click.UsageError(
                "--verify checks a folder and needs nothing else, but for --keys"
            )
        return _verify(Path(folder), keys, as_json=as_json)
    if not (round_ and target):
        raise click.UsageError("name a --round and a folder --to; or a folder to --verify")
    # imported here: a check of a folder loads no store
    from puntobanco_floor.evidence.pack import make_pack, write_pack  # noqa: PLC0415
    from puntobanco_floor.store.open_store import files_of  # noqa: PLC0415

    stream, number = round_of(round_)
    path = Path(target)
    ring_path, _ = files_of(database, keys=keys)
    ring = KeyRing.load(ring_path)
    now = int(time.time() * 1000)
    files = make_pack(database, stream, number, ring=ring, now=now, session=session)
    write_pack(files, path)
    key_id, key = ring.signer
    print_ = fingerprint(key.public_key())
    if as_json:
        answer = {"folder": str(path), "files": sorted(files), "key": key_id}
        console.echo_json(answer | {"fingerprint": print_})
    else:
        what = f"{len(files)} files of {stream} round {number}"
        console.line(f"wrote {path}: {what}; read dispute.html")
        console.line(f"signed with key {key_id}, fingerprint {print_}")
    return 0


def _verify(folder: Path, keys: Path | None, *, as_json: bool) -> int:
    known = roots_in(keys).keys if keys else None
    verdict = verify_pack(folder, known=known)
    if as_json:
        console.echo_json(asdict(verdict) | {"sound": verdict.sound})
    else:
        _show(verdict)
    return 0 if verdict.sound else 1


def _show(verdict: Verdict) -> None:
    for text in verdict.proved:
        console.line(f"proved: {text}")
    for text in verdict.unproven:
        console.line(f"not proven: {text}")
    for id_, print_ in verdict.keys.items():
        console.line(f"key {id_}: fingerprint {print_}")
    if verdict.fault:
        console.line(console.Styled("FAULT", "bold red"), f": {verdict.fault}")
    else:
        console.line(console.Styled("sound", "bold green"), ": the pack holds")
