"""The search index on a Milvus server: dense vectors and BM25 full text, behind the protocol ``SearchIndex``.

The store stays the truth. On the server lie rows of whole document versions, each with a key that no other
version ever has, and a ledger of which of them are complete. Bringing the server up to a generation means
adding the versions that are missing and retiring those that are gone, under the writers' lock
(``sync``); a search names the versions of its own generation in its filter (``view``), so that rows of
another one, or half of one, are never found.
"""
