"""Care of what is kept: checks, backups, forgetting."""
