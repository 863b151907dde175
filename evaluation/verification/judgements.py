"""Sentences of written answers judged by reading them beside their passage, by key: no text is kept here.

They were taken by chance from those with half to nine tenths of their words in the evidence, which no rule
tells apart. Left out were fragments, and those that one could argue about. A document's title counted as
part of its passages, the rest of the document did not.
"""

from __future__ import annotations

from typing import Final

from core.verdict import Verdict

# The first characters of ``Claim.key``.
KEY_LENGTH: Final = 12
JUDGED: Final = {
    Verdict.SUPPORTED: """
        001c8858d5db 012ada753290 01b4a4b757ea 01f34567014c 02c81b1a72ec 04bd0d0089c3 053428e2784a
        05a2cbca9b31 0623e2b1e6c3 062482cfaade 0674575eec95 06cf4ffed68d 070323596ec5 0abd6b3ebff7
        0b9b99bed94f 0bd096d4011a 0ed350dd46b8 0ee59f594000 0fd292cb4a81 0fee8c38cc08 1069838b9af0
        10a799eb5f0c 1227cf515c68 12787bc5a82e 12a93718e38a 12ac3158158f 13787e3507d1 14a9d1b645a2
        14edf2140248 1545a1606ed4 161d739ee4a3 16324a9ca41c 16f35c496487 18673d27522e 188f2de26933
        1959f1318df9 1968063d841b 1c5c5532c9f7 1c69c8d4c036 1c9175bf063a 209800cbd2dd 22f20065b77d
        231687fc48af 2372878dc5c2 23c7c26675a2 249721b94d3d 24973182e86e 24e79c5389c3 2577a5a5bdd9
        25953e7d7656 26065fc37544 26e2906748ee 2adc5d6664e1 2c411eba3bdf 2cf757a7c91f 2d162e3cd665
        2d7df91d83fc 2e0d6be07fdb 2f398a0eaee0 30a4f0e81f57 322e888d2956 328df34cf421 33d4cd4d5050
        33e672d8326d 34c5d402dffb 37365d8acd8c 376aea85bfa6 39238f964d20 3fba79bc9f04 413cd456fb90
        422a051e91d5 43432524e7c9 44bf0531312b 48545a74a9e6 4a26943335d2 4b0a042c02c2
    """,
    Verdict.PARTLY: """
        0071226d3f7b 04fd8d45e471 07046fe0073a 099ab651c353 0a6ce941624d 0bcb6d0ad623 0da06557c6e6
        0eda5ee0f9ba 101ed59332a6 11e95d30a20b 126618b79a48 127ffe7c5b5a 12fff3f3500b 134750db6bc3
        1665f5016e62 1919bcbb0e8f 1b19b87a200e 1e92a8306b3f 20209a7e4258 225d4878afbd 2707393df4c1
        2ad797d5c57c 38002c1c6221
    """,
    Verdict.UNSUPPORTED: """
        0625b2a55f49 0dc880ebd809 0f6b4818bf91 18011da7d8e3 18320526c616 1898593a3c74 1bee54ec676f
    """,
}


def judgement(key: str) -> Verdict | None:
    """What the reading of the claim found, or nothing."""
    return next((verdict for verdict, keys in JUDGED.items() if key[:KEY_LENGTH] in keys.split()), None)
