"""The cage: a window where cash and vouchers change hands, counted by two people. Pure."""
