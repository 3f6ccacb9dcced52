"""The store: what has happened, kept; one contract, SQLite by default."""
