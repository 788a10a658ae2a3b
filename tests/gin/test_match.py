from dataclasses import replace

import pytest

from gin.actions import Pass, Seat
from gin.cards import DECK
from gin.cut import CutRound
from gin.errors import (
    MalformedCut,
    MalformedDeck,
    MatchOver,
    NotInHand,
    NotSeated,
    NotYourTurn,
    WrongPhase,
)
from gin.events import Cancel, Cut, Deal, Event, Forfeit, ForfeitHand, Needs, Play, Resign
from gin.match import Match
from gin.results import Decision, Ending, MatchOutcome, Reason
from gin.rules import OKLAHOMA, BoxTiming, NextDealer, Rules, Scoring, Shutout, Tie, Winner
from gin.sheet import Settlement
from tests.gin.table import (
    DEFENDER,
    KNOCKER,
    PASSES,
    PLAIN,
    SPREAD,
    A,
    B,
    C,
    cards,
    play,
    stacked,
    started,
    undercut,
    void,
    won,
)


def outcome(match: Match) -> MatchOutcome:
    assert match.outcome is not None
    return match.outcome


def settled(match: Match, seat: Seat) -> Settlement:
    settlement = match.sheet.games[0].settlement
    assert settlement is not None
    return settlement[seat]


def after_hands(rules: Rules, *hands: tuple[Seat, int]) -> Match:
    match = started(rules)
    for winner, points in hands:
        match = won(match, winner, points)
    return match


def all_gin(rules: Rules) -> Rules:
    """The same rules without a gin bonus, so that hands may bring any points."""
    return replace(rules, gin_bonus=0)


# What a match waits for


def test_a_match_waits_for_the_cut_then_a_deal_then_plays_then_the_next_deal() -> None:
    match = Match.start(PLAIN)
    assert (match.needs, match.to_move, match.first_dealer) == (Needs.CUT, None, None)
    match = match.after(Cut(cards("7H KD")))
    assert (match.needs, match.to_move) == (Needs.DEAL, None)
    match = match.after(stacked())
    assert (match.needs, match.to_move) == (Needs.PLAY, A)
    match = won(started(), A, 20)
    assert (match.needs, match.to_move) == (Needs.DEAL, None)
    assert match.legal_actions() == ()


def test_the_higher_cut_deals_and_the_cut_is_kept_round_by_round() -> None:
    match = Match.start(PLAIN).after(Cut(cards("7H 7S 2D 9C")))
    assert match.first_dealer is B
    seven, other, two, nine = cards("7H 7S 2D 9C")
    assert match.cut == (
        CutRound(((A, seven), (B, other))),
        CutRound(((A, two), (B, nine))),
    )
    assert Match.start(PLAIN).after(Cut(cards("KD 7H"))).first_dealer is A


def test_an_event_out_of_its_moment_is_refused() -> None:
    new, cut = Match.start(PLAIN), started()
    dealt = cut.after(stacked())
    for match, event in (
        (new, stacked()),
        (new, Play(A, Pass())),
        (cut, Cut(cards("7H KD"))),
        (cut, Play(A, Pass())),
        (dealt, Cut(cards("7H KD"))),
        (dealt, stacked()),
    ):
        refuses(match, event, WrongPhase)


def refuses(match: Match, event: Event, error: type[Exception]) -> None:
    before = (match.events, match.hand, match.sheet)
    with pytest.raises(error):
        match.verify(event)
    with pytest.raises(error):
        match.after(event)
    assert (match.events, match.hand, match.sheet) == before


def test_cards_that_are_no_cut_or_no_deck_are_malformed() -> None:
    refuses(Match.start(PLAIN), Cut(cards("7H 7S")), MalformedCut)
    refuses(started(), Deal(DECK[:51]), MalformedDeck)


def test_a_seat_that_the_match_does_not_have_is_refused() -> None:
    match = started().after(stacked())
    for event in (Play(C, Pass()), Resign(C), Forfeit(C)):
        refuses(match, event, NotSeated)
    refuses(match, Play(B, Pass()), NotYourTurn)


