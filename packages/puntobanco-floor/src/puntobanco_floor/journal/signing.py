"""Who may write: the key of a node, and the trust that its signatures deserve.

Every node signs its commits with an Ed25519 key of its own, which lies beside its file of heads.
The key ring's root key certifies it for each stream by itself; the stream admits it by an entry,
and may retire it by another. A signature counts between the two, never by its time. When a root key
is replaced a node has its key certified anew, by another entry: where a stream ends, only the
signature of a key counts that a root certifies which is not replaced.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from puntobanco.base.private_files import narrow
from puntobanco_floor.domain.node_keys import Admitted
from puntobanco_floor.domain.stream_events import KeyAdmitted
from puntobanco_floor.journal.key_files import KEY_BYTES, put_where_none_is, write_whole
from puntobanco_floor.journal.refusals import BadKeys
from puntobanco_proof.entry.format import Fault, canonical
from puntobanco_proof.entry.heads import Head, is_signature, sign_head, verify_signature
from puntobanco_proof.entry.record import Record

if TYPE_CHECKING:
    from immutables import Map

    from puntobanco_floor.journal.key_ring import KeyRing, Roots

PublicKeys: TypeAlias = Mapping[str, Ed25519PublicKey]


class Admission(Record):
    """What a root key signs: that a node may write to one stream. The stream is in it, lest the
    holder of a retired key admit himself where nobody has retired it.
    """

    stream: str
    key: str
    public: str
    root: str


class NodeKey:
    """What this node signs its commits with; made at the first start, certified by the ring."""

    def __init__(self, raw: bytes, ring: KeyRing) -> None:
        self._private, self._ring = Ed25519PrivateKey.from_private_bytes(raw), ring
        self._public = self._private.public_key().public_bytes_raw().hex()
        self.id = self._public[:16]

    def admitted(self, stream: str) -> KeyAdmitted:
        """The event by which a stream admits it, certified by a root key of the ring."""
        root, root_key = self._ring.certifier
        admission = Admission(stream=stream, key=self.id, public=self._public, root=root)
        certificate = root_key.sign(canonical(admission)).hex()
        return KeyAdmitted(key=self.id, public=self._public, root=root, certificate=certificate)

    @property
    def replaced_roots(self) -> frozenset[str]:
        """Root keys whose certificates must be made again."""
        return self._ring.replaced_roots()

    @classmethod
    def at(cls, path: Path, ring: KeyRing) -> NodeKey:
        """The key in this file, or a fresh one; two programs that start at once get the same."""
        try:
            if not path.exists():
                write_whole(path, secrets.token_hex(KEY_BYTES).encode(), put_where_none_is)
            narrow(path)
            raw = bytes.fromhex(path.read_text("ascii"))
            if len(raw) != KEY_BYTES:
                raise ValueError
        except OSError as error:
            reason = (error.strerror or "").lower()
            raise BadKeys(f"cannot use the node's key {path}: {reason}") from None
        except ValueError:
            raise BadKeys(f"{path} is no node's key; remove it, and a new one is made") from None
        return cls(raw, ring)

    def sign(self, stream: str, epoch: int, seq: int, hash_: str) -> Head:
        head = Head(stream=stream, epoch=epoch, seq=seq, hash=hash_, key=self.id)
        return sign_head(head, self._private.sign)


def admission_of(stream: str, id_: str, key: Admitted) -> Admission:
    """What the root key has signed for a stream."""
    return Admission(stream=stream, key=id_, public=key.public, root=key.root)


class Trust:
    """Whose signatures count. `roots` are the floor's root keys, from its ring or as published."""

    def __init__(
        self,
        roots: PublicKeys,
        again: Callable[[], PublicKeys] = dict[str, Ed25519PublicKey],
        replaced: Callable[[], Collection[str]] = frozenset[str],
    ) -> None:
        """Call `again` for an unknown root; a root in `replaced` no longer certifies a node."""
        self.roots, self._again, self._replaced = roots, again, replaced
        # certificates that were checked before
        self._known = dict[tuple[str, str, Admitted], Ed25519PublicKey]()

    @classmethod
    def of(cls, roots: Roots) -> Trust:
        """As the ring, or the public keys, are now."""
        return cls(roots.keys, replaced=lambda: roots.replaced)

    def verify(self, head: Head, keys: Map[str, Admitted]) -> None:
        """Raises a fault unless a key that the stream admitted has signed this head."""
        found = keys.get(head.key)
        if found is None or not found.counts_at(head.seq):
            raise Fault(
                f"is signed with key {head.key}, which does not count there",
                stream=head.stream,
                seq=head.seq,
            )
        verify_signature(head, self._certified(head, found))

    def verify_end(
        self, end: Head, keys: Map[str, Admitted], last: Head | None, seen: Head | None = None
    ) -> None:
        """Raises a fault unless a node has signed where a stream ends; `last` is the last head that
        is kept of it, `seen` the last that a file of heads has.
        """
        if last is None or (last.seq, last.hash) != (end.seq, end.hash):
            after = min(last.seq, end.seq) if last else 0
            raise Fault(
                f"no node has signed what comes after entry {after}",
                stream=end.stream,
                seq=after + 1,
            )
        if last.epoch != end.epoch:
            raise Fault("is signed for another epoch", stream=end.stream, seq=end.seq)
        self.verify(last, keys)
        if not self.is_current(last, keys, seen):
            raise Fault(
                f"is signed with key {last.key}, certified by root key {keys[last.key].root} only, "
                "which was replaced",
                stream=last.stream,
                seq=last.seq,
                advice="run `puntobanco keys certify` at a node whose file of heads has it; if "
                "none has, who has an old key ring wrote it: `puntobanco journal set-aside`",
            )

    def is_current(self, head: Head, keys: Map[str, Admitted], seen: Head | None) -> bool:
        """Return whether the root key of a stream's end is current, or was when it was seen."""
        if keys[head.key].root not in self._replaced():
            return True
        return seen is not None and (seen.epoch, seen.seq) >= (head.epoch, head.seq)

    def _certified(self, head: Head, found: Admitted) -> Ed25519PublicKey:
        known = head.stream, head.key, found
        key = self._known.get(known)
        if key is not None:
            return key
        root = self.roots.get(found.root) or self._again().get(found.root)
        if root is None:
            raise Fault(
                f"key {head.key} is not certified by a root key of this floor that this ring has",
                stream=head.stream,
                seq=found.since,
                advice=f"put the newest key ring here, which has root key {found.root}; only if "
                "there is none the entries are forged, and `puntobanco journal set-aside` is the "
                "way out",
            )
        admission = admission_of(head.stream, head.key, found)
        if not is_signature(found.certificate, canonical(admission), root):
            raise Fault(
                f"key {head.key} is not certified by a root key of this floor for this stream",
                stream=head.stream,
                seq=found.since,
            )
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(found.public))
        self._known[known] = key
        return key
