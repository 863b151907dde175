"""Bytes of web pages and mail to text, with the charset that browsers would take.

Labels and their meaning follow the WHATWG Encoding Standard (https://encoding.spec.whatwg.org/#names-and-labels).
"""

from __future__ import annotations

import codecs
import re
from itertools import islice

from core.document import Notice
from ingest.parsers.text.decode import decode

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Browsers look at 1,024 bytes first, and start again when a later <meta> of the head says otherwise.
_HEAD_BYTES = 16_384
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_META = re.compile(rb"<meta\b[^>]*?\bcharset\s*=\s*[\"']?\s*([\w.:+-]+)", re.IGNORECASE)
_XML = re.compile(rb"\A\s*<\?xml\b[^>]*?\bencoding\s*=\s*[\"']([\w.:+-]+)", re.IGNORECASE)
# Labels that mean another codec than Python's of the same name. GB 2312 and ISO 8859-1 are subsets of
# what browsers read under their names.
_BROWSER_CODECS = {
    codec: labels.split()
    for codec, labels in {
        "gb18030": "gb2312 gbk x-gbk gb_2312-80 gb_2312 chinese csgb2312 iso-ir-58 euc-cn cp936 ms936",
        "big5hkscs": "big5 big5-hkscs big5-tw cn-big5 csbig5 x-x-big5 cp950 ms950",
        "cp1252": "iso-8859-1 iso8859-1 iso88591 iso_8859-1 latin1 l1 ascii us-ascii ansi_x3.4-1968 cp819 ibm819"
        " x-cp1252 x-user-defined default unknown-8bit",
        "cp1254": "iso-8859-9 iso8859-9 latin5 l5 x-cp1254",
        "cp874": "iso-8859-11 tis-620 dos-874",
        "cp932": "shift_jis shift-jis sjis x-sjis ms_kanji csshiftjis windows-31j ms932",
        "cp949": "euc-kr ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 korean cseuckr iso-ir-149 windows-949",
        # A page whose <meta> could be read byte by byte is no UTF-16.
        "utf-8": "utf8 unicode-1-1-utf-8 utf-16 utf-16le utf-16be unicode",
        "mac_roman": "macintosh x-mac-roman mac",
        "koi8_r": "koi8-r koi koi8",
    }.items()
}
_BY_LABEL = {label: codec for codec, labels in _BROWSER_CODECS.items() for label in labels}
# Characters per thousand that may be damaged before the declared charset is not believed any more.
_DAMAGED_PER_THOUSAND = 5
# This many sequences of valid UTF-8 do not come about by chance in another charset.
_SURELY_UTF8 = 4
_MULTIBYTE = re.compile(rb"[\xc2-\xf4][\x80-\xbf]+")


def decoded_page(data: bytes, name: str, declared: str = "") -> tuple[str, tuple[Notice, ...]]:
    """The text of a page and what a reader should know about how it was decoded.

    ``declared`` is a charset from outside, such as a mail header; it wins over the page's. Order: byte
    order mark, UTF-8 beyond doubt, the declared charset, UTF-8, the guess of ``decode``. A charset declared
    for a text that is damaged here and there is still believed.
    Raises ``EncodingError``, ``EmptyDocumentError`` and ``UnsupportedFormatError`` when nothing fits.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _replaced(data[len(mark) :], encoding)
    codec = codec_of(declared) or codec_of(declared_charset(data))
    if codec not in ("", "utf-8") and _is_surely_utf8(data):
        # A page that was saved anew often keeps the <meta> of its former charset.
        return data.decode("utf-8"), (Notice(code="decoded_as", details=(("encoding", "UTF-8"),)),)
    for candidate in filter(None, (codec, "utf-8")):
        try:
            return data.decode(candidate), ()
        except UnicodeDecodeError:
            continue
    if codec:
        text, notices = _replaced(data, codec)
        if text.count("\ufffd") * 1000 <= _DAMAGED_PER_THOUSAND * len(text):
            return text, notices
    return decode(data, name)


def declared_charset(data: bytes) -> str:
    """The label in the page's ``<meta>`` or XML declaration, or nothing."""
    head = _COMMENT.sub(b"", data[:_HEAD_BYTES])
    found = _META.search(head) or _XML.search(head)
    return found.group(1).decode("ascii", "replace") if found else ""


def codec_of(label: str) -> str:
    """Python's codec for what browsers understand by ``label``; nothing for an unknown one."""
    folded = label.strip().strip("\"'").lower()
    if folded in _BY_LABEL:
        return _BY_LABEL[folded]
    try:
        codec = codecs.lookup(folded)
    except (LookupError, ValueError):
        return ""
    # Python also knows codecs that are no charsets, such as "zlib" and "rot13".
    is_charset = getattr(codec, "_is_text_encoding", True) and codec.name not in ("idna", "punycode", "utf-7")
    return codec.name if is_charset and "escape" not in codec.name else ""


def _is_surely_utf8(data: bytes) -> bool:
    many = sum(1 for _ in islice(_MULTIBYTE.finditer(data), _SURELY_UTF8)) == _SURELY_UTF8
    if not many:
        return False
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _replaced(data: bytes, codec: str) -> tuple[str, tuple[Notice, ...]]:
    text = data.decode(codec, "replace")
    count = text.count("\ufffd") - data.count("\ufffd".encode(codec, "ignore") or b"\0\0")
    if count <= 0:
        return text, ()
    details = (("encoding", codec.upper()), ("count", str(count)))
    return text, (Notice(code="bytes_replaced", details=details),)
