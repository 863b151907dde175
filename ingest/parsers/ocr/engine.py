"""The text recognition engine: finds lines on a picture and reads them. Vendor types end in this file.

Detection and recognition are PP-OCRv4 (Chinese and English) as shipped in the wheel of rapidocr-onnxruntime. Its
own pipeline is not used: it reads lines from a shrunken picture, loses most spaces between English words,
and turns every narrow box on its side.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.errors import OcrUnavailableError

Pixels = npt.NDArray[np.uint8]
# Corners of a line, clockwise from the top left: (4, 2) float32, in pixels.
Quad = npt.NDArray[np.float32]

# The longest side that lines are searched on; more finds no more lines and costs time by its square.
_DETECT_SIDE: Final = 1600
# Crops read at once: enough to fill the cores, little enough to keep memory low.
_BATCH: Final = 4
# Between English words the network hesitates where it should write a space. Over 600 rendered lines a
# space taken from this probability on makes 4 errors and misses 13 of 2,754; by argmax it misses 382.
_SPACE: Final = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The words of one crop; ``confidence`` is the mean over its characters, 0..1."""

    text: str
    confidence: float


class OcrEngine:
    """Finds and reads lines. Calls from several threads take turns."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._lock = threading.Lock()

    def find(self, pixels: Pixels) -> list[Quad]:
        """The lines on ``pixels`` (height, width, 3), in no order."""
        scale = min(1.0, _DETECT_SIDE / max(pixels.shape[:2]))
        with self._lock:
            found, _ = self._model.text_det(resized(pixels, scale))
        return [np.asarray(quad, np.float32) / np.float32(scale) for quad in (() if found is None else found)]

    def read(self, crops: Sequence[Pixels]) -> list[Reading]:
        """The words of each crop, in the order of ``crops``."""
        by_shape = sorted(range(len(crops)), key=lambda number: _ratio(crops[number]))
        batches = [by_shape[start : start + _BATCH] for start in range(0, len(crops), _BATCH)]
        # One thread a batch: threads that share one batch wait for each other with the processor running.
        with self._lock, ThreadPoolExecutor(self._threads) as pool:
            recognizer = self._model.text_rec
            read = list(
                pool.map(lambda batch: _read_batch(recognizer, [crops[number] for number in batch]), batches)
            )
        readings = dict(zip(chain(*batches), chain(*read), strict=True))
        return [readings[number] for number in range(len(crops))]

    @cached_property
    def _model(self) -> Any:
        _cv2()
        from rapidocr_onnxruntime import RapidOCR  # type: ignore[import-untyped]

        return RapidOCR(intra_op_num_threads=1, inter_op_num_threads=1)


def _read_batch(recognizer: Any, crops: Sequence[Pixels]) -> list[Reading]:
    _, height, width = recognizer.rec_image_shape
    widest = max(width / height, *(_ratio(crop) for crop in crops))
    pictures = np.stack([recognizer.resize_norm_img(crop, widest) for crop in crops])
    (probabilities,) = recognizer.session(pictures.astype(np.float32))
    return [decoded(steps, recognizer.postprocess_op.character) for steps in probabilities]


def decoded(steps: npt.NDArray[np.float32], characters: Sequence[str]) -> Reading:
    """The words of one line from the network's output ``(steps, characters)``.

    Connectionist temporal classification (Graves et al. 2006): runs of one character count once, blanks
    (column 0) part runs; and a space stands where one is likely enough between two characters.
    """
    best, certainty = steps.argmax(axis=1), steps.max(axis=1)
    space = len(characters) - 1
    spaces = steps[:, space]
    starts = np.flatnonzero((best != 0) & np.diff(best, prepend=0).astype(bool))
    letters = [step for step in starts if best[step] != space]
    text = ""
    for before, step in zip([None, *letters], letters, strict=False):
        if before is not None and spaces[before + 1 : step].max(initial=0.0) > _SPACE:
            text += " "
        text += characters[best[step]]
    return Reading(text=text, confidence=float(certainty[letters].mean()) if letters else 0.0)


def crop(pixels: Pixels, quad: Quad) -> Pixels:
    """The line inside ``quad``, straightened."""
    cv2 = _cv2()
    top, right, bottom, left = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1).tolist()
    width, height = int(max(top, bottom, 1)), int(max(left, right, 1))
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    straight: Pixels = cv2.warpPerspective(
        pixels,
        cv2.getPerspectiveTransform(quad, corners),
        (width, height),
        borderMode=cv2.BORDER_REPLICATE,
        flags=cv2.INTER_CUBIC,
    )
    return straight


def resized(pixels: Pixels, scale: float) -> Pixels:
    """``pixels`` made smaller by ``scale`` (at most 1)."""
    if scale >= 1:
        return pixels
    cv2 = _cv2()
    smaller: Pixels = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return smaller


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _ratio(picture: Pixels) -> float:
    return float(picture.shape[1] / picture.shape[0])


def _cv2() -> Any:
    """OpenCV. Raises ``OcrUnavailableError`` where the engine's packages do not load: cv2 needs libGL."""
    try:
        import cv2
        import rapidocr_onnxruntime  # noqa: F401
    except ImportError as exc:
        raise OcrUnavailableError(reason=str(exc)) from exc
    return cv2