def test_whether_an_event_is_possible_can_be_asked() -> None:
    match = started().after(stacked())
    assert match.can(Play(A, Pass()))
    assert not match.can(Play(B, Pass()))
    assert match.can(Resign(B))
    assert match.can(Cancel())
    assert match.can(Forfeit(A))
    assert started().can(stacked())
    assert Match.start(PLAIN).can(Cut(cards("7H KD")))


def test_a_refused_act_leaves_the_match_as_it_was() -> None:
    match = play(started().after(stacked(KNOCKER, DEFENDER, "TS", "KD")), "A pass", "B pass")
    match = play(match, "A draw stock")
    with pytest.raises(NotInHand):
        play(match, "A discard AH")
    assert play(match, f"A knock KD {SPREAD}").hand is not None


# Who deals


def dealers(match: Match) -> list[Seat]:
    return [result.dealer for result in match.results]


def test_the_deal_alternates_whoever_wins() -> None:
    match = after_hands(PLAIN, (A, 10), (A, 10), (B, 10), (A, 10))
    assert dealers(match) == [B, A, B, A]


def test_the_loser_may_deal_next() -> None:
    rules = Rules(next_dealer=NextDealer.LOSER)
    match = after_hands(rules, (A, 10), (A, 10), (B, 10), (A, 10))
    assert dealers(match) == [B, B, B, A]


def test_the_winner_may_deal_next() -> None:
    rules = Rules(next_dealer=NextDealer.WINNER)
    match = after_hands(rules, (A, 10), (A, 10), (B, 10), (A, 10))
    assert dealers(match) == [B, A, A, B]


@pytest.mark.parametrize("next_dealer", list(NextDealer))
def test_after_a_void_hand_the_same_dealer_deals_again(next_dealer: NextDealer) -> None:
    match = void(void(started(Rules(next_dealer=next_dealer))))
    assert dealers(match) == [B, B]
    assert match.next_pairing is not None
    assert match.next_pairing.dealer is B
    assert match.voids_in_a_row == 2
    assert [result.number for result in match.results] == [1, 2]
    assert match.sheet.totals == (0, 0)
    assert won(match, A, 10).voids_in_a_row == 0


# The game


def test_a_game_is_settled_with_game_bonus_and_boxes() -> None:
    #   A: 24 + 30 + 25 + 25 = 104 in four hands, B: 20 + 20 + 21 = 61 in three
    match = after_hands(PLAIN, (A, 24), (B, 20), (A, 30), (B, 20), (A, 25), (B, 21), (A, 25))
    assert settled(match, A) == Settlement(A, 104, 100, 4, 100, 0, 304)
    assert settled(match, B) == Settlement(B, 61, 0, 3, 75, 0, 136)
    assert match.sheet.games[0].scorer is A
    assert match.sheet.games[0].winner is A
    assert match.needs is None
    assert outcome(match) == MatchOutcome(
        reason=Reason.PLAYED_OUT,
        winner=A,
        places=(1, 2),
        totals=(304, 136),
        gave_up=None,
        decided_by=Decision.TOTAL,
        points=(104, 61),
        hands_won=(4, 3),
        hands_played=(7, 7),
    )


def test_the_sheet_lists_each_won_hand_with_the_points_so_far() -> None:
    match = won(void(after_hands(PLAIN, (A, 24), (B, 20))), A, 30)
    lines = [(one.hand, one.seat, one.points, one.running) for one in match.sheet.games[0].entries]
    assert lines == [(1, A, 24, 24), (2, B, 20, 20), (4, A, 30, 54)]
    assert match.sheet.games[0].points == match.sheet.totals == (54, 20)
    assert match.sheet.games[0].boxes == (2, 1)


def test_a_game_goes_on_below_the_target_and_ends_on_it() -> None:
    assert after_hands(PLAIN, (A, 50), (A, 49)).outcome is None
    assert outcome(after_hands(PLAIN, (A, 50), (A, 50))).winner is A
    assert after_hands(Rules(target=150), (A, 50), (A, 50)).outcome is None


def test_boxes_do_not_count_towards_the_target() -> None:
    #   A: 90 points and four boxes
    match = after_hands(PLAIN, (A, 30), (A, 30), (B, 40), (A, 20), (A, 10))
    assert match.outcome is None


