"""`keys`: the key ring of a floor, its ages, new keys, and a passphrase on its file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import msgspec

from puntobanco.base.refusal import Refusal
from puntobanco.cli import console
from puntobanco_floor.cli.floor_options import database_option, keys_option
from puntobanco_floor.cli.offline_admin import Desk, desk, minute
from puntobanco_floor.domain.stream_rules import CertifyKey, RetireKey
from puntobanco_floor.journal.key_files import PURPOSES, Purpose, new_passphrase
from puntobanco_floor.journal.key_ring import ROTATED, KeyRing
from puntobanco_floor.store.errors import InDoubt, NotStored
from puntobanco_floor.store.open_store import files_of
from puntobanco_proof.entry.format import Fault


@click.group
def keys() -> None:
    """The keys of a floor: show, rotate, retire, protect."""


@keys.command("show")
@database_option
@keys_option
@click.option("--public", is_flag=True, help="JSON for an auditor: public keys only.")
def keys_show(database: str, keys: Path | None, *, public: bool) -> None:
    """Every key by purpose: its id, its age, and what it is still good for. No key is printed."""
    path, _ = files_of(database, keys=keys)
    ring = KeyRing.load(path)
    if public:
        click.echo(ring.public_text())
        return
    console.table(("purpose", "id", "made", "state"), _rows(ring))
    if ring.passphrase:
        console.line(f"{path} is protected by a passphrase")
    else:
        console.line(
            f"{path} is not protected: `puntobanco keys protect` puts it under a passphrase"
        )


def _rows(ring: KeyRing) -> Iterator[tuple[str, ...]]:
    for purpose in PURPOSES:
        for key in ring.keys[purpose]:
            made = minute(key.made_at) if key.made_at else "before ages were kept"
            state = "good for what it made"
            if key is ring.keys[purpose][-1]:
                state = "used"
            elif key.replaced_at:
                state = f"replaced {minute(key.replaced_at)}"
            yield purpose, key.id, made, state


@keys.command("rotate")
@click.option(
    "--purpose",
    "purposes",
    multiple=True,
    type=click.Choice(PURPOSES),
    help="Only keys of this purpose; may be repeated. By default all but the log's, by which "
    "witnesses know it.",
)
@desk
async def keys_rotate(found: Desk, purposes: Sequence[Purpose]) -> None:
    """New keys, while tables play; the old ones stay for what they made. The next rotation replaces
    them: tickets and logins that they made end then, and an hour later a root key certifies nobody.
    """
    wanted = purposes or ROTATED
    found.store.rotate_keys(wanted)
    console.line(f"new keys: {', '.join(wanted)}; nodes that run take them within a second")
    if "signing" in wanted and found.store.node.replaced_roots:
        await _certify(found)


@keys.command("certify")
@desk
async def keys_certify(found: Desk) -> None:
    """Have this node's key certified anew in every stream, by a root key that is not replaced. A
    rotation does it too; this is for streams that were blocked then.
    """
    await _certify(found)


async def _certify(found: Desk) -> None:
    """In every stream, also where nobody writes: its last signature must be by a good root key."""
    certified, blocked = 0, list[str]()
    for name in found.store.names():
        admission = found.store.node.admitted(name)
        command = CertifyKey(by=found.by, **msgspec.structs.asdict(admission))
        try:
            await found.do(name, command)
        except (NotStored, InDoubt):  # the others first
            blocked.append(name)
        else:
            certified += 1
    console.line(f"key {found.store.node.id} is certified anew in {certified} streams")
    if blocked:
        raise Refusal(
            f"blocked, and left out: {', '.join(blocked)}; when they go on run "
            "`puntobanco keys certify`, within the hour"
        )


@keys.command("retire")
@click.argument("key")
@desk
async def keys_retire(found: Desk, key: str) -> None:
    """Retire the KEY of a node, in every stream that knows it: what is signed with it from now on
    does not count. The node gets a new one first: stop it, remove its .node file, start it.
    """
    counting, blocked = dict[str, list[str]](), list[str]()
    for name in found.store.names():
        try:
            admitted = found.store.stream(name).state.keys
        except Fault:  # the others first: the key may be in a thief's hands
            blocked.append(name)
            continue
        for id_, each in admitted.items():
            if not each.is_retired:
                counting.setdefault(id_, []).append(name)
    if key in counting:
        for name in counting[key]:
            await found.do(name, RetireKey(by=found.by, key=key))
        console.line(f"key {key} is retired in {len(counting[key])} streams")
    if blocked:
        raise Refusal(
            f"blocked, and not looked at: {', '.join(blocked)}; when they go on run this again"
        )
    if key not in counting:
        raise Refusal(f"no key {key} counts; those that do: {', '.join(sorted(counting))}")


@keys.command("log")
@click.option(
    "--origin", default="", metavar="NAME", help="Its name for ever, where it has none yet."
)
@desk
def keys_log(found: Desk, origin: str) -> None:
    """The keys of the transparency log, the newest first, as witnesses and policies take them. The
    log is made where there is none.
    """
    found.store.log.open(origin)
    for verifier in found.store.log.verifiers():
        click.echo(verifier.text)


@keys.command("protect")
@database_option
@keys_option
@click.option("--remove", is_flag=True, help="Take the passphrase off.")
def keys_protect(database: str, keys: Path | None, *, remove: bool) -> None:
    """Put the file under a passphrase. A program that opens it takes the passphrase from
    PUNTOBANCO_PASSPHRASE, from the file that PUNTOBANCO_PASSPHRASE_FILE names, or asks for it.
    """
    path, _ = files_of(database, keys=keys)
    with KeyRing.changed(path) as ring:
        if not (remove or ring.passphrase):
            ring.passphrase = new_passphrase(path)
        elif remove and ring.passphrase:
            ring.passphrase = ""
        elif remove:
            raise Refusal(f"{path} is not protected")
        else:
            raise Refusal(f"{path} is protected already; --remove takes the passphrase off")
    console.line(f"{path} is {'no longer ' if remove else ''}protected")
