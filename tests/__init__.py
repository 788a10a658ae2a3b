"""What the project promises, as tests; the folders mirror the code."""
