"""Which picture goes with which view, with its description in words."""

from __future__ import annotations

from bot.ui.page import MatchShown, Picture
from gin.arrange import Shed
from gin.layoffs import LayOffPlan


def hand_picture(shown: MatchShown) -> Picture | None:
    """The viewer's own hand, grouped in its best melds and what is loose."""
    return None


def knock_picture(shown: MatchShown, shed: Shed) -> Picture | None:
    """The viewer's hand as he would lay it when knocking."""
    return None


def layoff_picture(shown: MatchShown, plan: LayOffPlan) -> Picture | None:
    """The knocker's melds with the cards laid off, and the defender's hand."""
    return None


def table_picture(shown: MatchShown) -> Picture | None:
    """The table as everybody sees it."""
    return None


def showdown_picture(shown: MatchShown) -> Picture | None:
    """Both hands of the newest hand that has ended, open."""
    return None
