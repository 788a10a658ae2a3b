"""House options at the table, each by a hand worked out here."""

from __future__ import annotations

import pytest

from gin import DECK, Phase, parse_cards
from playground.acting.people import buttons, text_of
from tests.e2e import laid
from tests.e2e.acting import ByButtons
from tests.e2e.keeper import Keeper
from tests.e2e.laid import GIN, Laid, challenge, hurry, lay_all, press, table_text, typing
from tests.e2e.room import Room

unhurried = laid.unhurried


@pytest.fixture
def keeper(room: Room) -> Keeper:
    return Keeper(room)


async def test_the_fiftieth_card_is_taken_to_knock_or_passed(room: Room, keeper: Keeper) -> None:
    """The stock runs down to two. Ben lays 3♦ away, the last card before that.

    1. Ada has A-A-A, 2-2-2, 3♠ 3♥, 5♥ and K♣. She takes 3♦ and must knock: 5♥ = 5 is left. Ben
       has Q Q 9 9 7 7 J 10 8 4 = 84, so 84 − 5 = 79.
    2. The same cards the other way round: Ada lays 3♦ away, Ben passes, and the hand is void.
    """
    await keeper.play(fiftieth_card="on")
    waits, draws = "AS AH AD 2S 2H 2D 3S 3H 5H KC", "QS QH 9C 9D 7C 7S JD TC 8H 4C"
    used = parse_cards(f"{waits} {draws} 6D 3D")
    rest = [str(card) for card in DECK if card not in used]
    stock = " ".join([*rest[:28], "3D"])
    room.decks.cut("KD", "7H")
    for _hand in range(2):
        room.decks.deal(non_dealer=draws, dealer=waits, starter="6D", stock=stock)
    said, _asked = await challenge(room, room.ada, room.ben, house="house", target=500)
    assert "may be taken to knock with" in said
    ada, ben = ByButtons(room, room.ada), ByButtons(room, room.ben)

    await hurry(room, lambda match: match.hand is not None and match.hand.draws == 29)
    await ben.discard("3D")
    assert "may take 3♦ to knock with it at once, or pass" in table_text(room)
    panel = await room.ada.panel("Take 3♦", room.ada.dm())
    assert {"Take 3♦", "Pass"} <= set(buttons(panel, enabled=True))
    assert "Draw from stock" not in buttons(panel)
    await ada.draw("discard")
    assert "has to knock" in table_text(room)
    (typed,) = typing(room, room.ada)
    async with room.unchanged():
        assert "must knock now" in (await typed.discard("KC")).text
        assert "took that card" in (await typed.knock("3D")).text
    await ada.knock("KC", "as ah ad / 2s 2h 2d / 3s 3h 3d")
    end = await ben.lay_off()
    assert "84 − 5 = **79** for Ada" in end.text

    await hurry(room, lambda match: match.hand is not None and match.hand.draws == 29)
    await ada.discard("3D")
    await ben.refuse()
    assert "Hand 2 is void: only two cards were left in the stock" in table_text(room)
    hand = (await room.match()).hand
    assert hand is not None
    assert (hand.number, hand.dealer) == (3, 1), "Ben deals again"


async def test_big_gin_is_declared_by_button_or_typed_where_it_is_played(
    room: Room, keeper: Keeper
) -> None:
    """Big gin for 60: A-A-A-A, 2-2-2 and 3♠ 3♥ 3♦ with 3♣ taken. 31 + 60, then 19 + 60."""
    await keeper.play(big_gin="60")
    eleven = "AS AH AD AC 2S 2H 2D 3S 3H 3D"
    room.decks.cut("KD", "7H")
    room.decks.deal(eleven, "KS KH KD QS QH QD 6S 8D 9H 8H", starter="3C")
    room.decks.deal(eleven, "KS KH KD QS QH QD 4S 4D 5H 6S", starter="3C")
    said, _asked = await challenge(room, room.ada, room.ben, house="house", target=500)
    assert "Big gin (eleven cards melded) is played, for 60" in said
    ben = ByButtons(room, room.ben)
    await ben.draw("discard")
    panel = await room.ben.panel("Big gin, or gin…", room.ben.dm())
    page = await press(room, room.ben, panel, "Big gin, or gin…")
    assert "Big gin** scores Ada's deadwood plus 60" in page.text
    await press(room, room.ben, page, "Big gin with all eleven")
    assert "Hand 1: Ben has big gin and scores 91" in table_text(room)
    assert "31 + 60 = **91** for Ben" in table_text(room)

    (ada,) = typing(room, room.ada)
    async with room.unchanged():
        await ada.knock("big gin")
    await ada.draw("discard")
    offered = await room.ada.autocomplete(room.table, "gin knock", focused="discard", value="big")
    assert [choice.value for choice in offered] == ["big gin"]
    end = await ada.knock("big gin")
    assert "19 + 60 = **79** for Ada" in end.text


