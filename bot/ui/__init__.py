"""What people see: pages, controls, pictures, wording, escaping, limits. Pure functions."""
