"""A witness: a program that cosigns growing logs, remembers their checkpoints and mixes shoes."""
