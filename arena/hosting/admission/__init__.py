"""Admit submissions: receive, unpack, build and try them."""
