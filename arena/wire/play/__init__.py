"""The Play stream: frames, and what is sent and received in them."""
