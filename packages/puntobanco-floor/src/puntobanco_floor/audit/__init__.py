"""Audit: every check of the past, and past rounds shown to patrons, auditors and laboratories."""
