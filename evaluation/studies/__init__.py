"""Studies: one setting swept over gold sets, and whether its values differ beyond noise."""
