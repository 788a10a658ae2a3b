"""Challenges, from the side of people: make, accept, decline, withdraw, play again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import structlog

from bot.desk import play
from bot.desk.finding import last_match, mine
from bot.desk.house_rules import Wanted, clock_for, proposed
from bot.desk.membership import need_members
from bot.desk.panels import hand_reply
from bot.front.reply import Reply
from bot.front.visit import Invited, Visit
from bot.house import House
from bot.mail.governor import Urgency
from bot.mail.post import Undelivered
from bot.play.challenges import Invitation, settled_already
from bot.refusals import BadText, ChallengeRefused, MissingRight, NoSuchMatch
from bot.ui import limits, rights
from bot.ui.controls import Control, Verb
from bot.ui.escape import clean, plain, whole
from bot.ui.escape import name as escaped
from bot.ui.language import _, ngettext
from bot.ui.page import AddedWord, Page
from bot.ui.pages import accepted_page, challenge_over_page, challenge_page, note_page, word_modal
from bot.ui.parts import Press, listed
from db.ids import ChallengeId, ChannelId, MatchId, MessageId, PersonId
from db.rows import ChallengeRow, ChallengeStatus, WordRow

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

LONGEST_WORD: Final = 100
"""Characters of a word for the shuffles."""


async def challenge(
    house: House, visit: Visit, invited: tuple[Invited, ...], wanted: Wanted
) -> Reply:
    """Challenge one or two people: refused before anything is written where no match can follow."""
    if visit.server is None:
        raise ChallengeRefused(
            _("A match needs a table in a server's channel. Use `/gin challenge` there.")
        )
    _check_invited(visit, invited)
    need_rights(visit)
    terms = await proposed(house, visit.server, wanted, players=1 + len(invited))
    invitation = Invitation(
        server=visit.server,
        channel=visit.channel,
        challenger=visit.person,
        opponents=tuple(person.id for person in invited),
        rules=terms.rules,
        house=terms.house,
        clock=await clock_for(house, visit.server, wanted),
        word=default_word(visit),
        parent=visit.parent,
    )
    await house.challenges.check(invitation, {person.id: person.name for person in invited})
    doubtful = {person.id: person.name for person in invited if person.sees_channel is None}
    await need_members(house, visit.server, doubtful)
    await house.people.joins(visit)
    for person in invited:
        await house.people.named(person.id, person.name)
    return await _propose(house, invitation)


def _check_invited(visit: Visit, invited: tuple[Invited, ...]) -> None:
    if len({person.id for person in invited}) < len(invited):
        raise ChallengeRefused(_("You named the same person twice. Pick two different friends."))
    for person in invited:
        if person.id == visit.person:
            raise ChallengeRefused(_("You can't play against yourself. Pick a friend."))
        if person.is_bot:
            raise ChallengeRefused(_("Bots don't sit at our tables. Pick a person."))
        if person.sees_channel is False:
            raise ChallengeRefused(
                _("{name} can't see this channel. Challenge where all of you can read.").format(
                    name=escaped(person.name)
                )
            )


def default_word(visit: Visit) -> WordRow:
    """What a player mixes into the shuffles who types no word: Discord's id of what he did.

    It proves less than a word: the page of ``/gin verify`` says so.
    """
    return WordRow(visit.person, f"interaction {visit.interaction}", is_own=False)


def typed_word(visit: Visit, word: str) -> WordRow:
    """A word that a player typed, as it can be seen; raise for one that shows nothing.

    What is mixed in is what the pages show: without controls, marks of direction and the like.
    """
    word = clean(whole(word), LONGEST_WORD)
    if not word:
        raise BadText(_("Type any word you like; it goes into the shuffles."))
    return WordRow(visit.person, word, is_own=True)


def need_rights(visit: Visit) -> None:
    """Raise :class:`MissingRight` naming what the bot lacks in this channel for a table."""
    missing = rights.missing(visit.rights, in_thread=visit.in_thread)
    if missing:
        raise MissingRight(
            ngettext(
                "I can't keep a table here: I lack the permission {missing} in this channel. "
                "Ask a moderator to allow it, or use another channel.",
                "I can't keep a table here: I lack the permissions {missing} in this channel. "
                "Ask a moderator to allow them, or use another channel.",
                len(missing),
            ).format(missing=listed([f"**{name}**" for name in missing]))
        )


async def _propose(house: House, invitation: Invitation) -> Reply:
    row = await house.challenges.propose(invitation)
    return Reply(
        page=challenge_page(await house.challenges.shown(row)),
        public=True,
        ping=invitation.opponents,
        in_place=False,
        delivered=partial(_posted, house, row.id),
        undelivered=partial(house.invitations.post_again, row),
    )


async def _posted(
    house: House, challenge_id: ChallengeId, _channel: ChannelId, message: MessageId
) -> None:
    await house.invitations.posted(challenge_id, message)
    row = await house.challenges.get(challenge_id)
    if row.status is not ChallengeStatus.OPEN:  # answered while it was on its way
        await _replace(house, row, await _what_became(house, row))
    elif row.accepted:
        await house.invitations.show_open(row)


async def accept(
    house: House, visit: Visit, challenge_id: ChallengeId, *, pressed: bool, word: str | None = None
) -> Reply:
    """Accept, perhaps with a word for the shuffles; the last to accept starts the match."""
    own = default_word(visit) if word is None else typed_word(visit, word)
    asked = await house.challenges.get(challenge_id)
    if visit.channel == asked.channel_id and visit.person in asked.opponents:
        need_rights(visit)  # the bot may have lost one since it was made
    joins = partial(house.people.joins_in, visit=visit)
    table = await house.challenges.accept(challenge_id, own, joins)
    row = await house.challenges.get(challenge_id)
    shown = await house.challenges.shown(row)
    pressed = pressed and _is_its_message(visit, row)
    if table is None:
        if pressed:
            return Reply(page=challenge_page(shown), replaces_public=True)
        await house.invitations.show_open(row)
        return Reply(page=note_page(_("You're in. The match begins when everybody has accepted.")))
    for person in table.people:
        await house.people.may_be_open(person)
    sitting_down = accepted_page(replace(shown, added=await mixed_in(house, row)))
    if pressed:
        return Reply(
            page=sitting_down,
            replaces_public=True,
            changed=table.id,
            undelivered=partial(_replace, house, row, sitting_down),
        )
    await _replace(house, row, sitting_down)
    return replace(await hand_reply(house, visit, table), changed=table.id)


async def mixed_in(house: House, row: ChallengeRow) -> tuple[AddedWord, ...]:
    """What each player mixed into the shuffles, in the order in which they sat down."""
    async with house.store.reading() as tx:
        words = await tx.promises.words(row.id)
    people = await house.people.shown((row.challenger, *row.opponents))
    return tuple(
        AddedWord(person, words[PersonId(person.id)].word, words[PersonId(person.id)].is_own)
        for person in people
        if person.id in words
    )


async def _replace(house: House, row: ChallengeRow, page: Page) -> None:
    """Change the challenge's message from elsewhere; if that fails it only looks open."""
    if row.message_id is None:
        return
    try:
        await house.post.edit(row.channel_id, row.message_id, page, urgency=Urgency.TURN)
    except Undelivered:
        log.info("challenge not shown", challenge=row.id)


