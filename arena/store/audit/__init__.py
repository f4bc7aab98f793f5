"""The audit trail: its entries, how they are written and summed up."""