def test_boxes_added_at_once_count_towards_the_target_and_are_not_added_again() -> None:
    #   A: 20 + 25, 15 + 25, 1 + 25 = 36 points and 75 for boxes: 111
    rules = Rules(box_timing=BoxTiming.AT_ONCE)
    match = after_hands(rules, (A, 20), (A, 15))
    assert match.sheet.games[0].points == (85, 0)
    assert [(one.points, one.box) for one in match.sheet.games[0].entries] == [(45, 25), (40, 25)]
    match = won(match, A, 1)
    assert settled(match, A) == Settlement(A, 36, 100, 3, 75, 0, 211)
    assert outcome(match).points == (36, 0)


def test_the_game_bonus_goes_to_the_undercutter_who_reaches_the_target() -> None:
    match = after_hands(PLAIN, (B, 40), (B, 40))
    match = undercut(match, B, 26)
    assert match.results[-1].ending is Ending.UNDERCUT
    assert settled(match, B) == Settlement(B, 106, 100, 3, 75, 0, 281)


def test_an_undercut_wins_its_maker_the_box() -> None:
    match = undercut(started(), B, 28)
    assert match.sheet.games[0].points == (0, 28)
    assert match.sheet.games[0].boxes == (0, 1)


def test_who_reaches_the_target_can_lose_to_more_boxes() -> None:
    #   A: 60 + 40 = 100, bonus 10, two boxes: 160. B: 5 x 19 = 95, five boxes: 220
    rules = Rules(game_bonus=10)
    hands = [(A, 60)] + [(B, 19)] * 5 + [(A, 40)]
    match = after_hands(rules, *hands)
    assert match.sheet.games[0].scorer is A
    assert match.sheet.games[0].winner is B
    assert match.sheet.totals == (160, 220)
    assert (outcome(match).winner, outcome(match).places) == (B, (2, 1))
    assert outcome(match).decided_by is Decision.TOTAL


def test_the_house_may_give_the_game_to_who_reaches_the_target() -> None:
    rules = Rules(game_bonus=10, winner=Winner.FIRST_TO_TARGET)
    match = after_hands(rules, (A, 60), *[(B, 19)] * 5, (A, 40))
    assert match.sheet.totals == (160, 220)
    assert (outcome(match).winner, outcome(match).places) == (A, (1, 2))
    assert outcome(match).decided_by is Decision.FIRST_TO_TARGET


@pytest.mark.parametrize(("one", "two"), [(A, B), (B, A)])
def test_a_level_final_total_goes_to_who_reached_the_target(one: Seat, two: Seat) -> None:
    #   no bonus: one 60 + 40 and two boxes: 150; two 10, 10, 10, 20 and four boxes: 150
    hands = ((one, 60), (two, 10), (two, 10), (two, 10), (two, 20), (one, 40))
    match = after_hands(Rules(game_bonus=0), *hands)
    assert match.sheet.totals == (150, 150)
    assert match.sheet.games[0].winner is outcome(match).winner is one
    assert outcome(match).places[one] == 1
    assert outcome(match).places[two] == 2
    assert outcome(match).decided_by is Decision.REACHED_TARGET


@pytest.mark.parametrize(
    ("shutout", "bonus"), [(Shutout.NONE, 0), (Shutout.DOUBLE, 285), (Shutout.PLUS_100, 100)]
)
def test_a_shutout_is_paid_as_the_house_plays_it(shutout: Shutout, bonus: int) -> None:
    #   A: 40 + 40 + 30 = 110, bonus 100, three boxes: 285
    match = after_hands(Rules(shutout=shutout), (A, 40), (A, 40), (A, 30))
    assert settled(match, A) == Settlement(A, 110, 100, 3, 75, bonus, 285 + bonus)
    assert settled(match, B) == Settlement(B, 0, 0, 0, 0, 0, 0)


def test_one_hand_won_is_no_shutout_even_without_points() -> None:
    rules = Rules(shutout=Shutout.DOUBLE, tie=Tie.NO_BONUS)
    match = won(started(rules), A, 40)
    match = play(match.after(stacked("2C 3C 4C 7S 7D 7H QS QD QH 5S", KNOCKER, "TS", "8D KD")))
    match = play(match, "B pass", "A pass", "B draw stock", "B discard 8D", "A draw stock")
    match = play(match, f"A knock KD {SPREAD}", "B layoff 2C3C4C/7S7D7H/QSQDQH -")
    assert match.results[-1].ending is Ending.TIE_NO_BONUS
    assert match.sheet.games[0].boxes == (1, 1)
    match = won(match, A, 60)
    assert settled(match, A).shutout_bonus == 0
    assert match.sheet.totals == (250, 25)