async def or_what_became(
    house: House, visit: Visit, challenge_id: ChallengeId, act: Callable[[], Awaitable[Reply]]
) -> Reply:
    """Do ``act``, which was pressed on a challenge; if that is settled, its message says so.

    It looks open though it isn't where the answer that settled it was lost (faults.md, row 9).
    """
    try:
        return await act()
    except ChallengeRefused:
        row = await house.challenges.get(challenge_id)
        if row.status is ChallengeStatus.OPEN or row.message_id != visit.message:
            raise
        match = row.match_id if row.status is ChallengeStatus.ACCEPTED else None
        return Reply(page=await _what_became(house, row), replaces_public=True, changed=match)


async def _what_became(house: House, row: ChallengeRow) -> Page:
    """The page of a challenge that is settled."""
    shown = await house.challenges.shown(row)
    if row.status is ChallengeStatus.ACCEPTED:
        return accepted_page(replace(shown, added=await mixed_in(house, row)))
    return challenge_over_page(shown, await house.challenges.became(row))


async def word_form(
    house: House, visit: Visit, challenge_id: ChallengeId, *, accepting: bool
) -> Reply:
    """The form in which a player types a word for the shuffles."""
    row = await house.challenges.get(challenge_id)
    if visit.person not in (row.challenger, *row.opponents):
        raise ChallengeRefused(_("This challenge is for somebody else."))
    if row.status is not ChallengeStatus.OPEN:
        raise ChallengeRefused(await house.challenges.became(row))
    return Reply(modal=word_modal(challenge_id, accepting=accepting))


async def add_word(house: House, visit: Visit, challenge_id: ChallengeId, word: str) -> Reply:
    """Put a word of one's own into the shuffles of an open challenge."""
    row = await house.challenges.add_word(challenge_id, typed_word(visit, word))
    return Reply(page=challenge_page(await house.challenges.shown(row)), replaces_public=True)


async def decline(house: House, visit: Visit, challenge_id: ChallengeId, *, pressed: bool) -> Reply:
    """Decline a challenge."""
    row = await house.challenges.decline(challenge_id, visit.person)
    return await _settled(house, row, pressed=pressed and _is_its_message(visit, row))


async def withdraw(
    house: House, visit: Visit, challenge_id: ChallengeId, *, pressed: bool
) -> Reply:
    """Take back one's own challenge."""
    row = await house.challenges.withdraw(challenge_id, visit.person)
    return await _settled(house, row, pressed=pressed and _is_its_message(visit, row))


def _is_its_message(visit: Visit, row: ChallengeRow) -> bool:
    """Whether the control that was pressed stands on the challenge's own message."""
    return row.message_id in (None, visit.message)


