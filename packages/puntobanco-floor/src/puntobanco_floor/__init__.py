"""The server: tables, terminals, cage, pit, audit, and the journal that proves every round."""