# Giving up


def at_layoff(match: Match) -> Match:
    """A knocks KNOCKER with five points against B's DEFENDER with 25; B is to lay off."""
    match = match.after(stacked(KNOCKER, DEFENDER, "TS", "KD"))
    return play(match, "A pass", "B pass", "A draw stock", f"A knock KD {SPREAD}")


@pytest.mark.parametrize("seat", [A, B])
def test_a_player_may_resign_off_turn_before_the_cut_and_between_hands(seat: Seat) -> None:
    for match in (
        Match.start(PLAIN),
        started(),
        started().after(stacked()),
        won(started(), A, 20),
        at_layoff(started()),
    ):
        over = outcome(match.after(Resign(seat)))
        assert over.reason is Reason.RESIGNED
        assert over.gave_up is seat
        assert over.winner is (B if seat is A else A)
        assert over.places == ((2, 1) if seat is A else (1, 2))
        assert over.decided_by is Decision.GAVE_UP


def test_a_hand_in_which_nobody_has_knocked_is_void_when_a_player_resigns() -> None:
    match = won(started(), A, 20).after(stacked()).after(Resign(B))
    assert match.results[-1].ending is Ending.ABANDONED
    assert match.sheet.totals == (45, 0)
    assert settled(match, A) == Settlement(A, 20, 0, 1, 25, 0, 45)
    assert outcome(match).hands_played == (1, 1)


@pytest.mark.parametrize("event", [Resign(A), Resign(B), Forfeit(B)])
def test_after_a_knock_the_hand_is_scored_with_the_defenders_best_play(event: Event) -> None:
    match = at_layoff(started()).after(event)
    assert (match.results[-1].ending, match.results[-1].points) == (Ending.KNOCK, 20)
    assert match.results[-1].by_house
    assert match.sheet.totals == (45, 0)


def test_who_gives_up_is_last_whatever_the_totals() -> None:
    match = after_hands(PLAIN, (A, 50), (A, 40), (B, 10)).after(Resign(A))
    assert match.sheet.totals == (140, 35)
    assert (outcome(match).winner, outcome(match).places) == (B, (2, 1))


def test_no_game_bonus_and_no_shutout_is_paid_for_a_target_that_was_not_reached() -> None:
    match = after_hands(Rules(shutout=Shutout.DOUBLE), (A, 50), (A, 40)).after(Resign(B))
    assert settled(match, A) == Settlement(A, 90, 0, 2, 50, 0, 140)
    assert match.sheet.games[0].scorer is None


def test_the_bonus_is_earned_if_the_last_scoring_reaches_the_target() -> None:
    #   81 and the 20 of the knock
    match = at_layoff(after_hands(all_gin(PLAIN), (A, 41), (B, 10), (A, 40), (B, 5)))
    assert match.after(Resign(B)).sheet.totals == (101 + 100 + 75, 15 + 50)
    given_up = match.after(Resign(A))
    assert given_up.sheet.totals == (276, 65)
    assert outcome(given_up).places == (2, 1)
    assert outcome(given_up).reason is Reason.RESIGNED


def test_boxes_added_at_once_stand_when_a_player_resigns() -> None:
    match = won(started(Rules(box_timing=BoxTiming.AT_ONCE)), A, 20).after(Resign(A))
    assert settled(match, A) == Settlement(A, 20, 0, 1, 25, 0, 45)


def test_a_forfeit_is_a_resignation_by_order() -> None:
    match = won(started(), A, 20).after(Forfeit(A))
    assert outcome(match).reason is Reason.FORFEITED
    assert (outcome(match).winner, outcome(match).gave_up) == (B, A)


