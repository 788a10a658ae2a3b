"""A match's rules in plain words, read from ``Rules`` alone (faults.md, row 35)."""

from __future__ import annotations

from functools import lru_cache

from bot.ui.language import REMEMBERED, _
from bot.ui.options import OPTIONS
from gin.rules import (
    BoxTiming,
    IllegalKnock,
    Limit,
    NextDealer,
    OklahomaAce,
    Rules,
    Scoring,
    Shutout,
    SpadesDouble,
    Tie,
    Winner,
)


def variant_name(rules: Rules) -> str:
    """Standard, Oklahoma or Straight gin."""
    if rules.knock_limit is Limit.UPCARD:
        return _("Oklahoma gin")
    return _("Straight gin") if rules.knock_limit == 0 else _("Standard gin")


def short_terms(rules: Rules, house: str | None = None) -> str:
    """The terms in a few words: ``Standard gin · to 100``; ``house`` is the set's name, escaped."""
    parts = [variant_name(rules)]
    if rules.scoring is Scoring.HOLLYWOOD:
        parts.append(_("Hollywood scoring"))
    if rules.scoring is Scoring.ROTATION:
        parts.append(_("three players"))
    parts.append(_("to {target}").format(target=rules.target))
    if house is not None:
        parts.append(_("house rules “{name}”").format(name=house))
    elif _is_house(rules):
        parts.append(_("house rules"))
    return " · ".join(parts)


def limit_words(limit: int) -> str:
    """A hand's knock limit: ``knock with 10 or less``."""
    return _("only gin") if limit == 0 else _("knock with {limit} or less").format(limit=limit)


def doubling_words(rules: Rules) -> str:
    """What a spade as starter doubles in a hand where it does."""
    if rules.spades_double is SpadesDouble.DIFFERENCE:
        return _("the deadwood scored counts double, bonuses don't")
    return _("everything scored counts double")


def terms(rules: Rules) -> tuple[str, ...]:
    """All that the players agree to, one sentence each: the game, the score, the house rules."""
    return (_variant(rules), _scoring(rules), _bonuses(rules), *house_terms(rules))


def house_terms(rules: Rules) -> tuple[str, ...]:
    """A sentence for each house option in force that the plain game doesn't have."""
    idle = {note.field for note in rules.notes()}
    said = [*_hand_options(rules), *_score_options(rules)]
    return tuple(sentence for field, sentence in said if field not in idle)


def differences(rules: Rules) -> tuple[str, ...]:
    """The fields of the rules that differ from the plain game, in the order of the options."""
    plain = Rules()
    return tuple(field for field in OPTIONS if getattr(rules, field) != getattr(plain, field))


@lru_cache(REMEMBERED)
def _is_house(rules: Rules) -> bool:
    """Whether something is played here that neither variant, scoring nor target tells."""
    told = {"knock_limit", "scoring", "target", *(note.field for note in rules.notes())}
    return any(field not in told for field in differences(rules))


def _variant(rules: Rules) -> str:
    if rules.knock_limit == 0:
        return _("**Straight gin**: no knocking, only gin ends a hand.")
    if rules.knock_limit is not Limit.UPCARD:
        return _("**Standard gin**: knock when your deadwood is {limit} or less.").format(
            limit=rules.knock_limit
        )
    doubling = {
        SpadesDouble.ALL: _("If that card is a spade, all that is scored counts double."),
        SpadesDouble.DIFFERENCE: _(
            "If that card is a spade, the deadwood scored counts double, bonuses don't."
        ),
        SpadesDouble.OFF: _("Spades don't double."),
    }
    ace = _("Aces are 1.") if rules.oklahoma_ace is OklahomaAce.ONE else _("An ace means only gin.")
    said = _(
        "**Oklahoma gin**: each hand's first up-card sets the knock limit; 10, J, Q and K are 10."
    )
    return f"{said} {ace} {doubling[rules.spades_double]}"


