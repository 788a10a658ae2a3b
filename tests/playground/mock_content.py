"""What has been said and dealt in the mock house: a game under way, in the words of a card room."""

from tests.playground.mock_house import (
    ADA,
    BEA,
    BOT,
    CEM,
    DM,
    TABLES,
    TALK,
    THREAD,
    Json,
    button,
    cards_picture,
    message,
    row,
    text,
    v2,
)

HAND = ["4H", "5H", "6H", "9S", "9D", "9C", "JC", "QC", "KC", "5D"]
PICTURES = {
    "hand": cards_picture([*HAND, "2D"], gaps=(3, 6, 9, 10)),
    "upcard": cards_picture(["7D"]),
}
HAND_WORDS = "4♥ 5♥ 6♥ · 9♠ 9♦ 9♣ · J♣ Q♣ K♣ · loose 5♦ 2♦"


def _picture(name: str, alt: str) -> Json:
    return {"type": 12, "items": [{"media": {"url": f"/files/{name}.svg"}, "description": alt}]}


def _used(user: Json, name: str, number: int) -> Json:
    return {
        "type": 20,
        "interaction_metadata": {"id": f"66{number}", "type": 2, "user": user, "name": name},
    }


def table(number: int = 6) -> Json:
    """The table as everybody sees it."""
    words = (
        "### Ada Byron against Bea Fields\\nStandard game to 100 · hand 3\\n"
        "<@101> to discard · <t:1795203600:R>"
    ).replace("\\n", "\n")
    deck = "Stock **24** · knock with **10** or less\n-# Last move: Ada took the 2♦"
    return v2(
        number,
        TABLES,
        [
            {
                "type": 17,
                "accent_color": 0xE0B25A,
                "components": [
                    {
                        "type": 9,
                        "components": [text(words), text(deck)],
                        "accessory": {
                            "type": 11,
                            "media": {"url": "/files/upcard.svg"},
                            "description": "Up-card: seven of diamonds",
                        },
                    },
                    {"type": 14, "spacing": 1, "divider": True},
                    text("**Score** — Ada Byron 42 · Bea Fields 57"),
                    row(
                        button("My hand", "ok", 1, emoji={"name": "🂡"}),
                        button("Draw", "draw", 2, disabled=True),
                        button("Help", "help"),
                        {
                            "type": 2,
                            "style": 5,
                            "label": "Rules",
                            "url": "https://example.org/rules",
                        },
                    ),
                ],
            }
        ],
        **_used(ADA, "gin challenge", 6),
    )


def hand(number: int, user: Json) -> Json:
    """The private panel of a player."""
    loose = {"5D": "5♦", "2D": "2♦"}
    options = [
        {
            "label": f"Discard the {loose.get(card, card)}",
            "value": card,
            "description": f"leaves {deadwood} points of deadwood",
            "emoji": {"name": "♦️"},
        }
        for card, deadwood in (("5D", 2), ("2D", 5), ("KC", 37))
    ]
    return v2(
        number,
        f"{DM}{user['id']}",
        [
            {
                "type": 17,
                "accent_color": 0x2D8A63,
                "components": [
                    text("### Your turn at the table with Bea Fields"),
                    _picture("hand", HAND_WORDS),
                    text(f"{HAND_WORDS} · deadwood **7**"),
                    row(
                        {
                            "type": 3,
                            "custom_id": "discard",
                            "placeholder": "Discard a card",
                            "options": options,
                            "min_values": 1,
                            "max_values": 1,
                        }
                    ),
                    row(
                        button("Knock with 2", "modal", 3),
                        button("Sort", "ok"),
                        button("Resign", "fail", 4),
                    ),
                ],
            }
        ],
        mention_me=True,
    )


