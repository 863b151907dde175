"""Plots as SVG: pure functions of their data, without a library and without anything to load."""
