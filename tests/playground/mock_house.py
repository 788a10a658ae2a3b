"""Canned people, channels, messages and commands for the mock of the page's server."""

from datetime import UTC, datetime, timedelta
from typing import Any

# Shapes of Discord's JSON: deep and irregular, so a type would say less than the data.
Json = dict[str, Any]

START = datetime(2026, 11, 20, 19, 30, tzinfo=UTC)
V2 = 1 << 15
EPHEMERAL = 1 << 6
LOADING = 1 << 7

ADA: Json = {"id": "101", "username": "ada", "global_name": "Ada Byron", "avatar_color": "#d9a441"}
BEA: Json = {"id": "102", "username": "bea", "global_name": "Bea Fields", "avatar_color": "#4f8fc0"}
CEM: Json = {"id": "103", "username": "cem", "global_name": "Cem", "avatar_color": "#b5566b"}
BOT: Json = {
    "id": "900",
    "username": "Ginhouse",
    "global_name": None,
    "avatar_color": "#1f6f54",
    "bot": True,
}
PEOPLE = [ADA, BEA, CEM, BOT]

GUILD, TABLES, TALK, THREAD, EMPTY, DM = "500", "510", "511", "520", "512", "530"


def channels() -> list[Json]:
    """The server's channels, one thread among them."""
    topic = "Challenge somebody with /gin challenge"
    return [
        {"id": "501", "name": "The card room", "type": 4, "position": 0},
        {
            "id": TABLES,
            "name": "gin-tables",
            "type": 0,
            "parent_id": "501",
            "topic": topic,
            "position": 0,
        },
        {"id": TALK, "name": "table-talk", "type": 0, "parent_id": "501", "position": 1},
        {"id": EMPTY, "name": "quiet-corner", "type": 0, "parent_id": "501", "position": 2},
        {"id": THREAD, "name": "Ada and Bea", "type": 11, "parent_id": TABLES},
    ]


def dm(user: Json) -> Json:
    """The direct message of a person with the bot."""
    return {"id": f"{DM}{user['id']}", "type": 1, "recipients": [user, BOT]}


def message(number: int, channel: str, author: Json, content: str = "", **more: object) -> Json:
    """A message; its number orders it and says when it was written (minutes after START)."""
    at = START + timedelta(minutes=number)
    return {
        "id": f"{7_000_000 + number}",
        "channel_id": channel,
        "author": author,
        "content": content,
        "timestamp": at.isoformat(),
        "edited_timestamp": None,
        "type": 0,
        "flags": 0,
        "mentions": [],
        "embeds": [],
        "attachments": [],
        "components": [],
    } | more


def v2(number: int, channel: str, parts: list[Json], **more: object) -> Json:
    """A message of the bot's made of components."""
    return message(number, channel, BOT) | {"flags": V2, "components": parts} | more


def text(content: str) -> Json:
    """A text display."""
    return {"type": 10, "content": content}


def row(*parts: Json) -> Json:
    """An action row."""
    return {"type": 1, "components": list(parts)}


def button(label: str, custom_id: str, style: int = 2, **more: object) -> Json:
    """A button."""
    return {"type": 2, "label": label, "custom_id": custom_id, "style": style} | more


SUITS = {"S": ("♠", "#20262b"), "H": ("♥", "#c23b3b"), "D": ("♦", "#c7701c"), "C": ("♣", "#2d7a4f")}


def cards_picture(cards: list[str], gaps: tuple[int, ...] = ()) -> str:
    """Cards side by side as an SVG; a gap stands before each index in `gaps`."""
    drawn = []
    x = 8
    for at, card in enumerate(cards):
        x += 22 if at in gaps else 0
        sign, ink = SUITS[card[-1]]
        rank = card[:-1].replace("T", "10")
        drawn.append(
            f'<g transform="translate({x} 8)"><rect width="76" height="108" rx="9" fill="#fdfbf5" '
            f'stroke="#b9b19f"/><g fill="{ink}" font-family="Georgia,DejaVu Serif,serif">'
            f'<text x="9" y="30" font-size="26" font-weight="700">{rank}</text>'
            f'<text x="9" y="52" font-size="21">{sign}</text>'
            f'<text x="38" y="94" font-size="44" text-anchor="middle">{sign}</text></g></g>'
        )
        x += 58
    width = x + 34
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="124" '
        f'viewBox="0 0 {width} 124"><rect width="{width}" height="124" rx="12" fill="#1d5b45"/>'
        f"{''.join(drawn)}</svg>"
    )
