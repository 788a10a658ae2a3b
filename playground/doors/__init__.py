"""The doors through which a bot comes in: the HTTP API and the gateway."""
