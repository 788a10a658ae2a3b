"""Matches and challenges in play: the one way in, the deal, who may sit down."""
