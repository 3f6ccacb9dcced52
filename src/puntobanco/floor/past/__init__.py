"""What has happened, for who inspects it: patrons, auditors, laboratories."""
