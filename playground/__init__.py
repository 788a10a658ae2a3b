"""A small Discord on this machine: gateway, HTTP API and web client, for trying and testing."""
