"""Integrity: the self-test at start, the installed files, and the programs that were accepted."""
