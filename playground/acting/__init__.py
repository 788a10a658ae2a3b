"""People who are driven by tests, as Discord's client would drive them."""