async def _settled(house: House, row: ChallengeRow, *, pressed: bool) -> Reply:
    if pressed:
        return Reply(page=await _what_became(house, row), replaces_public=True)
    await house.invitations.show_settled(row)
    return Reply(page=note_page(settled_already(row.status)))


async def respond(house: House, visit: Visit, answer: str, match: str | None = None) -> Reply:
    """``/gin respond``: answer a challenge, take one's own back, or answer an exposed knock."""
    if answer in ("look", "take-back"):
        table = await mine(house, visit, match, (answer,))
        act = play.look if answer == "look" else play.take_back
        return await act(house, visit, table.id)
    open_ones = await find_challenges(house, visit, own=answer == "withdraw")
    if len(open_ones) > 1:
        return await _which_challenge(house, answer, open_ones)
    settle = {"accept": accept, "decline": decline, "withdraw": withdraw}[answer]
    return await settle(house, visit, open_ones[0].id, pressed=False)


async def find_challenges(house: House, visit: Visit, *, own: bool) -> Sequence[ChallengeRow]:
    """The open challenges that this person made (``own``) or can answer, newest first.

    Those of this channel, else those of anywhere; raise :class:`NoSuchMatch` for none.
    """
    async with house.store.reading() as tx:
        rows = await tx.challenges.open_of(visit.person)
    fitting = [row for row in rows if (row.challenger == visit.person) is own]
    here = [row for row in fitting if row.channel_id == visit.channel]
    chosen = here or fitting
    if not chosen:
        raise NoSuchMatch(
            _("You have no open challenge to withdraw.")
            if own
            else _("Nobody has an open challenge for you. Make one with `/gin challenge`.")
        )
    return sorted(chosen, key=lambda row: row.created_at, reverse=True)


async def _which_challenge(house: House, answer: str, rows: Sequence[ChallengeRow]) -> Reply:
    """Ask which of several challenges is meant, with a button for each."""
    verb = {"accept": Verb.ACCEPT, "decline": Verb.DECLINE, "withdraw": Verb.WITHDRAW}[answer]
    presses = []
    for row in rows[: limits.OPTIONS]:
        people = await house.people.shown(
            row.opponents if verb is Verb.WITHDRAW else (row.challenger,)
        )
        names = listed([plain(person.name) for person in people])
        presses.append(Press(Control(verb, row.id), names))
    sentence = {
        Verb.ACCEPT: _("Several people have challenged you. Whose challenge do you accept?"),
        Verb.DECLINE: _("Several people have challenged you. Whose challenge do you decline?"),
        Verb.WITHDRAW: _("You have several challenges open. Which one do you take back?"),
    }
    return Reply(page=note_page(sentence[verb], presses), in_place=False)


async def rematch(house: House, visit: Visit, match: MatchId | str | None) -> Reply:
    """Challenge the same people again with the same rules; accepts their rematch if it is open."""
    named = None if match is None else str(match)
    table = await last_match(house, visit, named)
    if not table.is_over:
        raise ChallengeRefused(_("This match isn't over yet. Finish it first: `/gin hand`."))
    offer = await _offered(house, visit, table.id)
    if offer is None:
        try:
            return await _rematch_offer(house, visit, table.id)
        except ChallengeRefused:
            offer = await _offered(house, visit, table.id)
            if offer is None:  # else somebody asked for it in the same moment
                raise
    return await _accept_offer(house, visit, offer)


async def _offered(house: House, visit: Visit, match: MatchId) -> ChallengeRow | None:
    """Another player's open challenge to a rematch of this match, which the person can accept."""
    async with house.store.reading() as tx:
        offers = await tx.challenges.open_of(visit.person)
    return next(
        (one for one in offers if one.rematch_of == match and visit.person in one.opponents), None
    )


async def _accept_offer(house: House, visit: Visit, offer: ChallengeRow) -> Reply:
    return replace(await accept(house, visit, offer.id, pressed=False), in_place=False)


async def _rematch_offer(house: House, visit: Visit, match: MatchId) -> Reply:
    table = await house.tables.load(match)
    if table is None:
        raise NoSuchMatch(_("That match doesn't exist any more."))
    invitation = Invitation(
        server=table.row.server_id,
        channel=table.channel,
        challenger=visit.person,
        opponents=tuple(person for person in table.people if person != visit.person),
        rules=table.match.rules,
        house=table.row.house,
        clock=table.clock,
        word=default_word(visit),
        rematch_of=table.id,
        parent=None if table.row.thread_id is None else table.row.channel_id,
        place_is_settled=visit.channel != table.channel,
    )
    await house.challenges.check(invitation, {})
    opponents = await house.people.shown(invitation.opponents)
    names = {PersonId(person.id): person.name for person in opponents}
    await need_members(house, invitation.server, names)
    if visit.channel == table.channel:
        need_rights(visit)
        return await _propose(house, invitation)
    row = await house.challenges.propose(invitation)
    await house.invitations.post_elsewhere(row)
    return Reply(
        page=note_page(_("Asked for a rematch, in the channel of the match.")), in_place=False
    )
