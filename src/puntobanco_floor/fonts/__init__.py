"""Fonts for the screens: what is installed on the server, cut down to the glyphs of our texts."""
