"""The whole system under one seed: real machine, ledger, journal and store; simulated clock, network and disk."""
