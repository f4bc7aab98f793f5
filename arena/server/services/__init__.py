"""The management services: thin, each a translation between messages and the store."""
