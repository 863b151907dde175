"""Small Word files for tests, written part by part so that every mark of the format can be placed."""

from __future__ import annotations

import io
import zipfile

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
NAMES = (
    f'xmlns:w="{W}" xmlns:r="{R}" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
    'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"'
)
_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>'
    '<Override PartName="/word/document.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"

STYLES = """
<w:style w:type="paragraph" w:default="1" w:styleId="a"><w:name w:val="Normal"/></w:style>
<w:style w:type="paragraph" w:styleId="T"><w:name w:val="Title"/></w:style>
<w:style w:type="paragraph" w:styleId="1"><w:name w:val="heading 1"/></w:style>
<w:style w:type="paragraph" w:styleId="2"><w:name w:val="标题 2"/><w:basedOn w:val="1"/></w:style>
<w:style w:type="paragraph" w:styleId="own"><w:name w:val="本院标题"/><w:basedOn w:val="2"/></w:style>
<w:style w:type="paragraph" w:styleId="toch"><w:name w:val="TOC Heading"/><w:basedOn w:val="1"/>
 <w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="toc1"><w:name w:val="toc 1"/></w:style>
<w:style w:type="paragraph" w:styleId="cap"><w:name w:val="caption"/></w:style>
<w:style w:type="paragraph" w:styleId="code"><w:name w:val="Source Code"/></w:style>
<w:style w:type="character" w:styleId="gone"><w:name w:val="Gone"/><w:rPr><w:vanish/></w:rPr></w:style>
"""


def p(text: str = "", *, style: str = "", num: str = "", level: int = 0, ppr: str = "", rpr: str = "") -> str:
    """A paragraph of one run, or of ``text`` itself where that is XML."""
    inside = text if text.startswith("<") else run(text, rpr) if text else ""
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    numbered = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{num}"/></w:numPr>' if num else ""
    return f"<w:p><w:pPr>{named}{numbered}{ppr}</w:pPr>{inside}</w:p>"


def run(text: str, rpr: str = "") -> str:
    return f'<w:r><w:rPr>{rpr}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def table(*rows: str, properties: str = "") -> str:
    return (
        f"<w:tbl><w:tblPr>{properties}</w:tblPr>"
        + "".join(f"<w:tr>{row}</w:tr>" for row in rows)
        + "</w:tbl>"
    )


def cell(content: str, properties: str = "") -> str:
    inside = content if content.startswith("<") else p(content)
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{inside}</w:tc>"


def numbering(*levels: str, extra: str = "", nums: str = "") -> str:
    """One list (``numId`` 1) with these ``w:lvl`` contents."""
    inside = "".join(f'<w:lvl w:ilvl="{at}">{level}</w:lvl>' for at, level in enumerate(levels))
    return (
        f'<w:abstractNum w:abstractNumId="7">{inside}</w:abstractNum>{extra}'
        f'<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>{nums}'
    )


def lvl(kind: str, text: str, start: int = 1, more: str = "") -> str:
    return f'<w:start w:val="{start}"/><w:numFmt w:val="{kind}"/>{more}<w:lvlText w:val="{text}"/>'


def word_parts(
    body: str, *, styles: str = STYLES, files: dict[str, tuple[str, bytes]] | None = None, title: str = "",
    before: str = "", **parts: str,
) -> dict[str, bytes]:  # fmt: skip
    """The parts of a package. ``parts`` are the insides of numbering, footnotes, endnotes, comments, header,
    footer; ``files`` maps a relationship id to a part's name and its bytes.
    """
    made = {"styles": styles} | parts
    found = {
        "[Content_Types].xml": _TYPES,
        "_rels/.rels": _relations([("r1", "officeDocument", "word/document.xml")]),
        "word/document.xml": f"<w:document {NAMES}>{before}<w:body>{body}</w:body></w:document>",
    }
    links = [(f"p{name}", name, f"{name}.xml") for name in made]
    roots = {"header": "hdr", "footer": "ftr"}
    for name, inside in made.items():
        found[f"word/{name}.xml"] = f"<w:{roots.get(name, name)} {NAMES}>{inside}</w:{roots.get(name, name)}>"
        kind = f"application/vnd.openxmlformats-officedocument.wordprocessingml.{name}+xml"
        override = f'<Override PartName="/word/{name}.xml" ContentType="{kind}"/></Types>'
        found["[Content_Types].xml"] = found["[Content_Types].xml"].replace("</Types>", override)
    if title:
        found["docProps/core.xml"] = (
            '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
            f'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{title}</dc:title></cp:coreProperties>'
        )
        core = "application/vnd.openxmlformats-package.core-properties+xml"
        override = f'<Override PartName="/docProps/core.xml" ContentType="{core}"/></Types>'
        found["[Content_Types].xml"] = found["[Content_Types].xml"].replace("</Types>", override)
        link = ("r1", "officeDocument", "word/document.xml"), ("r2", "CORE", "docProps/core.xml")
        found["_rels/.rels"] = _relations(list(link)).replace(
            f"{R}/CORE",
            "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties",
        )
    links += [(key, "image", name) for key, (name, _) in (files or {}).items()]
    found["word/_rels/document.xml.rels"] = _relations(links)
    packed = {name: text.encode() for name, text in found.items()}
    return packed | {f"word/{name}": data for name, data in (files or {}).values()}


def word_file(body: str, **options: object) -> bytes:
    """The same as the bytes of a ``.docx``."""
    return zipped(word_parts(body, **options))  # type: ignore[arg-type]


def zipped(parts: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in parts.items():
            packed.writestr(name, data)
    return made.getvalue()


def _relations(links: list[tuple[str, str, str]]) -> str:
    inside = "".join(f'<Relationship Id="{key}" Type="{R}/{kind}" Target="{to}"/>' for key, kind, to in links)
    return f'<Relationships xmlns="{_RELATIONS}">{inside}</Relationships>'
