"""The Play stream: frames, connections, and the words of the wire for what goes out and comes in."""
