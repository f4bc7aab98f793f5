"""Run the programs of hosted bots."""
