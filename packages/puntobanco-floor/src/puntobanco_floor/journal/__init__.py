"""Entries of the journal, the keys that sign them, and sealed shoes."""
