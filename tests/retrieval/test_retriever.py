from retrieval.knowledge_base import KnowledgeBase
from retrieval.retriever import YoujuRetriever


def test_the_retriever_gives_langchain_documents_that_say_where_they_stand(filled: KnowledgeBase) -> None:
    documents = YoujuRetriever(base=filled, passages=2).invoke("病假需要什么条件")
    assert 1 <= len(documents) <= 2
    first = documents[0]
    with filled.workspace.store.read() as reader:
        text = reader.version(reader.document(first.metadata["doc"]).version_id).text
    assert text[first.metadata["start"] : first.metadata["end"]] == first.page_content
    assert YoujuRetriever(base=filled, collections=("default",)).invoke("病假")
