"""Receipts: what a patron takes away and anybody can check; made when asked for, kept nowhere."""
