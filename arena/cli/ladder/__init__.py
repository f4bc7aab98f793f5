"""`arena ladder`: open-ended play, rated or solo."""
