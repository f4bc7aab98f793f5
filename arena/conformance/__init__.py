"""The conformance kit: a scripted arena that tries whether a program speaks the protocol (docs/bots/conformance.md)."""
