"""A whole Hollywood match at the table, and the sheet at every moment of it.

To 50, level deadwood makes a hand void, and a shutout doubles. Worked out by hand:

    hand  dealer                                game 1       game 2       game 3
    1     Ada     Ada knocks: 25 − 5 = 20       Ada 20
    2     Ben     void, 8 against 8
    3     Ben     Ada knocks: 39 − 4 = 35       Ada 55 shut  Ada 35
    4     Ada     Ben knocks: 26 − 6 = 20                    Ben 20
    5     Ben     Ada knocks: 19 − 9 = 10                    Ada 45       Ada 10
    6     Ada     Ben undercuts: 10 − 9 + 25                 Ben 46       Ben 26
    7     Ben     Ben is gin: 5 + 25 = 30                    Ben 76 shut  Ben 56 shut

Game 1: Ada 55 + 100 + 2 × 25 = 205, doubled, since Ben has no entry: 410. Ben 0.
Game 2: Ada 35 + 10 and 2 × 25 = 95. Ben 20 + 26 + 30 = 76, + 100 + 3 × 25 = 251.
Game 3: Ada 10 + 25 = 35. Ben 26 + 30 = 56, + 100 + 2 × 25 = 206.
Ada 410 + 95 + 35 = 540; Ben 251 + 206 = 457.
"""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing

from playground.acting.people import Answer, buttons
from tests.e2e import laid
from tests.e2e.acting import ByButtons, ByTyping
from tests.e2e.laid import GIN, Laid, challenge, lay_all, table_text
from tests.e2e.room import Room

unhurried = laid.unhurried

Row = tuple[str, ...]


def rows(page: str) -> list[Row]:
    """The lines of a sheet: number and winner, then what stands under each game, then how."""
    head, *lines = page.split("```")[1].strip("\n").splitlines()
    columns = [(found.start(), found.end()) for found in re.finditer(r" {3}\d", head)]
    assert len(columns) == 3, head
    found = []
    for line in lines:
        line = line.ljust(columns[-1][1])
        cells = [line[start:end].strip() for start, end in columns]
        first = " ".join(line[: columns[0][0]].split())
        found.append((first, *cells, line[columns[-1][1] :].strip()))
    return found


def states(page: str) -> Row:
    """The marks of the games that are closed."""
    return next((row[1:4] for row in rows(page) if row[0] == "closed"), ("", "", ""))


def entries(page: str) -> list[Row]:
    """The hands on a sheet, one a row."""
    return [row for row in rows(page) if row[0][:1].isdigit()]


def sums(page: str) -> dict[str, Row]:
    """The points of each player in each game."""
    return {row[0].strip("= "): row[1:4] for row in rows(page) if row[0].startswith("=")}