def _scoring(rules: Rules) -> str:
    match rules.scoring:
        case Scoring.GAME:
            said = _("**One game to {target} points.**")
            bonus = _("Whoever gets there adds {bonus}.")
        case Scoring.HOLLYWOOD:
            said = _(
                "**Hollywood**: three games at once, each to {target} points. Your first win "
                "counts in game 1, your second in games 1 and 2, every later one in all three that "
                "are running; a game closes when somebody reaches its target."
            )
            bonus = _("Whoever gets there in a game adds {bonus}.")
        case Scoring.ROTATION:
            said = _("**Three players in rotation** to {target} points; one sits out each hand.")
            bonus = _("Whoever gets there first adds {bonus}.")
    if not rules.game_bonus:
        bonus = _("There is no game bonus.")
    boxes = _("Each hand won adds {box} at the end.")
    if not rules.box_bonus:
        boxes = _("Hands won add no boxes.")
    elif rules.box_timing is BoxTiming.AT_ONCE:
        boxes = _("Each hand won adds {box} at once, which counts towards the target.")
    wins = _("The higher total wins.")
    if rules.scoring is Scoring.HOLLYWOOD:
        wins = _("The three totals are added up; the higher sum wins.")
    if rules.winner is Winner.FIRST_TO_TARGET:
        wins = _("The first to reach the target wins.")
        if rules.scoring is Scoring.HOLLYWOOD:
            wins = _("Whoever closes two of the games wins.")
    return f"{said} {bonus} {boxes} {wins}".format(
        target=rules.target, bonus=rules.game_bonus, box=rules.box_bonus
    )


def _bonuses(rules: Rules) -> str:
    if rules.knock_limit == 0:
        return _("Bonus: gin {gin}.").format(gin=rules.gin_bonus)
    return _("Bonuses: gin {gin}, undercut {undercut}.").format(
        gin=rules.gin_bonus, undercut=rules.undercut_bonus
    )


def _shutout(rules: Rules) -> str:
    doubled = rules.shutout is Shutout.DOUBLE
    if rules.scoring is Scoring.HOLLYWOOD:
        return (
            _("In a game in which the loser has no win entered, the winner's total is doubled.")
            if doubled
            else _("In a game in which the loser has no win entered, the winner adds 100.")
        )
    return (
        _("If the loser won no hand, the winner's total is doubled.")
        if doubled
        else _("If the loser won no hand, the winner adds 100.")
    )


def _hand_options(rules: Rules) -> list[tuple[str, str]]:
    """Options about a hand that differ from the plain game, with their sentences."""
    said: list[tuple[str, str]] = []
    if rules.big_gin is not None:
        sentence = _("Big gin (eleven cards melded) is played, for {bonus}.")
        said.append(("big_gin", sentence.format(bonus=rules.big_gin)))
    if rules.strict_bridge:
        sentence = _("A card next to two of the knocker's runs may not be laid off.")
        said.append(("strict_bridge", sentence))
    if rules.tie is Tie.DRAW:
        said.append(("tie", _("Equal deadwood makes the hand void.")))
    if rules.tie is Tie.NO_BONUS:
        sentence = _("With equal deadwood the defender wins the hand, with no points.")
        said.append(("tie", sentence))
    if rules.fiftieth_card:
        sentence = _("The last discard before the stock runs out may be taken to knock with.")
        if rules.knock_limit == 0:
            sentence = _("The last discard before the stock runs out may be taken to go gin with.")
        said.append(("fiftieth_card", sentence))
    if rules.draw_cap != Rules().draw_cap:
        sentence = _("A hand is void after {draws} draws.")
        said.append(("draw_cap", sentence.format(draws=rules.draw_cap)))
    if rules.illegal_knock is IllegalKnock.EXPOSE:
        sentence = _("A knock over the limit is announced; the opponent may look at those cards.")
        if rules.knock_limit == 0:
            sentence = _(
                "Gin declared without having it is announced; the opponent may look at those cards."
            )
        said.append(("illegal_knock", sentence))
    return said


def _score_options(rules: Rules) -> list[tuple[str, str]]:
    """Options about the score of a match that differ from the plain game."""
    said: list[tuple[str, str]] = []
    if rules.shutout is not Shutout.NONE:
        said.append(("shutout", _shutout(rules)))
    if rules.next_dealer is NextDealer.LOSER:
        said.append(("next_dealer", _("The loser of a hand deals the next.")))
    if rules.next_dealer is NextDealer.WINNER:
        said.append(("next_dealer", _("The winner of a hand deals the next.")))
    if rules.finish_rotation:
        sentence = _("The round of three hands is completed after somebody reaches the target.")
        said.append(("finish_rotation", sentence))
    return said
