"""The floor: tables that play, terminals that bet, vouchers; what a web server stands on."""
