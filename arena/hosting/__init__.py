"""Hosted bots: submissions are tried and admitted, and admitted versions run."""
