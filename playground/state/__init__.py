"""What a small Discord consists of, and what happens in it."""
