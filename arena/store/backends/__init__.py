"""The databases that a store may use: SQLite and PostgreSQL."""
