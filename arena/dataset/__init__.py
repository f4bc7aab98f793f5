"""Matches as tables: JSON lines or Parquet files with a data card (docs/data.md)."""
