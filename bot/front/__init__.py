"""Where interactions come in and answers go out: routed, in time, each once."""
