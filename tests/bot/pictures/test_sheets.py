"""The score sheet's picture: any length, any names, every kind of match."""

from __future__ import annotations

import io
import pickle

import pytest
from PIL import Image

from bot.ui.pages import sheet_page
from bot.ui.pictures.sheet import SheetColumn, SheetDrawing, SheetGame, SheetRow, draw_sheet
from gin import Match, Rules, Seat
from gin.rules import BoxTiming, Scoring, Shutout
from tests.bot.ui.staging import AWKWARD_NAMES, named, shown
from tests.gin import table

A, B, C = Seat.A, Seat.B, Seat.C


def played(rules: Rules, *wins: tuple[Seat, int]) -> Match:
    match = table.started(rules)
    for winner, points in wins:
        match = table.won(match, winner, points)
    return match


KINDS = {
    "one game": played(Rules(), (A, 30), (B, 25)),
    "nothing yet": table.started(),
    "void hands": table.void(table.started()),
    "a game that is over": played(Rules(shutout=Shutout.DOUBLE), (A, 60), (A, 60)),
    "Hollywood": played(Rules(scoring=Scoring.HOLLYWOOD), (A, 60), (A, 60), (B, 20)),
    "boxes at once": played(
        Rules(scoring=Scoring.HOLLYWOOD, box_timing=BoxTiming.AT_ONCE), (A, 60), (A, 60)
    ),
    "rotation": played(Rules(scoring=Scoring.ROTATION), (A, 30), (C, 25), (A, 20)),
}


def opened(png: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(png))
    assert image.format == "PNG"
    return image.convert("RGB")


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_match_has_its_sheet_drawn(kind: str) -> None:
    (picture,) = sheet_page(shown(KINDS[kind])).pictures
    image = opened(picture.render())
    assert picture.name == "sheet.png"
    assert image.width == 720
    assert 180 <= image.height <= 560
    assert pickle.loads(pickle.dumps(picture.render))() == picture.render()  # noqa: S301


def test_the_sum_of_a_hand_is_told_in_the_picture_as_in_the_text() -> None:
    columns = (SheetColumn("Ann", "A"), SheetColumn("Bob", "B"))
    row = SheetRow("1", ((("+30", "30"), ("", "")),), how=("knock 40 − 10",))
    written = draw_sheet(SheetDrawing((SheetGame(columns),), (row,), ()))
    (picture,) = sheet_page(shown(played(Rules(), (A, 30)))).pictures
    line = (0, 90, 720, 132)
    assert opened(picture.render()).crop(line).tobytes() == opened(written).crop(line).tobytes()


def test_the_alt_text_sums_up_each_game() -> None:
    (picture,) = sheet_page(shown(KINDS["Hollywood"])).pictures
    # Game 1: 120 + 100 + 50 = 270 for Ann. Game 2: Ann's second win, and Bob's first.
    assert picture.alt == (
        "The score sheet, page 1 of 1. Game 1 (closed): Ann 270, Bob 0. "
        "Game 2: Ann 60, Bob 20. Game 3: Ann 0, Bob 0."
    )


def test_a_match_of_sixty_hands_is_drawn_page_by_page() -> None:
    match = table.started(Rules(scoring=Scoring.HOLLYWOOD, target=1000))
    for number in range(60):
        match = table.won(match, (A, B)[number % 2], 20)
    for page in range(3):
        (picture,) = sheet_page(shown(match, people=named("W" * 32)), page).pictures
        png = picture.render()
        assert opened(png).height <= 1000
        assert len(png) < 60_000


@pytest.mark.parametrize("name", AWKWARD_NAMES.values(), ids=AWKWARD_NAMES.keys())
def test_any_names_can_head_the_columns(name: str) -> None:
    for match in KINDS.values():
        (picture,) = sheet_page(shown(match, people=named(name))).pictures
        assert opened(picture.render()).width == 720


def test_what_lies_after_the_close_of_a_game_is_shaded() -> None:
    def grey(shut: bool) -> Image.Image:
        columns = (SheetColumn("Ann", "A"), SheetColumn("Bob", "B"))
        games = tuple(SheetGame(columns, f"Game {number}") for number in (1, 2, 3))
        empty = ((("", ""),) * 2,) * 3
        rows = (SheetRow("1", empty, (shut, False, False)),)
        return opened(draw_sheet(SheetDrawing(games, rows, ()))).convert("L")

    # The middle of game 1's line, and of game 2's.
    first, second = (240, 110, 241, 111), (430, 110, 431, 111)
    paper = grey(shut=False).crop(first).tobytes()[0]
    assert grey(shut=True).crop(first).tobytes()[0] < paper - 20
    assert grey(shut=True).crop(second).tobytes()[0] == paper


def test_numbers_that_find_no_room_leave_the_total_standing() -> None:
    columns = tuple(SheetColumn(name, name[0]) for name in ("Ann", "Bob", "Cat"))
    wide = ((("+1196000", "12345"),) * 3,)
    bare = ((("", "12345"),) * 3,)
    drawn = [
        draw_sheet(SheetDrawing((SheetGame(columns),), (SheetRow("60", cells),), ()))
        for cells in (wide, bare)
    ]
    assert drawn[0] == drawn[1]


def test_how_a_hand_ended_is_told_as_fully_as_there_is_room_for() -> None:
    columns = (SheetColumn("Ann", "A"), SheetColumn("Bob", "B"))
    cells = ((("", ""), ("", "")),)

    def drawn(*how: str) -> bytes:
        row = SheetRow("1", cells, how=how)
        return draw_sheet(SheetDrawing((SheetGame(columns),), (row,), ()))

    assert drawn("knock 40 − 10", "knock") == drawn("knock 40 − 10") != drawn("knock")
    assert drawn("undercut (45 − 21) × 2 + 500 × 2", "undercut") == drawn("undercut")
