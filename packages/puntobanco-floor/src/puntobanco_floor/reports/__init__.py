"""Reports for staff: figures from the journal, tied out to the ledger; what is owed on vouchers."""
