"""Pictures: small PNG files that show every card, the same for the same view, from any thread."""

from __future__ import annotations

import io
import pickle
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest
from PIL import Image, ImageChops

from bot.ui import drawn
from bot.ui.pages import panel_page, table_page
from bot.ui.pictures.cards import COMPACT, LARGE, MEDIUM, SMALL, Size, back, face
from bot.ui.pictures.colours import FELT, INK, PAPER, palette, suit_colour
from bot.ui.pictures.hand import HandDrawing, draw_hand
from bot.ui.pictures.lettering import drawable, fitted, font, words, write
from bot.ui.pictures.showdown import OpenHand, ShowdownDrawing, draw_showdown
from bot.ui.pictures.spread import Group, fits, rows_of
from bot.ui.pictures.table import Plate, TableDrawing, draw_table
from gin import DECK, Card, Seat, Suit, parse_cards
from tests.bot.ui.staging import AWKWARD_NAMES, knocked, may_knock, named, random_match, shown
from tests.gin import table

MOST_BYTES = 60_000


def opened(png: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(png))
    assert image.format == "PNG"
    return image.convert("RGB")


def loose(text: str) -> tuple[Group, ...]:
    return (Group(parse_cards(text), melded=False),)


def test_a_hand_is_a_small_picture_720_wide() -> None:
    png = draw_hand(HandDrawing(loose("AS 4S 7S 9S QH 2D 8D KD TC JC"), "deadwood 61"))
    assert opened(png).width == 720
    assert len(png) < MOST_BYTES


def test_all_pictures_of_a_match_are_small_and_wide_enough() -> None:
    drawn_kinds = set()
    for step in random_match(4, most_hands=2):
        if step.version % 4:
            continue
        pages = [table_page(shown(step.match))]
        pages += [panel_page(shown(step.match, seat)) for seat in step.match.seats]
        for picture in (picture for page in pages for picture in page.pictures):
            png = picture.render()
            image = opened(png)
            assert image.width == 720
            assert 300 <= image.height <= 460
            assert len(png) < MOST_BYTES
            drawn_kinds.add(picture.name)
    assert {"hand.png", "table.png"} <= drawn_kinds


def test_the_same_view_always_gives_the_same_bytes() -> None:
    pictures = [panel_page(shown(may_knock(), Seat.A)).pictures[0] for _count in range(2)]
    assert pictures[0].render() == pictures[1].render()


def test_pictures_can_be_sent_to_another_process() -> None:
    for match, seat in ((may_knock(), Seat.A), (knocked(), Seat.B), (knocked(), None)):
        page = table_page(shown(match)) if seat is None else panel_page(shown(match, seat))
        for picture in page.pictures:
            assert pickle.loads(pickle.dumps(picture.render))() == picture.render()  # noqa: S301


def test_pictures_drawn_by_many_threads_at_once_are_right() -> None:
    hands = [
        HandDrawing(loose(" ".join(map(str, DECK[start : start + 10]))), f"deadwood {start}")
        for start in range(0, 40, 4)
    ]
    alone = [draw_hand(hand) for hand in hands]
    face.cache_clear()
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(draw_hand, hands * 4))
    assert together == alone * 4


def test_no_two_cards_look_alike_even_without_colour() -> None:
    for size in (LARGE, MEDIUM, COMPACT):
        looks = {face(card, size, four=False).convert("L").tobytes() for card in DECK}
        strips = {
            face(card, size, four=False, bare=True)
            .convert("L")
            .crop((0, 0, size.strip, size.height))
            .tobytes()
            for card in DECK
        }
        assert len(looks) == len(strips) == 52


