"""What the bot sends by itself: the post office, its governor, direct messages."""
