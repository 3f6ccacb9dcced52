"""Alembic's migrations; run by `storage.migrate`, never by hand."""
