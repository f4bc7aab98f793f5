"""Delivery of notifications to webhooks."""