@pytest.mark.parametrize("size", [LARGE, MEDIUM, COMPACT], ids=["large", "medium", "compact"])
def test_rank_and_suit_stay_within_the_strip_that_a_fan_leaves_open(size: Size) -> None:
    for card in DECK:
        sprite = face(card, size, four=False, bare=True)
        left = size.lift + size.strip + 1
        rest = sprite.crop((left, 6, size.lift + size.width - 6, size.height - 6))
        darkest, _lightest = rest.convert("L").getextrema()
        assert not isinstance(darkest, tuple)
        assert darkest > 240, str(card)


def test_suits_differ_in_colour_only_where_the_reader_wants_four() -> None:
    assert len({suit_colour(suit, four=True) for suit in Suit}) == 4
    assert len({suit_colour(suit, four=False) for suit in Suit}) == 2


def contrast(one: tuple[int, int, int], other: tuple[int, int, int]) -> float:
    """The contrast of two colours by the web's accessibility guidelines (WCAG 2)."""

    def light(colour: tuple[int, int, int]) -> float:
        parts = [part / 255 for part in colour]
        red, green, blue = (
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


def test_suits_stand_out_on_the_card_and_the_card_on_the_felt() -> None:
    for suit in Suit:
        for four in (False, True):
            assert contrast(suit_colour(suit, four=four), PAPER) >= 4.5
    assert contrast(PAPER, FELT) >= 4.5


def test_the_index_is_legible_at_half_size() -> None:
    # At 360 pixels a rank of a hand must be at least 14 pixels high: 28 at full width.
    for card in parse_cards("AS 8H TD QC"):
        sprite = face(card, LARGE, four=False, bare=True).convert("RGB")
        ink = suit_colour(card.suit, four=False)
        rows = [
            y
            for y in range(8, LARGE.height // 3)
            if any(sprite.getpixel((x, y)) == ink for x in range(6, LARGE.strip))
        ]
        assert max(rows) - min(rows) >= 28


def test_a_hand_in_melds_takes_two_rows_and_keeps_melds_whole() -> None:
    melds = [Group(parse_cards(text), melded=True) for text in ("4H 5H 6H", "9S 9D 9C", "JC QC KC")]
    rows = rows_of([*melds, Group(parse_cards("5D"), melded=False)], LARGE, 684, most=2)
    assert len(rows) == 2
    assert [group.cards for row in rows for group in row if group.melded] == [
        meld.cards for meld in melds
    ]
    assert all(fits(row, LARGE, 684) for row in rows)


def test_the_longest_run_fits_one_row() -> None:
    run = Group(parse_cards("AH 2H 3H 4H 5H 6H 7H 8H 9H TH"), melded=True)
    rows = rows_of([run, Group(parse_cards("QS"), melded=False)], LARGE, 684, most=2)
    assert all(fits(row, LARGE, 684) for row in rows)


def test_a_showdown_with_many_cards_laid_off_still_fits() -> None:
    groups = tuple(
        Group(parse_cards(text), melded=True)
        for text in ("3H 4H 5H 6H 7H 8H 9H TH", "9S 9D 9C", "TC JC QC KC")
    )
    hand = OpenHand("Ann", "A", (*groups, *loose("5D")), "deadwood 5", "+20")
    png = draw_showdown(ShowdownDrawing(hand, hand))
    assert opened(png).width == 720


def test_cards_lie_where_they_can_be_seen() -> None:
    # Ten loose cards: five a row; the middle of each is paper, between the rows is felt.
    image = opened(draw_hand(HandDrawing(loose("AS 4S 7S 9S QH 2D 8D KD TC JC"))))
    row = [image.getpixel((x, 100)) for x in range(720)]
    felt = image.getpixel((2, 2))
    edges = sum(1 for left, right in pairwise(row) if left == felt != right)
    assert edges == 5


@pytest.mark.parametrize("name", AWKWARD_NAMES.values(), ids=AWKWARD_NAMES.keys())
def test_any_name_can_stand_at_the_table(name: str) -> None:
    match = table.started().after(table.stacked())
    for picture in table_page(shown(match, people=named(name))).pictures:
        assert opened(picture.render()).width == 720


def test_a_name_that_the_font_lacks_is_given_as_its_seat() -> None:
    assert drawable("漢字", "B") == "B"
    assert drawable("آدا שלום WWW", "B") == "B", "half a name would be another's"
    assert drawable("Annabella Я", "B") == "B"
    assert drawable("🎲 Ann ♥", "B") == "Ann"
    assert drawable("Zoë Åström", "A") == "Zoe Astrom"
    assert drawable("Straße", "A") == "Strasse"
    assert drawable("", "A") == "A"
    assert drawable("🎲🎲🎲x", "A") == "A"


def test_words_that_the_font_lacks_are_left_out() -> None:
    assert words("knock with") == "knock with"
    assert words("Knock ≤") == ""


def test_the_signs_of_a_sum_are_drawn_though_the_font_lacks_them() -> None:
    def ink(sign: str) -> tuple[int, int, int, int]:
        canvas = Image.new("RGB", (60, 60), PAPER)
        write(canvas, (20, 40), sign, 26, INK)
        box = ImageChops.difference(canvas, Image.new("RGB", (60, 60), PAPER)).getbbox()
        assert box is not None
        return box

    assert words("(20 − 4) × 2") == "(20 − 4) × 2"
    plus, minus, times = ink("+"), ink("−"), ink("×")
    assert minus[2] - minus[0] >= plus[2] - plus[0], "a hyphen would read as a dot"
    assert plus[1] < minus[1] < minus[3] < plus[3]
    assert abs((times[2] - times[0]) - (times[3] - times[1])) <= 3
    assert times[3] <= 40, "it stands on the line"


def test_a_doubling_spade_is_told_while_it_is_still_the_up_card() -> None:
    plate = Plate("Ann", "A", (("0", False),), 10, on_turn=True)

    def left_of_stock(doubled: bool, starter: Card | None = None) -> bytes:
        drawing = TableDrawing(
            plate, plate, Card.parse("9S"), False, 31, ("", "9", ""), starter, doubled
        )
        return opened(draw_table(drawing)).crop((20, 100, 150, 320)).tobytes()

    assert left_of_stock(doubled=True) != left_of_stock(doubled=False)
    assert left_of_stock(True, Card.parse("9S")) != left_of_stock(False, Card.parse("9S"))


def test_long_names_are_cut_to_their_room() -> None:
    cut = fitted("Bartholomew the Great", 32, 150)
    assert cut.endswith("..")
    assert font(32).getlength(cut) <= 150
    assert fitted("Ann", 32, 150) == "Ann"


def test_the_palette_holds_all_colours_in_use() -> None:
    image = palette()
    flat = image.getpalette() or []
    colours = set(zip(flat[0::3], flat[1::3], flat[2::3], strict=True))
    assert {FELT, PAPER} | {suit_colour(suit, four=True) for suit in Suit} <= colours


def test_a_back_tells_nothing() -> None:
    assert back(SMALL) is back(SMALL)


def test_the_tables_picture_counts_backs_and_stock_in_its_alt_text() -> None:
    picture = drawn.table_picture(shown(may_knock()))
    assert picture is not None
    assert "Stock: 30" in picture.alt
    assert "Ann holds 11" in picture.alt


def test_an_empty_discard_pile_and_an_empty_hand_can_be_drawn() -> None:
    plate = Plate("Ann", "A", (("0", False),), 0, on_turn=True)
    png = draw_table(TableDrawing(plate, plate, None, False, 0, ("only", "gin", "")))
    assert opened(png).size == (720, 420)


def test_marked_faded_and_plain_cards_differ() -> None:
    card = Card.parse("7H")
    groups = (
        Group((card,), melded=False),
        Group((card,), melded=False, marked=(card,)),
        Group((card,), melded=False, faded=(card,)),
    )
    assert len({draw_hand(HandDrawing((group,))) for group in groups}) == 3
