"""The Play stream: connections, frames and keepalive."""
