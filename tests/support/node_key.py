"""A node's key for tests that decide without a store."""

from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.journal.signing import NodeKey, Trust

RING = KeyRing.fresh()
NODE = NodeKey(bytes(32), RING)
OTHER_NODE = NodeKey(bytes([1]) * 32, RING)
TRUST = Trust(RING.public())
