"""Match nodes: other machines that play matches of hosted bots, in a Ray cluster."""
