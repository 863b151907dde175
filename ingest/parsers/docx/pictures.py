"""The words of pictures in a Word file: what describes them, and what is read on them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from core.settings import ParsingSettings
from ingest.parsers.builder import DocumentBuilder
from ingest.parsers.docx.drawing import Picture
from ingest.parsers.docx.package import StoredFile
from ingest.parsers.office.pictures import PictureReader

# Under this size on paper (mm) or on disk a picture is a bullet, a rule or a logo, not words to be read.
_LEAST_WIDTH: Final = 12
_LEAST_HEIGHT: Final = 5
_LEAST_BYTES: Final = 1000
# What programs put in as a description: a file's name, "Picture 3", or the note of an automatic one.
_MEANINGLESS: Final = re.compile(
    r"(?:picture|image|graphic|图片|圖片|图像|图形|img|screenshot|截图|屏幕截图|logo)?[\s_\-]*[\d_\-()（） ]*"
    r"|\S*\.(?:png|jpe?g|gif|bmp|tiff?|emf|wmf|svg|webp)|[a-z]:\\.*|https?://\S+|(?=[a-z_\-]*[\d_])[\w\-]+",
    re.IGNORECASE | re.ASCII,
)
_AUTOMATIC: Final = re.compile(
    r"\s*(?:Description automatically generated|AI-generated content|描述已自动生成|AI 生成的内容).*",
    re.IGNORECASE,
)


class Pictures:
    """The pictures of one file; each is read once, however often it is shown."""

    def __init__(self, files: Mapping[str, StoredFile], settings: ParsingSettings) -> None:
        self._files = files
        self._reader = PictureReader(settings)

    def words(self, picture: Picture) -> str:
        """The description and the words on the picture, on lines of their own; maybe nothing."""
        described = _AUTOMATIC.sub("", picture.words).strip()
        if _MEANINGLESS.fullmatch(described):
            described = ""
        return "\n".join(part for part in (described, self._printed(picture)) if part)

    def report(self, builder: DocumentBuilder) -> None:
        """Notices about what was read on pictures and what could not be."""
        self._reader.report(builder)

    def _printed(self, picture: Picture) -> str:
        file = self._files.get(picture.file)
        small = bool(picture.width) and (picture.width < _LEAST_WIDTH or picture.height < _LEAST_HEIGHT)
        if file is None or small or len(file.data) < _LEAST_BYTES:
            return ""
        return self._reader.text(file.data, file.name).strip()
