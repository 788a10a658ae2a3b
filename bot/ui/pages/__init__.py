"""Every page, one file a kind; all are pure functions of what they are given."""

from __future__ import annotations

from bot.ui.pages.challenge import (
    WORD_MOST,
    accepted_page,
    challenge_over_page,
    challenge_page,
    word_modal,
)
from bot.ui.pages.help import Topic, help_choices, help_page, help_titles, topic_title
from bot.ui.pages.house import house_page, house_set_page
from bot.ui.pages.knock import arranged_page, knock_modal, knock_page
from bot.ui.pages.layoff import arranged_layoff_page, layoff_modal, layoff_page
from bot.ui.pages.notes import cancel_page, confirm_page, note_page, resign_page, which_page
from bot.ui.pages.panel import panel_page
from bot.ui.pages.record import leaderboard_page, status_page
from bot.ui.pages.rules import RulesTopic, rules_choices, rules_page, rules_titles
from bot.ui.pages.sheet import sheet_page
from bot.ui.pages.table import gone_page, ping_page, table_page
from bot.ui.pages.verify import verify_page

__all__ = [
    "WORD_MOST",
    "RulesTopic",
    "Topic",
    "accepted_page",
    "arranged_layoff_page",
    "arranged_page",
    "cancel_page",
    "challenge_over_page",
    "challenge_page",
    "confirm_page",
    "gone_page",
    "help_choices",
    "help_page",
    "help_titles",
    "house_page",
    "house_set_page",
    "knock_modal",
    "knock_page",
    "layoff_modal",
    "layoff_page",
    "leaderboard_page",
    "note_page",
    "panel_page",
    "ping_page",
    "resign_page",
    "rules_choices",
    "rules_page",
    "rules_titles",
    "sheet_page",
    "status_page",
    "table_page",
    "topic_title",
    "verify_page",
    "which_page",
    "word_modal",
]
