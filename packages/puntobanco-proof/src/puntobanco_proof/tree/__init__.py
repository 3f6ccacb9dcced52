"""Transparency log formats (C2SP, RFC 6962): trees, tiles, notes, checkpoints, policies, proofs."""
