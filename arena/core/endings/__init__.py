"""Why a seat or a match ended, and whose fault it was."""
