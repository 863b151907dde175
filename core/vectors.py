"""Arithmetic on rows of vectors."""

from __future__ import annotations

import numpy as np

from core.protocols import Vectors


def normalised(vectors: Vectors) -> Vectors:
    """``(n, dimension) float32``, each row of length 1; a row of zeros stays one."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(norms, 1e-12), dtype=np.float32)