async def test_level_deadwood_without_bonus_and_the_loser_deals(room: Room, keeper: Keeper) -> None:
    """Ben knocks with 8 against 8: Ada wins the hand with no points, and a box. The loser deals.

    Ada deals hand 1 and wins; Ben, the loser, deals hand 2. Ada wins that too, with 20: by turns
    it would be Ada's deal, here Ben deals again.
    """
    await keeper.play(tie="no_bonus", next_dealer="loser")
    ada, ben = typing(room, room.ada, room.ben)
    room.decks.cut("KD", "7H")
    hands = [
        Laid(ben, ada, knocker=ben, knocks_with=8, left=8),
        Laid(ada, ben, knocker=ada, knocks_with=5, left=25),
    ]
    lay_all(room, hands)
    await challenge(room, room.ada, room.ben, house="house")
    await hands[0].play()
    assert "level deadwood, Ada wins the hand with no points" in table_text(room)
    assert "a box for Ada" in table_text(room)
    assert "hand 2 · Ben deals" in table_text(room)
    await hands[1].play()
    assert "hand 3 · Ben deals" in table_text(room)
    sheet = (await room.match()).sheet.games[0]
    assert (sheet.points, sheet.boxes) == ((20, 0), (2, 0))


async def test_boxes_added_at_once_count_towards_the_target(room: Room, keeper: Keeper) -> None:
    """To 50, boxes of 25 at once, no game bonus, a shutout brings 100.

    Ben is gin against 5: 5 + 25 = 30, and the box makes it 55: the game is over. 30 + 25 + 100.
    """
    await keeper.play(box_timing="at_once", game_bonus="0", shutout="plus_100")
    ada, ben = typing(room, room.ada, room.ben)
    hand = Laid(ben, ada, knocker=ben, knocks_with=GIN, left=5)
    room.decks.cut("KD", "7H")
    hand.lay(room.decks)
    await challenge(room, room.ada, room.ben, house="house", target=50)
    end = (await hand.play()).text
    assert "Ben wins the match!" in end
    line = next(line for line in end.splitlines() if line.startswith("Ben: 30 in hands"))
    assert line.endswith("= **155**")
    assert "25" in line
    assert "100" in line


async def test_the_first_to_reach_the_target_can_win_with_the_lower_total(
    room: Room, keeper: Keeper
) -> None:
    """To 50 without a game bonus; Ben wins three hands with 10, then Ada is gin: 31 + 25 = 56.

    Ben has 30 and three boxes, 105; Ada 56 and one, 81. Still Ada wins: she got to 50.
    """
    await keeper.play(winner="first_to_target", game_bonus="0")
    ada, ben = typing(room, room.ada, room.ben)
    hands = [
        Laid(ben, ada, knocker=ben, knocks_with=9, left=19),
        Laid(ada, ben, knocker=ben, knocks_with=9, left=19),
        Laid(ben, ada, knocker=ben, knocks_with=9, left=19),
        Laid(ada, ben, knocker=ada, knocks_with=GIN, left=31),
    ]
    room.decks.cut("KD", "7H")
    lay_all(room, hands)
    said, _asked = await challenge(room, room.ada, room.ben, house="house", target=50)
    assert "The first to reach the target wins" in said
    for hand in hands:
        end = await hand.play()
    assert "Ada wins the match!" in end.text
    assert "= **81**" in end.text
    assert "= **105**" in end.text
    assert "got to the target first" in end.text