def messages() -> list[Json]:
    """Everything that has been said so far."""
    embed = {
        "title": "Hand 2: undercut!",
        "description": "Bea knocked with **4**, Ada had **3**.",
        "color": 0xB23F38,
        "fields": [
            {"name": "Difference", "value": "1", "inline": True},
            {"name": "Bonus", "value": "25", "inline": True},
            {"name": "Ada scores", "value": "**26**", "inline": True},
        ],
        "footer": {"text": "Score sheet: /gin sheet"},
    }
    first = message(0, TABLES, CEM, "Anybody up for a game? I only watch tonight 🙂")
    return [
        first,
        message(1, TABLES, BEA, "Me. But **slowly**, I still count on my fingers."),
        message(2, TABLES, BEA, "And ~~no~~ *few* undercuts, please."),
        message(
            3,
            TABLES,
            ADA,
            "Deal! <@102> you had it coming since <t:1795174200:t>.",
            type=19,
            referenced_message=first,
            mentions=[BEA],
        ),
        message(5, TABLES, BOT, "", embeds=[embed]),
        table(),
        message(
            20, TALK, CEM, "<@101> did you see that undercut?", mentions=[ADA], mention_me=True
        ),
        message(21, TALK, BEA, "I don't want to talk about it."),
        message(22, THREAD, BOT, "Here the table of Ada and Bea goes on."),
        hand(30, ADA),
        hand(31, BEA),
    ]


def commands() -> list[Json]:
    """The application's commands, as far as tests need them."""
    card = {
        "type": 3,
        "name": "card",
        "description": "The card that you lay down",
        "required": True,
        "autocomplete": True,
    }
    match = {"type": 3, "name": "match", "description": "Which match, if you play several"}
    variants = [
        {"name": name.title(), "value": name} for name in ("standard", "oklahoma", "straight")
    ]
    challenge = [
        {"type": 6, "name": "opponent", "description": "Whom you challenge", "required": True},
        {"type": 6, "name": "third", "description": "Makes it a game of three"},
        {"type": 3, "name": "variant", "description": "Which game", "choices": variants},
        {
            "type": 4,
            "name": "target",
            "description": "Points that end the game",
            "min_value": 50,
            "max_value": 1000,
        },
        {"type": 5, "name": "rated", "description": "Does it count?"},
        {"type": 10, "name": "stake", "description": "Pretended money"},
        {"type": 7, "name": "where", "description": "Where the table stands", "channel_types": [0]},
    ]
    children = {
        "cancel": ("Call the match off, if all agree", []),
        "challenge": ("Ask somebody for a game", challenge),
        "discard": ("Lay a card down", [card, match]),
        "hand": ("Look at your cards", []),
        "help": ("How to play here", []),
        "pass": ("Let the up-card lie", [match]),
    }
    options = [
        {"type": 1, "name": name, "description": words, "options": given}
        for name, (words, given) in children.items()
    ]
    admin = {
        "id": "78",
        "type": 1,
        "name": "gin-admin",
        "description": "Look after the house",
        "contexts": [0],
    }
    gin = {
        "id": "77",
        "type": 1,
        "name": "gin",
        "description": "Play Gin Rummy",
        "options": options,
        "contexts": [0, 1],
    }
    return [gin, admin]


def modal() -> Json:
    """A modal with every kind of field."""
    choices = [{"label": name, "value": name.lower()} for name in ("Best", "Mine", "None")]

    def label(words: str, component: Json, hint: str | None = None) -> Json:
        return {"type": 18, "label": words, "description": hint, "component": component}

    return {
        "custom_id": "knock-typed",
        "title": "Knock",
        "components": [
            {"type": 10, "content": "You keep **2** points."},
            label(
                "Melds",
                {"type": 4, "custom_id": "melds", "style": 2, "min_length": 4, "max_length": 60},
                "As in 7h 8h 9h / kc kd ks",
            ),
            label("Note", {"type": 4, "custom_id": "note", "style": 1, "required": False}),
            label("Spread", {"type": 21, "custom_id": "spread", "options": choices}),
            label(
                "Show",
                {
                    "type": 22,
                    "custom_id": "show",
                    "options": choices,
                    "min_values": 1,
                    "max_values": 2,
                },
            ),
            label("Sure", {"type": 23, "custom_id": "sure"}),
            label(
                "Card",
                {"type": 3, "custom_id": "card", "options": choices, "placeholder": "Which?"},
            ),
        ],
    }
