"""The derived indexes: dense and lexical, rebuilt from the store whenever they do not fit it."""