def test_a_forfeited_hand_is_the_opponents_and_the_match_goes_on() -> None:
    #   DEFENDER holds 25; 25 more as for gin, and the winner's box and the deal as after any hand
    match = play(started().after(stacked(DEFENDER, KNOCKER, "TS", "KD")), "A pass")
    match = play(match, "B pass").after(ForfeitHand(A))
    (result,) = match.results
    assert (result.ending, result.winner, result.loser) == (Ending.FORFEITED, B, A)
    assert (result.difference, result.bonus, result.points) == (25, 25, 50)
    assert (match.needs, match.sheet.games[0].points) == (Needs.DEAL, (0, 50))
    assert match.next_pairing is not None
    assert match.next_pairing.dealer is A


def test_eleven_cards_count_when_a_hand_is_forfeited_after_a_draw() -> None:
    #   DEFENDER's 25 and the king just drawn
    match = started().after(stacked(DEFENDER, KNOCKER, "TS", "KD"))
    match = play(match, "A pass", "B pass", "A draw stock").after(ForfeitHand(A))
    assert match.results[-1].difference == 35


def test_a_defender_who_forfeits_loses_to_the_knocker_whatever_he_holds() -> None:
    #   B holds QS QD QH · 7S 7D 7H · 2C 3C 4C · 4S, and would have undercut the knock with 5
    defence = "2C 3C 4C 7S 7D 7H QS QD QH 4S"
    match = started().after(stacked(KNOCKER, defence, "TS", "KD"))
    match = play(match, "A pass", "B pass", "A draw stock", f"A knock KD {SPREAD}")
    result = match.after(ForfeitHand(B)).results[-1]
    assert (result.winner, result.points, result.laid_off) == (A, 4 + 25, ())
    assert (result.knocker, result.knock_discard) == (A, cards("KD")[0])
    assert [str(card) for card in result.defender_deadwood] == ["4S"]


def test_a_spade_doubles_a_forfeited_hand_in_oklahoma() -> None:
    match = started(OKLAHOMA).after(stacked(DEFENDER, KNOCKER, "TS", "KD"))
    match = play(match, "A pass", "B pass").after(ForfeitHand(A))
    assert match.results[-1].points == (25 + 25) * 2


def test_only_the_player_to_act_can_forfeit_a_hand_and_only_one_that_is_played() -> None:
    match = started().after(stacked())
    refuses(match, ForfeitHand(B), NotYourTurn)
    assert match.can(ForfeitHand(A))
    assert not match.can(ForfeitHand(B))
    refuses(match, ForfeitHand(C), NotSeated)
    refuses(started(), ForfeitHand(A), WrongPhase)


def test_an_illegal_knock_that_was_announced_is_no_knock_when_a_player_resigns() -> None:
    match = started(replace(PLAIN, illegal_knock="expose"))  # type: ignore[arg-type]
    match = match.after(stacked(KNOCKER, DEFENDER, "TS", "KD"))
    match = play(match, "A pass", "B pass", "A draw stock", "A knock KD").after(Resign(B))
    assert match.results[-1].ending is Ending.ABANDONED


def test_a_match_called_off_has_no_result() -> None:
    match = at_layoff(won(won(started(), A, 20), B, 5)).after(Cancel())
    assert outcome(match) == MatchOutcome(
        reason=Reason.CANCELLED,
        winner=None,
        places=(),
        totals=(20, 5),
        points=(20, 5),
        hands_won=(1, 1),
        hands_played=(2, 2),
    )
    assert match.results[-1].ending is Ending.ABANDONED
    assert match.sheet.games[0].settlement is None


def test_a_match_that_is_over_takes_no_event() -> None:
    match = started().after(Resign(A))
    for event in (Resign(B), Forfeit(A), Cancel(), stacked(), Play(A, Pass()), Cut(cards("7H KD"))):
        refuses(match, event, MatchOver)
    assert (match.needs, match.to_move, match.next_pairing) == (None, None, None)


@pytest.mark.parametrize("scoring", list(Scoring))
def test_a_match_given_up_at_the_start_is_settled_at_nothing(scoring: Scoring) -> None:
    match = Match.start(Rules(scoring=scoring)).after(Resign(A))
    assert set(match.sheet.totals) == {0}
    assert outcome(match).places[A] == len(match.seats)


def test_the_passes_of_the_first_turn_are_acts_like_any_other() -> None:
    match = started().after(stacked())
    for seat, _ in zip((A, B), PASSES, strict=True):
        match = match.after(Play(seat, Pass()))
    assert match.to_move is A
