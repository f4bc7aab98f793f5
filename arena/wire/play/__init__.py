"""Frames of the Play stream and the messages in them."""
