"""Evidence that can be checked alone: receipts of a patron, and dispute packs of one round."""
