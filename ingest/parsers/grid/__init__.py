"""Cells to tables: where they stand, what their header is; shared by sheets, pages and slides."""
