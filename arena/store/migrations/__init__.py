"""The migrations, run by Alembic."""
