"""The one way in: who acts, at which version, how often; and the log as the only truth.

Ada (seat A) has cut KD and deals; Ben (seat B) cut 7H and is to act first. In each hand Ben holds
ace to ten of spades and Ada those of hearts; up is JD, and the stock begins with JS and QS.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path

import pytest
from structlog.testing import capture_logs

import bot.play.tables
from bot.now import utc_now
from bot.play.table import Table
from bot.play.tables import Intent, NewTable, Tables
from bot.refusals import NoSuchMatch, NotAtThisTable, NotPossibleNow, OldControl, Refusal
from db.ids import ChannelId, InteractionId, MatchId, PersonId
from db.matches import Matches
from db.rows import LogEntry, MatchStatus
from db.store import Store
from gin import (
    DECK,
    Card,
    Discard,
    Draw,
    Forfeit,
    Knock,
    Match,
    Pass,
    Phase,
    Pile,
    Play,
    Resign,
    Seat,
    best_arrangement,
    parse_cards,
    view,
)
from gin.actions import Action
from gin.rules import Rules
from tests.db.house import ANN, BOB, CAT, CLUB, LOUNGE

ADA, BEN, CLEO = ANN, BOB, CAT
DEALT = [
    card
    for pair in zip(DECK[0:10], DECK[13:23], strict=True)  # spades to Ben, hearts to Ada
    for card in pair
]
FIRST = [*DEALT, Card.parse("JD")]
LAID = (*FIRST, *(card for card in DECK if card not in FIRST))
_numbers = count(1_400_000_000_000_000_000)


def doing(action: Action) -> Intent:
    return lambda _match, seat: Play(seat, action)


PASS, STOCK = doing(Pass()), doing(Draw(Pile.STOCK))


def an_interaction() -> InteractionId:
    return InteractionId(next(_numbers))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "house.db"


@pytest.fixture
async def store(file: Path) -> AsyncIterator[Store]:
    opened = await Store.open(f"sqlite+aiosqlite:///{file}")
    yield opened
    await opened.close()


@pytest.fixture
async def other_store(store: Store, file: Path) -> AsyncIterator[Store]:
    """Another process on the same file."""
    opened = await Store.open(f"sqlite+aiosqlite:///{file}")
    yield opened
    await opened.close()


@pytest.fixture
def tables(store: Store, monkeypatch: pytest.MonkeyPatch) -> Tables:
    cut = parse_cards("KD 7H")
    monkeypatch.setattr(bot.play.tables, "cut_cards", lambda _seed, _players: cut)
    monkeypatch.setattr(bot.play.tables, "hand_deck", lambda _seed, _number: LAID)
    return Tables(store, utc_now)


@pytest.fixture
async def match(store: Store, tables: Tables) -> MatchId:
    async with store.transaction() as tx:
        table = await tables.open(tx, NewTable(CLUB, LOUNGE, (ADA, BEN), Rules()))
    return table.id


async def log_of(store: Store, match: MatchId) -> tuple[LogEntry, ...]:
    async with store.reading() as tx:
        return await tx.matches.log(match)


async def texts(store: Store, match: MatchId) -> list[str]:
    """The log after cut and deal."""
    return [entry.text for entry in (await log_of(store, match))[2:]]


async def refusals(acts: list[asyncio.Task[Table]]) -> list[BaseException]:
    """Wait for all of them; those that were refused."""
    outcomes = await asyncio.gather(*acts, return_exceptions=True)
    return [outcome for outcome in outcomes if isinstance(outcome, BaseException)]


# ------------------------------------------------------------------------------- the opening


async def test_a_match_opens_with_its_cut_and_its_first_deal(
    store: Store, tables: Tables, match: MatchId
) -> None:
    log = await log_of(store, match)
    assert [entry.text.split()[0] for entry in log] == ["cut", "deal"]
    assert all(entry.actor is None and entry.seat is None for entry in log)
    table = await tables.load(match)
    assert table is not None
    assert table.head == 2
    assert table.match.to_move is Seat.B
    assert table.people == (ADA, BEN)


async def test_a_match_whose_transaction_is_undone_was_never_there(
    store: Store, tables: Tables
) -> None:
    opened: list[MatchId] = []

    async def fails_after_opening() -> None:
        async with store.transaction() as tx:
            table = await tables.open(tx, NewTable(CLUB, LOUNGE, (ADA, BEN), Rules()))
            opened.append(table.id)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fails_after_opening()
    assert await tables.load(opened[0]) is None


# ----------------------------------------------------------------------------- one at a time


async def test_a_hundred_presses_at_one_version_leave_exactly_one_in_the_log(
    store: Store, tables: Tables, match: MatchId
) -> None:
    presses = [
        asyncio.create_task(tables.act(match, BEN, PASS, version=2, interaction=an_interaction()))
        for _press in range(100)
    ]
    refused = await refusals(presses)
    assert len(refused) == 99
    assert all(type(error) is OldControl for error in refused)
    assert await texts(store, match) == ["B pass"]


async def test_a_hundred_typed_commands_at_once_act_as_often_as_the_rules_allow(
    store: Store, tables: Tables, match: MatchId
) -> None:
    typed = [
        asyncio.create_task(tables.act(match, person, PASS, interaction=an_interaction()))
        for _command in range(50)
        for person in (ADA, BEN)
    ]
    refused = await refusals(typed)
    assert len(refused) == 98
    assert all(type(error) is NotPossibleNow for error in refused)
    assert await texts(store, match) == ["B pass", "A pass"]


async def test_presses_in_two_processes_leave_exactly_one_in_the_log(
    store: Store, other_store: Store, tables: Tables, match: MatchId
) -> None:
    others = Tables(other_store, utc_now)
    presses = [
        asyncio.create_task(house.act(match, BEN, PASS, version=2, interaction=an_interaction()))
        for _press in range(20)
        for house in (tables, others)
    ]
    refused = await refusals(presses)
    assert len(refused) == 39
    assert all(type(error) is OldControl for error in refused)
    assert await texts(store, match) == ["B pass"]


async def test_a_typed_command_is_applied_anew_when_another_process_was_quicker(
    store: Store, other_store: Store, tables: Tables, match: MatchId
) -> None:
    others = Tables(other_store, utc_now)
    await others.load(match)
    await tables.act(match, BEN, PASS)
    await tables.act(match, ADA, PASS)
    # The other process still remembers version 2, at which Ben could not draw from the stock.
    table = await others.act(match, BEN, STOCK)
    assert table.head == 5
    assert await texts(store, match) == ["B pass", "A pass", "B draw stock"]
    newest = await tables.load(match)
    assert newest is not None
    assert newest.match == table.match


async def test_a_press_at_a_version_that_passed_in_another_process_is_refused(
    store: Store, other_store: Store, tables: Tables, match: MatchId
) -> None:
    others = Tables(other_store, utc_now)
    await others.load(match)
    await tables.act(match, BEN, PASS)
    with pytest.raises(OldControl):
        await others.act(match, BEN, PASS, version=2)
    after = await others.act(match, ADA, PASS, version=3)
    assert after.head == 4


async def test_acts_on_different_matches_do_not_wait_for_each_other(
    store: Store, tables: Tables, match: MatchId
) -> None:
    async with store.transaction() as tx:
        second = (await tables.open(tx, NewTable(CLUB, LOUNGE, (ADA, CLEO), Rules()))).id
    held = tables._lock(match)
    async with held:
        await asyncio.wait_for(tables.act(second, CLEO, PASS), timeout=20)
    assert await texts(store, second) == ["B pass"]
    assert await texts(store, match) == []


# ---------------------------------------------------------------------------------- repeats


async def test_a_redelivered_interaction_acts_once_though_it_would_be_legal_again(
    store: Store, tables: Tables, match: MatchId
) -> None:
    drawing = an_interaction()
    await tables.act(match, BEN, PASS)
    await tables.act(match, ADA, PASS)
    await tables.act(match, BEN, STOCK, interaction=drawing)
    await tables.act(match, BEN, doing(Discard(Card.parse("JS"))))
    await tables.act(match, ADA, STOCK)
    await tables.act(match, ADA, doing(Discard(Card.parse("QS"))))
    before = await log_of(store, match)
    for house in (tables, Tables(store, utc_now)):  # also after a restart
        with pytest.raises(OldControl):
            await house.act(match, BEN, STOCK, interaction=drawing)
    assert await log_of(store, match) == before
    await tables.act(match, BEN, STOCK, interaction=an_interaction())


async def test_the_interaction_and_its_actor_stand_on_the_act_and_not_on_what_follows_from_it(
    store: Store, tables: Tables, match: MatchId
) -> None:
    """Ben goes gin, and the next hand is dealt."""
    gin = an_interaction()
    await reach_gin(tables, match)
    await tables.act(match, BEN, knocking, interaction=gin)
    act, deal = (await log_of(store, match))[-2:]
    assert act.text.startswith("B knock ")
    assert (act.actor, act.seat, act.interaction_id) == (BEN, Seat.B, gin)
    assert deal.text.startswith("deal ")
    assert (deal.actor, deal.seat, deal.interaction_id) == (None, None, None)


# --------------------------------------------------------------------------------- refusals


def _fails(_match: Match, _seat: Seat) -> Play:
    raise ZeroDivisionError


@pytest.mark.parametrize(
    ("person", "intent", "version", "error"),
    [
        (CLEO, PASS, None, NotAtThisTable),
        (CLEO, PASS, 2, NotAtThisTable),
        (ADA, PASS, None, NotPossibleNow),
        (BEN, STOCK, None, NotPossibleNow),
        (BEN, STOCK, 2, NotPossibleNow),
        (BEN, PASS, 1, OldControl),
        (BEN, PASS, 3, OldControl),
        (BEN, doing(Discard(Card.parse("AS"))), None, NotPossibleNow),
        (BEN, doing(Knock(Card.parse("AS"), ())), None, NotPossibleNow),
        (BEN, _fails, None, ZeroDivisionError),
    ],
)
async def test_a_refused_act_leaves_log_and_match_as_they_were(
    store: Store,
    tables: Tables,
    match: MatchId,
    person: PersonId,
    intent: Intent,
    version: int | None,
    error: type[Exception],
) -> None:
    before, table = await log_of(store, match), await tables.load(match)
    with pytest.raises(error):
        await tables.act(match, person, intent, version=version, interaction=an_interaction())
    assert await log_of(store, match) == before
    assert await tables.load(match) == table
    await tables.act(match, BEN, PASS, version=2)


async def test_an_unknown_match_is_refused_with_a_sentence(tables: Tables, match: MatchId) -> None:
    with pytest.raises(NoSuchMatch, match="/gin status"):
        await tables.act(MatchId(match + 1), BEN, PASS)


async def test_every_refusal_says_what_to_do(tables: Tables, match: MatchId) -> None:
    async def said(person: PersonId, intent: Intent) -> str:
        with pytest.raises(Refusal) as caught:
            await tables.act(match, person, intent)
        return caught.value.sentence

    discard = doing(Discard(Card.parse("AS")))
    assert "take it or pass" in await said(BEN, STOCK)
    assert "`/gin pass`" in await said(BEN, discard)
    await tables.act(match, BEN, PASS)
    assert "It isn't your turn yet" in await said(BEN, PASS)
    await tables.act(match, ADA, PASS)
    assert "Draw a card first" in await said(BEN, discard)
    assert "Draw from the stock" in await said(BEN, doing(Draw(Pile.DISCARD)))
    await tables.act(match, BEN, STOCK)
    assert "Now discard a card, or knock" in await said(BEN, STOCK)
    assert "You don't hold " in await said(BEN, doing(Discard(Card.parse("KC"))))
    knock = doing(Knock(Card.parse("JS"), ()))
    assert "the limit is 10" in await said(BEN, knock)


# ------------------------------------------------------------------------------ the log rules


async def test_what_is_in_memory_is_the_match_that_the_log_replays_to(
    store: Store, tables: Tables, match: MatchId
) -> None:
    await reach_gin(tables, match)
    table = await tables.act(match, BEN, knocking)
    fresh = await Tables(store, utc_now).load(match)
    assert fresh is not None
    assert table.match == fresh.match
    assert (table.head, table.dealt_at, table.last_act) == (
        fresh.head,
        fresh.dealt_at,
        fresh.last_act,
    )
    assert len(table.match.results) == 1
    assert table.match.hand is not None
    assert table.match.hand.phase is Phase.UPCARD


async def test_an_old_state_that_comes_late_does_not_take_the_place_of_a_newer_one(
    tables: Tables, match: MatchId
) -> None:
    old = await tables.load(match)
    assert old is not None
    newest = await tables.act(match, BEN, PASS)
    tables._keep(old, tables._forgotten)
    assert tables.remembered(match) == newest


async def test_a_table_moved_by_another_process_is_found_there_though_the_log_is_silent(
    other_store: Store, tables: Tables, match: MatchId
) -> None:
    await tables.load(match)
    elsewhere = ChannelId(LOUNGE + 1)
    async with other_store.transaction() as tx:
        await tx.matches.set_channel(match, elsewhere)
    await tables.act(match, BEN, PASS)  # made from what was remembered
    table = await tables.load(match)
    assert table is not None
    assert (table.channel, table.head) == (elsewhere, 3)


async def test_a_match_that_ends_is_settled_in_the_transaction_of_its_last_act(
    store: Store, tables: Tables, match: MatchId
) -> None:
    table = await tables.act(match, BEN, lambda _match, seat: Resign(seat))
    assert table.is_over
    assert table.row.status is MatchStatus.FINISHED
    async with store.reading() as tx:
        row = await tx.matches.get(match)
        results = await tx.matches.results(match)
    assert row is not None
    assert row.status is MatchStatus.FINISHED
    assert row.ended_at is not None
    assert [(line.person_id, line.place, line.won) for line in results] == [
        (ADA, 1, True),
        (BEN, 2, False),
    ]
    for person in (ADA, BEN):
        with pytest.raises(NotPossibleNow, match="This match is over"):
            await tables.act(match, person, PASS)
    with pytest.raises(OldControl):
        await tables.act(match, BEN, lambda _match, seat: Forfeit(seat), version=2)


async def test_an_end_that_cannot_be_settled_did_not_happen(
    store: Store, tables: Tables, match: MatchId, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def failing(*_args: object, **_named: object) -> None:
        raise ZeroDivisionError

    before = await log_of(store, match)
    with monkeypatch.context() as patched:
        patched.setattr(Matches, "finish", failing)
        with pytest.raises(ZeroDivisionError):
            await tables.act(match, BEN, lambda _match, seat: Resign(seat))
    assert await log_of(store, match) == before
    after = await tables.act(match, BEN, PASS, version=2)
    assert not after.is_over


async def test_what_is_logged_of_an_act_names_no_card(tables: Tables, match: MatchId) -> None:
    with capture_logs() as logged:
        await reach_gin(tables, match)
        await tables.act(match, BEN, knocking)
    assert {line["event"] for line in logged} == {"acted"}
    assert {key for line in logged for key in line} <= {
        "event", "log_level", "match", "seat", "version",
    }  # fmt: skip


def knocking(match: Match, seat: Seat) -> Play:
    """Gin with what the seat holds: the card just drawn goes."""
    hand = view(match, seat).hand
    assert hand is not None
    assert hand.cards is not None
    assert hand.drawn is not None
    rest = [card for card in hand.cards if card != hand.drawn]
    return Play(seat, Knock(hand.drawn, best_arrangement(rest).melds))


async def reach_gin(tables: Tables, match: MatchId) -> None:
    """Until Ben has drawn."""
    for person, intent in ((BEN, PASS), (ADA, PASS), (BEN, STOCK)):
        await tables.act(match, person, intent)
