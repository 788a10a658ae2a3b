"""One file per family of slash commands: parse the arguments, make one call into ``bot``."""
