"""Recovery: epochs after a restored database, entries set aside, derived tables rebuilt."""
