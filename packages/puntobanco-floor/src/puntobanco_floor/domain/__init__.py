"""Decisions and states, pure: the machine, and a folder each for table, house and cage."""
