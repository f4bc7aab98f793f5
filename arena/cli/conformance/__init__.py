"""`arena conformance`: check that a program speaks the protocol."""
