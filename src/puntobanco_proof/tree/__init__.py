"""A transparency log, pure: trees, tiles, signed notes, checkpoints, policies and proofs, as C2SP
and RFC 6962 write them.
"""
