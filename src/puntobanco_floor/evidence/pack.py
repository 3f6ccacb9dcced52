"""A pack: the folder of a dispute, each file in a manifest that the house has signed."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from msgspec.structs import replace

from puntobanco.base.private_files import OWNER_ONLY_FOLDER, write_private
from puntobanco.base.record import Record
from puntobanco.base.refusal import ExtraNeeded
from puntobanco.document import html, pdf
from puntobanco_floor.evidence.pack_facts import FORMAT
from puntobanco_floor.evidence.pack_pages import HOW, document, rules_text
from puntobanco_floor.evidence.refusals import NoPack
from puntobanco_floor.evidence.round_evidence import Evidence, evidence
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.journal.signing import admission_of
from puntobanco_floor.store.reader import reading
from puntobanco_proof.entry.format import canonical, hash_of

MANIFEST = "manifest.json"
SIGNATURE = "manifest.sig"
ROUND = "round.json"
GAME, SOURCE = "game.json", "game-source.txt"
"""The definition that was played, and the designer's file as text: not called .py, since nobody
should run it.
"""


class Manifest(Record):
    format: str
    key: str  # whose signature lies beside it
    files: dict[str, str]  # name -> SHA-256


def make_pack(
    database: str, stream: str, number: int, *, ring: KeyRing, now: int, session: str = ""
) -> dict[str, bytes]:
    """The files of a pack by name; of other patrons nothing, where one session is named."""
    with reading(database) as reader:
        found = evidence(reader, stream, number, session=session, now=now)
    files = _files(found, ring.public())
    key_id, key = ring.signer
    if (name := f"key-{key_id}.pem") not in files:
        files[name] = pem(key.public_key())
    manifest = canonical(
        Manifest(
            format=FORMAT,
            key=key_id,
            files={name: hash_of(data) for name, data in sorted(files.items())},
        )
    )
    return {**files, MANIFEST: manifest, SIGNATURE: key.sign(manifest)}


def _files(found: Evidence, public: dict[str, Ed25519PublicKey]) -> dict[str, bytes]:
    game = found.story.game
    before = found.story.before
    doc = document(found.dispute, game, found.links, found.heads)
    files = {
        ROUND: canonical(found.dispute) + b"\n",
        "dispute.html": html(doc).encode(),
        "VERIFY.txt": HOW.encode(),
        "rules.md": rules_text(game).encode(),
        GAME: canonical(before.definition) + b"\n",
    }
    if before.source:
        files[SOURCE] = before.source.encode()
    with suppress(ExtraNeeded):  # the page says the same
        files["dispute.pdf"] = pdf(doc)
    for name, links in found.links.items():
        files[name] = b"".join(link.row + b"\n" for link in links)
    for head in found.heads:
        files[f"head-{head.seq}.json"] = canonical(replace(head, signature=""))
        files[f"head-{head.seq}.sig"] = bytes.fromhex(head.signature)
    for id_, key in found.keys.items():
        if key.root not in public:
            raise NoPack(
                f"node key {id_} is certified by root key {key.root}, which the key ring does not "
                "hold"
            )
        node = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key.public))
        files[f"key-{id_}.pem"] = pem(node)
        files[f"key-{key.root}.pem"] = pem(public[key.root])
        files[f"node-{id_}.json"] = canonical(admission_of(found.dispute.context.stream, id_, key))
        files[f"node-{id_}.sig"] = bytes.fromhex(key.certificate)
    return files


def pem(key: Ed25519PublicKey) -> bytes:
    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def fingerprint(key: Ed25519PublicKey) -> str:
    """SHA-256 of the 32 bytes of the key, as the house publishes it."""
    return hash_of(key.public_bytes(Encoding.Raw, PublicFormat.Raw))


def write_pack(files: dict[str, bytes], folder: Path) -> None:
    try:
        folder.mkdir(OWNER_ONLY_FOLDER, parents=True)
        for name, data in files.items():
            write_private(folder / name, data)
    except FileExistsError:
        raise NoPack(f"{folder} is there already") from None
    except OSError as error:
        raise NoPack(
            f"cannot write {folder}: {(error.strerror or 'output error').lower()}"
        ) from None
