"""How well sentences are checked: cases made by rule from gold sets, and the figures of a checker on them."""