async def test_a_whole_hollywood_match_with_a_shut_out_a_void_hand_and_two_games_closed_at_once(
    room: Room,
) -> None:
    for option, value in (("tie", "draw"), ("shutout", "double")):
        await room.ada.slash(room.table, "gin-admin house-set", option=option, value=value)
    ada, ben = ByTyping(room, room.ada), ByButtons(room, room.ben)
    room.decks.cut("KD", "7H")
    hands = [
        Laid(ben, ada, knocker=ada, knocks_with=5, left=25),
        Laid(ada, ben, knocker=ada, knocks_with=8, left=8),
        Laid(ada, ben, knocker=ada, knocks_with=4, left=39),
        Laid(ben, ada, knocker=ben, knocks_with=6, left=26),
        Laid(ada, ben, knocker=ada, knocks_with=9, left=19),
        Laid(ben, ada, knocker=ada, knocks_with=10, left=9),
        Laid(ada, ben, knocker=ben, knocks_with=GIN, left=5),
    ]
    lay_all(room, hands)
    said, _accepted = await challenge(
        room, room.ada, room.ben, scoring="hollywood", target=50, house="house"
    )
    assert "three games at once, each to 50 points" in said
    assert "Equal deadwood makes the hand void" in said
    assert "winner's total is doubled" in said

    async def sheet() -> Answer:
        """The sheet as somebody who only watches asks for it: words and a picture."""
        shown = await room.cleo.slash(room.table, "gin sheet", match="1")
        assert shown.message is not None
        assert [file.filename.endswith(".png") for file in shown.message.attachments] == [True]
        return shown

    empty = (await sheet()).text
    assert entries(empty) == []

    await hands[0].play()
    page = (await sheet()).text
    assert entries(page) == [("1 Ada +20", "20", "", "", "knock")]
    assert "Ada's in games 1 and 2, Ben's in game 1" in page
    assert "Entered in game 1" in table_text(room)

    await hands[1].play()
    page = (await sheet()).text
    assert entries(page)[1] == ("2", "", "", "", "void")
    assert "Hand 2 is void" in table_text(room)
    assert "Ben deals again" in table_text(room)
    assert "Ada's in games 1 and 2, Ben's in game 1" in page, "a void hand opens nothing"

    await hands[2].play()
    page = (await sheet()).text
    assert entries(page)[2] == ("3 Ada +35", "55", "35", "", "knock")
    assert states(page) == ("×", "", "")
    shut_out = "100 game bonus + 50 for 2 boxes + 205 for the shutout, which doubles it = **410**"
    for shown in (page, table_text(room)):
        assert f"Ada: 55 in hands + {shut_out}" in shown
        assert "Ada's in games 2 and 3, Ben's in game 2" in shown
    assert "(closed)" in table_text(room)

    await hands[3].play()
    page = (await sheet()).text
    assert entries(page)[3] == ("4 Ben +20", "", "20", "", "knock"), "game 1 takes no more"

    await hands[4].play()
    page = (await sheet()).text
    assert entries(page)[4] == ("5 Ada +10", "", "45", "10", "knock")

    await hands[5].play()
    page = (await sheet()).text
    assert entries(page)[5] == ("6 Ben +26", "", "46", "26", "undercut")
    assert sums(page) == {"Ada": ("55", "45", "10"), "Ben": ("0", "46", "26")}
    assert states(page) == ("×", "", "")

    end = await hands[6].play()
    page = (await sheet()).text
    assert entries(page)[6] == ("7 Ben +30", "", "76", "56", "gin")
    assert states(page) == ("×", "×", "×")
    assert sums(page) == {"Ada": ("55", "45", "10"), "Ben": ("0", "76", "56")}
    for shown in (page, table_text(room), end.text):
        assert "Ada wins the match!" in shown
        assert shut_out in shown
        assert "Ada: 45 in hands + 50 for 2 boxes = **95**" in shown
        assert "Ben: 76 in hands + 100 game bonus + 75 for 3 boxes = **251**" in shown
        assert "Ada: 10 in hands + 25 for 1 box = **35**" in shown
        assert "Ben: 56 in hands + 100 game bonus + 50 for 2 boxes = **206**" in shown
        assert "Together: Ada **540**, Ben **457**" in shown
    board = (await room.cleo.slash(room.table, "gin leaderboard")).text.split("```")[1]
    assert [line.split() for line in board.strip().splitlines()[1:]] == [
        ["1", "Ada", "1", "1", "540"],
        ["2", "Ben", "1", "0", "457"],
    ]
    # Seat, hand points (each hand once), total, hands won, hands played (the void one isn't).
    assert results(room) == [(0, 65, 540, 3, 6), (1, 76, 457, 3, 6)]
    await a_rematch_is_given_up(room, ada, ben)


def results(room: Room) -> list[tuple[int, ...]]:
    """What the database keeps of the first match."""
    with closing(sqlite3.connect(room.database)) as database:
        return database.execute(
            "SELECT seat, points, total, hands_won, hands_played FROM results "
            "WHERE match_id = 1 ORDER BY seat"
        ).fetchall()


async def a_rematch_is_given_up(room: Room, ada: ByTyping, ben: ByButtons) -> None:
    """By the same rules: Ada wins 20 and 35, then Ben resigns.

    Game 1 is settled at 410 as before. Game 2 settles as it stands: 35 and a box, no game bonus
    and no shutout, since nobody got to 50 there. 410 + 35 + 25 = 470.
    """
    room.decks.cut("KD", "7H")
    hands = [
        Laid(ben, ada, knocker=ada, knocks_with=5, left=25),
        Laid(ada, ben, knocker=ada, knocks_with=4, left=39),
    ]
    lay_all(room, hands)
    asked = await room.ada.slash(room.table, "gin rematch")
    await ben.done(await room.ben.press(asked, "Accept"))
    assert (await room.match(2)).rules == (await room.match(1)).rules
    assert "Hollywood" in table_text(room)
    for hand in hands:
        await hand.play()
    panel = await room.ben.panel("Resign…", room.ben.dm())
    question = await room.ben.press(panel, "Resign…")
    assert question.message is not None
    assert "Resign" in buttons(question.message)
    await ben.done(await room.ben.press(question, "Resign"))
    end = table_text(room)
    assert "Ben resigned" in end
    assert "205 for the shutout, which doubles it = **410**" in end
    assert "Ada: 35 in hands + 25 for 1 box = **60**" in end
    assert "Together: Ada **470**, Ben **0**" in end
    assert (await room.match(2)).outcome is not None
