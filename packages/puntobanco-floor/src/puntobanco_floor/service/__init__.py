"""A running node: it takes commands, follows the journal and informs terminals and staff."""
