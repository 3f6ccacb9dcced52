"""Reports for staff: figures from the journal, tied out to the ledger; what is owed on vouchers."""

from puntobanco_floor.reports.liability import Liability, VoucherRow, as_csv, liability

__all__ = ["Liability", "VoucherRow", "as_csv", "liability"]
