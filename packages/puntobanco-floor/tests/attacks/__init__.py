"""Attacks on the journal: who holds what, does what, and who finds it."""
