"""A whole knowledge base as one file: written, proved, and read into another one."""
