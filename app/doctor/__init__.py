"""``youju doctor``: whether everything works."""
