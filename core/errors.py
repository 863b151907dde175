"""The error tree. Each class names a message that exists in every language of the interface.

YoujuError
    SettingsError       a setting is wrong, unknown or misses its package
    DocumentError       one file cannot be taken; the others go on
    StoreError          the knowledge base cannot do what was asked
    ModelError          an embedding, rerank or chat model failed
    QuestionError       the question itself cannot be asked
    ViewError           a document cannot be shown as asked (core.view_errors)
"""

from __future__ import annotations

from typing import ClassVar

from core.messages import render


class YoujuError(Exception):
    """Base of all errors a user may see. Keyword arguments fill the message's placeholders."""

    code: ClassVar[str] = "internal"

    def __init__(self, **details: object) -> None:
        super().__init__(details)
        self.details = details

    def message(self, language: str = "en") -> str:
        """The message in ``language`` ("zh" or "en"), without code words or paths of the program."""
        return render(self.code, language, **self.details)

    def __str__(self) -> str:
        return self.message("en")


class SettingsError(YoujuError):
    code = "settings_invalid"


class UnknownNameError(SettingsError):
    code = "name_unknown"


class MissingExtraError(SettingsError):
    code = "extra_missing"


class DocumentError(YoujuError):
    code = "document_unreadable"


class FileMissingError(DocumentError):
    code = "file_missing"


class UnsupportedFormatError(DocumentError):
    code = "format_unsupported"


class WrongExtensionError(DocumentError):
    code = "extension_wrong"


class EmptyDocumentError(DocumentError):
    code = "document_empty"


class NoTextError(DocumentError):
    code = "no_text"


class DamagedDocumentError(DocumentError):
    code = "document_damaged"


class EncodingError(DocumentError):
    code = "encoding_unknown"


class InvalidJsonError(DamagedDocumentError):
    code = "json_invalid"


class ScriptedPageError(DocumentError):
    code = "page_scripted"


class ProtectedDocumentError(DocumentError):
    code = "document_protected"


class PasswordNeededError(DocumentError):
    code = "password_needed"


class WrongPasswordError(DocumentError):
    code = "password_wrong"


class EncryptionUnsupportedError(DocumentError):
    code = "encryption_unsupported"


class DocumentTooLargeError(DocumentError):
    code = "document_too_large"


class ConverterMissingError(DocumentError):
    code = "converter_missing"


class ConversionFailedError(DocumentError):
    code = "conversion_failed"


class OcrUnavailableError(DocumentError):
    """Pictures cannot be read on this machine; a page of text beside them still can."""

    code = "ocr_unavailable"


class PictureTooLargeError(DocumentError):
    code = "picture_too_large"


class TooManyPagesError(DocumentError):
    code = "pages_too_many"


class UnpacksTooLargeError(DocumentError):
    code = "unpacks_too_large"


class TooManyEntriesError(DocumentError):
    code = "entries_too_many"


class NestedTooDeepError(DocumentError):
    code = "nested_too_deep"


class UnsafeXmlError(DocumentError):
    code = "xml_unsafe"


class ParserCrashedError(DocumentError):
    code = "parser_crashed"


class ParserFailedError(DocumentError):
    code = "parser_failed"


class ParserTimeoutError(DocumentError):
    code = "parser_timeout"


class ParserMemoryError(DocumentError):
    code = "parser_memory"


class DocumentOwnedError(DocumentError):
    """The name is taken, in this collection, by a document of another user."""

    code = "document_owned"


class StoreError(YoujuError):
    code = "store_failed"


class StoreBusyError(StoreError):
    code = "store_busy"


class StoreUnreachableError(StoreError):
    """The database server is away, full, or does not let this program in."""

    code = "store_unreachable"


class StoreVersionError(StoreError):
    code = "store_version"


class StoreDamagedError(StoreError):
    code = "store_damaged"


class ModelMismatchError(StoreError):
    code = "model_mismatch"


class ModelSwitchedError(ModelMismatchError):
    """The vectors were made anew with another model while this program ran."""

    code = "model_switched"


class HomeUnwritableError(StoreError):
    code = "home_unwritable"


class UnknownDocumentError(StoreError):
    code = "document_unknown"


class AmbiguousDocumentError(StoreError):
    code = "document_ambiguous"


class UnknownVersionError(StoreError):
    code = "version_unknown"


class UnknownAnswerError(StoreError):
    """There is no such record, or it is not this viewer's: he is told the same."""

    code = "answer_unknown"


class UnknownCollectionError(StoreError):
    code = "collection_unknown"


class ModelError(YoujuError):
    code = "model_failed"


class EmbeddingError(ModelError):
    code = "embedding_failed"


class EmbeddingTooLongError(EmbeddingError):
    """A text exceeds the model's window; nothing is cut off in silence."""

    code = "embedding_too_long"


class EmbeddingKeyError(EmbeddingError):
    code = "embedding_key"


class EmbeddingBusyError(EmbeddingError):
    code = "embedding_busy"


class EmbeddingUnreachableError(EmbeddingError):
    code = "embedding_unreachable"


class EmbeddingReplyError(EmbeddingError):
    code = "embedding_reply"


class ChatModelError(ModelError):
    """``fault`` is the value of a ``core.chat.faults.Fault``."""

    code = "chat_model_failed"

    @property
    def fault(self) -> str:
        return str(self.details.get("fault", "other"))


class QuestionError(YoujuError):
    code = "question_invalid"


class EmptyQuestionError(QuestionError):
    code = "question_empty"


class QuestionTooLongError(QuestionError):
    code = "question_too_long"


class TextTooLongError(QuestionError):
    code = "text_too_long"


class CancelledError(YoujuError):
    code = "cancelled"
