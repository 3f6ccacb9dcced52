"""Commands of the server: serve, administration, audit, recovery."""
