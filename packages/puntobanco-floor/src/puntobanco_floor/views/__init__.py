"""What is drawn: records that screens are sent, made from a state and never read back."""
