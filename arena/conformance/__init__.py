"""The conformance kit: a scripted arena that checks a program against the protocol (docs/bots/conformance.md)."""
