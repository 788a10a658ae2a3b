"""The doors through which people come in: the web page and its live socket."""
