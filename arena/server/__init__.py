"""The services: the only place that turns the arena's errors into gRPC statuses."""
