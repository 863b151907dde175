"""Documents made to be torn, and the units in them that must stay whole."""
