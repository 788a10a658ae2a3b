"""What stands on Discord, kept up to date with the log."""
