"""Bots that a language model plays: a folder with a prompt and the name of a model (docs/llm.md).

`python -m arena.sdk.llm FOLDER` plays. The modules need the extra packages of `caravan-arena[llm]`.
"""
