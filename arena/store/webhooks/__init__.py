"""Webhooks, and the outbox of notifications."""
