"""The formats of the world by extension: which parser each is for, and what people call it."""

from __future__ import annotations

from pathlib import PurePath
from typing import Final

from core.registry import REGISTRY

ARCHIVE: Final = "zip"
NEVER: Final = ""

# Parser -> (what people call its formats, extensions).
FORMATS: Final[dict[str, tuple[str, str]]] = {
    "pdf": ("PDF", "pdf"),
    "docx": ("DOCX", "docx docm dotx dotm"),
    "pptx": ("PPTX", "pptx pptm ppsx ppsm potx potm"),
    "xlsx": ("XLSX", "xlsx xlsm xltx xltm"),
    "office": ("DOC/XLS/PPT/RTF/ODF", "doc dot xls xlt xlsb ppt pps rtf odt ott ods ots odp otp"),
    "csv": ("CSV/TSV", "csv tsv tab"),
    "html": ("HTML", "html htm xhtml"),
    "markdown": ("Markdown", "md markdown mdown mkd"),
    "text": ("TXT", "txt text log rst tex asciidoc adoc org conf cfg ini properties env"),
    "epub": ("EPUB", "epub"),
    "mail": ("EML", "eml"),
    "msg": ("MSG", "msg"),
    "json": ("JSON", "json jsonl ndjson geojson"),
    "notebook": ("IPYNB", "ipynb"),
    "captions": ("VTT/SRT", "vtt srt"),
    "image": ("PNG/JPEG/WEBP/TIFF/BMP/GIF", "png jpg jpeg jfif webp tif tiff bmp gif"),
    "code": (
        "PY/JS/SQL/...",
        "py pyi js mjs cjs jsx ts tsx java kt kts scala groovy c h cc cpp cxx hpp hxx cs go rs swift m mm rb "
        "php pl pm lua r jl dart ex exs erl hs clj lisp el vb bas pas f90 f95 sql sh bash zsh fish ps1 bat cmd "
        "css scss less vue svelte xml xsd xsl yaml yml toml proto graphql tf cmake gradle dockerfile makefile",
    ),
    ARCHIVE: ("ZIP", "zip"),
}
# Never documents, whatever their first bytes look like.
_NEVER: Final = (
    "exe dll so dylib com msi deb rpm apk jar war class pyc iso dmg db sqlite mdb "
    "mp3 wav flac ogg m4a mp4 mov avi mkv webm ttf otf woff woff2 psd ico"
)
_BY_EXTENSION: Final = {
    extension: parser for parser, (_, extensions) in FORMATS.items() for extension in extensions.split()
} | dict.fromkeys(_NEVER.split(), NEVER)
# Files that by custom have no extension.
_BY_NAME: Final = {
    "readme": "text",
    "license": "text",
    "changelog": "text",
    "dockerfile": "code",
    "makefile": "code",
}
# Parsers whose files can hold any byte; the content of all others is text.
BINARY: Final = frozenset({"pdf", "docx", "pptx", "xlsx", "office", "epub", "msg", "image", ARCHIVE})
PACKED: Final = frozenset({"docx", "pptx", "xlsx", "epub", "office", ARCHIVE})


def parser_by_name(name: str) -> str | None:
    """The parser that a file's name asks for; ``NEVER`` when it says there is none, ``None`` when nothing."""
    path = PurePath(name.lower())
    return _BY_EXTENSION.get(path.suffix[1:], _BY_NAME.get(path.name))


def is_available(parser: str) -> bool:
    """Whether files for ``parser`` can be taken."""
    return parser == ARCHIVE or parser in REGISTRY["parser"]


def is_known(name: str) -> bool:
    """Whether a file of this name is taken when its folder is added."""
    parser = parser_by_name(name)
    return parser is not None and is_available(parser)


def known_formats() -> str:
    """The formats that can be taken, for messages."""
    return ", ".join(label for parser, (label, _) in FORMATS.items() if is_available(parser))
