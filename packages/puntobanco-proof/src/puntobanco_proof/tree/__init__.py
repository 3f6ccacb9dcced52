"""A transparency log, pure: trees, tiles, notes, checkpoints, policies, proofs (C2SP, RFC 6962)."""
