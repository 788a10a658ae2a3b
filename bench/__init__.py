"""Speed, measured: ``python -m bench`` or ``make bench``."""
