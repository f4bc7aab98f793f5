"""A recorded seat played again by a bot, to see where it decides otherwise."""
