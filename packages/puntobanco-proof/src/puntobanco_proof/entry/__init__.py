"""Entries as bytes: the frozen format of the journal, without the kinds of its events."""