async def test_a_card_between_two_runs_may_not_be_laid_off_by_the_strict_rule(
    room: Room, keeper: Keeper
) -> None:
    """Ben lays 3♠ 4♠ 5♠, 8♠ 9♠ 10♠ and three kings, and knocks with 2.

    Ada has three queens, three jacks, 6♠ 7♠ 4♦ 9♣. She may lay 6♠ or 7♠, and then not the other,
    which lies between the two runs. Best is 7♠: 6 + 4 + 9 = 19 are left, and Ben scores 17.
    """
    await keeper.play(strict_bridge="on")
    room.decks.cut("KD", "7H")
    room.decks.deal(
        non_dealer="3S 4S 5S 8S 9S KH KD KC 2H 6D",
        dealer="6S 7S QS QH QD JH JD JC 4D 9C",
        starter="TS",
    )
    await challenge(room, room.ada, room.ben, house="house")
    ada, (ben,) = ByButtons(room, room.ada), typing(room, room.ben)
    await ben.draw("discard")
    await ben.knock("6D", "3s 4s 5s / 8s 9s ts / kh kd kc")
    page = await room.ada.panel("My own way", room.ada.dm())
    assert "lay off 7♠" in text_of(page)
    async with room.unchanged():
        form = await room.ada.press(page, "My own way")
        refused = await room.ada.submit(form, {"cards": "6s 7s", "melds": "qs qh qd / jh jd jc"})
        assert "7♠ lies next to the ends of two of the knocker's runs" in refused.text
    end = await ada.lay_off("7s", "qs qh qd / jh jd jc")
    assert "19 − 2 = **17** for Ben" in end.text


async def test_a_hand_is_void_after_as_many_draws_as_the_house_allows(
    room: Room, keeper: Keeper
) -> None:
    """Thirty draws, of which Ada makes the last: 3♦. The gin bonus here is 40.

    1. She lays 3♦ away: void, with three cards in the stock. She deals again.
    2. The same again, but she goes gin (A-A-A-A, 2-2-2, 3-3-3). Ben has
       Q 9 9 7 7 J 10 8 4 6 = 10 + 9 + 9 + 7 + 7 + 10 + 10 + 8 + 4 + 6 = 80, and 80 + 40 = 120.
    """
    await keeper.play(draw_cap="30", gin_bonus="40")
    adas, bens = "AS AH AD AC 2S 2H 2D 3S 3H KC", "QS QH 9C 9D 7C 7S JD TC 8H 4C"
    used = parse_cards(f"{adas} {bens} 6D 3D")
    rest = [str(card) for card in DECK if card not in used]
    room.decks.cut("KD", "7H")
    for _hand in range(2):
        room.decks.deal(bens, adas, starter="6D", stock=" ".join([*rest[:27], "3D"]))
    said, _asked = await challenge(room, room.ada, room.ben, house="house", target=500)
    assert "A hand is void after 30 draws" in said
    ada, ben = ByButtons(room, room.ada), ByButtons(room, room.ben)

    async def to_the_last_draw() -> str:
        """Ben takes 6♦ for Q♠, Ada that for K♣, then 28 from the stock; what Ada reads then."""
        await ben.draw("discard")
        await ben.discard("QS")
        await ada.draw("discard")
        await ada.discard("KC")
        await hurry(room, lambda match: match.hand is not None and match.hand.draws == 28)
        await hurry(room, lambda match: match.hand is not None and match.hand.phase is Phase.DRAW)
        assert "2 draws are left before the hand is void" in table_text(room)
        await hurry(room, lambda match: match.hand is not None and match.hand.draws == 30)
        return text_of(await room.ada.panel("Refresh", room.ada.dm()))

    assert "That was the last draw of the hand" in await to_the_last_draw()
    await ada.discard("3D")
    assert "Hand 1 is void: too many draws" in table_text(room)
    assert "Ada deals again" in table_text(room)
    await to_the_last_draw()
    end = await ada.knock("QS")
    assert "80 + 40 = **120** for Ada" in end.text
