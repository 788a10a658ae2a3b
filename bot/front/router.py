"""Controls: buttons, selects and modals, routed by their custom id alone.

Nothing in memory stands behind a control: it works after a restart, and an id that nobody knows
gets an answer too (faults.md, rows 7 to 9).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Final

import discord
import structlog

from bot.desk import asking, invite, knocking, laying_off, leave, own, play, record
from bot.desk.finding import WhichMatch
from bot.desk.panels import or_present_hand
from bot.front.answer import Interaction
from bot.front.reply import Reply
from bot.front.serving import serve
from bot.front.visit import Visit
from bot.house import House
from bot.mail.post import controls_in
from bot.refusals import BadText, OldControl, earlier_moment
from bot.ui.controls import Control, Verb, unpack_cards, unpack_melds
from bot.ui.escape import whole
from bot.ui.language import _
from db.ids import ChallengeId, ChannelId, MatchId, MessageId, PersonId, ServerId
from gin import Pile

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


LARGEST_ID: Final = 2**63 - 1
"""What the database can hold."""
NEVER: Final = -1
"""In place of the version of a control from before the database was set back: it may come again."""


class Press:
    """One use of a control: the control itself, and what was chosen or typed with it."""

    __slots__ = ("control", "fields", "is_set_back", "names", "values")

    def __init__(
        self,
        control: Control,
        values: tuple[str, ...] = (),
        fields: Mapping[str, str] | None = None,
        names: Mapping[str, str] | None = None,
        generation: int = 0,
    ) -> None:
        self.control = control
        names_matches = control.version > 0 or control.verb is Verb.WHICH
        self.is_set_back = names_matches and control.generation != generation
        """Whether its page shows a match as it was before the database was set back."""
        self.values = values
        self.fields = fields or {}
        self.names = names or {}

    @property
    def match(self) -> MatchId:
        """The match that the control belongs to."""
        return MatchId(self.control.subject)

    @property
    def challenge(self) -> ChallengeId:
        """The challenge that the control belongs to."""
        return ChallengeId(self.control.subject)

    @property
    def version(self) -> int:
        """The version of the match that the control's page showed; `NEVER` if it was set back."""
        return NEVER if self.is_set_back else self.control.version

    @property
    def value(self) -> str:
        """The one value chosen in a select."""
        return self.values[0] if self.values else ""

    @property
    def number(self) -> int:
        """The chosen value as an index."""
        if not (self.value.isascii() and self.value.isdigit() and len(self.value) < 19):
            raise OldControl(unknown_sentence())
        return int(self.value)

    @property
    def person(self) -> PersonId:
        """The chosen value as somebody's id."""
        if not (self.value.isascii() and self.value.isdigit() and len(self.value) < 20):
            raise OldControl(unknown_sentence())
        if not 0 < int(self.value) <= LARGEST_ID:
            raise OldControl(unknown_sentence())
        return PersonId(int(self.value))

    @property
    def arg(self) -> str:
        """The first argument in the control's id."""
        return self.control.args[0] if self.control.args else ""


Route = Callable[[House, Visit, Press], Awaitable[Reply]]


def unknown_sentence() -> str:
    """What is said to a control that we don't know."""
    return _("This button is from another time and does nothing now. Use `/gin hand` to play on.")


def _pile(press: Press) -> Pile:
    if press.arg not in set(Pile):
        raise OldControl(unknown_sentence())
    return Pile(press.arg)


async def _knock_typed(house: House, visit: Visit, press: Press) -> Reply:
    discarded = play.read_card(press.fields.get("discard", ""))
    melds = play.read_melds(press.fields.get("melds"))
    return await knocking.arranged(house, visit, press.match, discarded, melds, press.version)


async def _knock_arranged(house: House, visit: Visit, press: Press) -> Reply:
    melds = unpack_melds(press.control.args[1]) if len(press.control.args) == 2 else None
    if melds is None:
        raise OldControl(unknown_sentence())
    discarded = play.read_card(press.arg)
    return await knocking.typed(house, visit, press.match, discarded, melds, press.version)


async def _layoff_typed(house: House, visit: Visit, press: Press) -> Reply:
    cards = play.read_cards(press.fields.get("cards"))
    melds = play.read_melds(press.fields.get("melds"))
    return await laying_off.arranged(house, visit, press.match, cards, melds, press.version)


async def _layoff_arranged(house: House, visit: Visit, press: Press) -> Reply:
    packed = press.control.args
    melds = unpack_melds(packed[0]) if len(packed) == 2 else None
    cards = unpack_cards(packed[1]) if len(packed) == 2 else None
    if melds is None or cards is None:
        raise OldControl(unknown_sentence())
    return await laying_off.typed(house, visit, press.match, cards, melds, press.version)


async def _rematch(house: House, visit: Visit, press: Press) -> Reply:
    return await invite.rematch(house, visit, press.match)


async def _which(house: House, visit: Visit, press: Press) -> Reply:
    if press.is_set_back:
        raise OldControl(unknown_sentence())
    return await asking.complete(house, visit, MatchId(press.number), press.control.args)


def _page(press: Press) -> int | None:
    return press.control.index if press.control.args else None


ROUTES: Final[Mapping[Verb, Route]] = {
    Verb.DRAW: lambda h, v, p: play.draw(h, v, p.match, _pile(p), p.version),
    Verb.PASS: lambda h, v, p: play.refuse(h, v, p.match, p.version),
    Verb.DISCARD: lambda h, v, p: play.discard(h, v, p.match, play.read_card(p.value), p.version),
    Verb.KNOCK_MENU: lambda h, v, p: knocking.menu(h, v, p.match, p.control.index, p.version),
    Verb.KNOCK_PICK: lambda h, v, p: knocking.menu(h, v, p.match, p.number, p.version),
    Verb.KNOCK: lambda h, v, p: knocking.choice(h, v, p.match, p.control.index, p.version),
    Verb.KNOCK_TEXT: lambda h, v, p: knocking.form(h, v, p.match, p.version),
    Verb.KNOCK_TYPED: _knock_typed,
    Verb.KNOCK_ARRANGED: _knock_arranged,
    Verb.BIG_GIN: lambda h, v, p: knocking.go_big(h, v, p.match, p.version),
    Verb.LAYOFF_PICK: lambda h, v, p: laying_off.menu(h, v, p.match, p.number, p.version),
    Verb.LAYOFF: lambda h, v, p: laying_off.choice(h, v, p.match, p.control.index, p.version),
    Verb.LAYOFF_TEXT: lambda h, v, p: laying_off.form(h, v, p.match, p.version),
    Verb.LAYOFF_TYPED: _layoff_typed,
    Verb.LAYOFF_ARRANGED: _layoff_arranged,
    Verb.LOOK: lambda h, v, p: play.look(h, v, p.match, p.version),
    Verb.TAKE_BACK: lambda h, v, p: play.take_back(h, v, p.match, p.version),
    Verb.HAND: lambda h, v, p: play.show_hand(h, v, p.match),
    Verb.MY_HAND: lambda h, v, p: play.show_hand(h, v, p.match),
    Verb.SHEET: lambda h, v, p: record.sheet(h, v, p.match, _page(p)),
    Verb.STATUS: lambda h, v, p: record.status(h, v, str(p.match)),
    Verb.HELP: lambda _h, _v, p: record.explain(p.arg),
    Verb.HELP_PICK: lambda _h, _v, p: record.explain(p.value, picked=True),
    Verb.RULES_PICK: lambda h, v, p: record.rules_picked(h, v, p.match, p.value),
    Verb.RESIGN_MENU: lambda h, v, p: leave.resign_menu(h, v, p.match),
    Verb.RESIGN: lambda h, v, p: leave.resign(h, v, p.match),
    Verb.CANCEL_MENU: lambda h, v, p: leave.cancel(h, v, p.match),
    Verb.CANCEL: lambda h, v, p: leave.agree(h, v, p.match),
    Verb.PLAY_ON: lambda h, v, p: leave.play_on(h, v, p.match),
    Verb.CLOSE: lambda h, v, p: leave.close(h, v, p.match),
    Verb.WHICH: _which,
    Verb.REMATCH: _rematch,
    Verb.ACCEPT: lambda h, v, p: invite.accept(h, v, p.challenge, pressed=True),
    Verb.ACCEPT_WORD: lambda h, v, p: invite.word_form(h, v, p.challenge, accepting=True),
    Verb.ACCEPT_TYPED: lambda h, v, p: invite.accept(
        h, v, p.challenge, pressed=True, word=p.fields.get("word", "")
    ),
    Verb.WORD: lambda h, v, p: invite.word_form(h, v, p.challenge, accepting=False),
    Verb.WORD_TYPED: lambda h, v, p: invite.add_word(h, v, p.challenge, p.fields.get("word", "")),
    Verb.DECLINE: lambda h, v, p: invite.decline(h, v, p.challenge, pressed=True),
    Verb.WITHDRAW: lambda h, v, p: invite.withdraw(h, v, p.challenge, pressed=True),
    Verb.WISH: lambda h, v, p: own.wish(h, v, p.arg, "".join(p.control.args[1:2])),
    Verb.BLOCK_PICK: lambda h, v, p: own.block(h, v, p.person, p.names.get(p.value)),
    Verb.UNBLOCK_PICK: lambda h, v, p: own.unblock(h, v, p.person),
    Verb.PRIVACY: lambda h, v, _p: own.privacy(h, v),
    Verb.EXPORT: lambda h, v, _p: own.export(h, v),
    Verb.DELETE_MENU: lambda h, v, _p: own.delete_menu(h, v),
    Verb.DELETE: lambda h, v, _p: own.delete(h, v),
    Verb.LEADERBOARD_PAGE: lambda h, v, p: record.leaderboard(
        h, v, ServerId(p.control.subject), p.control.index
    ),
}

ON_A_CHALLENGE: Final = frozenset(
    {
        Verb.ACCEPT,
        Verb.ACCEPT_WORD,
        Verb.ACCEPT_TYPED,
        Verb.WORD,
        Verb.WORD_TYPED,
        Verb.DECLINE,
        Verb.WITHDRAW,
    }
)
"""Controls of a challenge's message, which may be settled though it looks open."""


ONES_OWN: Final = frozenset(
    {
        Verb.WISH,
        Verb.BLOCK_PICK,
        Verb.UNBLOCK_PICK,
        Verb.PRIVACY,
        Verb.EXPORT,
        Verb.DELETE_MENU,
        Verb.DELETE,
    }
)
"""Controls of a person's own panel; their subject is the person."""
WITHOUT_A_VERSION: Final = frozenset(
    {Verb.RESIGN, Verb.CANCEL_MENU, Verb.CANCEL, Verb.PLAY_ON, Verb.CLOSE}
)
"""What changes a match whatever has happened since; only what was set back it must not change."""
FORMS: Final = frozenset({Verb.KNOCK_TEXT, Verb.LAYOFF_TEXT, Verb.ACCEPT_WORD, Verb.WORD})
"""Controls that open a form."""
SUBMITTED: Final = frozenset(
    {Verb.KNOCK_TYPED, Verb.LAYOFF_TYPED, Verb.ACCEPT_TYPED, Verb.WORD_TYPED}
)
"""What a form's submit asks for, and nothing else does: no form can be opened by a form."""


async def route(house: House, interaction: Interaction) -> None:
    """Answer one press of a component or one submit of a modal."""
    press = read(interaction, house.store.generation)

    async def work(visit: Visit) -> Reply:
        await house.people.seen(visit)
        if press is None:
            raise OldControl(unknown_sentence())
        act = partial(ROUTES[press.control.verb], house, visit, press)
        try:
            if press.control.verb in ONES_OWN:
                own.only_for(visit, press.control.subject)
            if press.is_set_back and press.control.verb in WITHOUT_A_VERSION:
                return await or_present_hand(house, visit, press.match, _refused)
            if press.control.verb in ON_A_CHALLENGE:
                return await invite.or_what_became(house, visit, press.challenge, act)
            return await act()
        except WhichMatch as which:
            return await asking.ask(house, visit, which)
        except BadText as bad:
            raise BadText(
                bad.sentence + " " + _("Nothing has changed; press the button once more.")
            ) from bad

    opens_form = press is not None and press.control.verb in FORMS
    await serve(house, interaction, work, opens_form=opens_form)
    message = interaction.message
    if press is not None and message is not None and interaction.guild_id is not None:
        ids = controls_in([component.to_dict() for component in message.components])
        where = ChannelId(interaction.channel_id or 0), MessageId(message.id)
        house.showing.pressed(press.match, *where, ids)


async def _refused() -> Reply:
    raise earlier_moment()


def read(interaction: Interaction, generation: int = 0) -> Press | None:
    """What was pressed, chosen or typed; None for what no control or form of ours can have sent.

    ``generation`` is the database's.
    """
    data: Mapping[str, object] = dict(interaction.data or {})
    custom_id = data.get("custom_id")
    control = Control.parse(custom_id) if isinstance(custom_id, str) else None
    is_submit = interaction.type is discord.InteractionType.modal_submit
    if control is None or is_submit != (control.verb in SUBMITTED):
        log.info("unknown control", custom_id=repr(custom_id)[:120])
        return None
    values = data.get("values") or ()
    chosen = tuple(whole(str(value)) for value in values) if isinstance(values, list) else ()
    return Press(control, chosen, dict(_typed(data)), _names(data), generation)


def _names(data: Mapping[str, object]) -> dict[str, str]:
    """The names of people who were picked, by their ids, as Discord resolved them."""
    resolved = data.get("resolved")
    users = resolved.get("users") if isinstance(resolved, dict) else None
    if not isinstance(users, dict):
        return {}
    return {
        str(person): str(user.get("global_name") or user.get("username") or "")
        for person, user in users.items()
        if isinstance(user, dict)
    }


def _typed(data: Mapping[str, object]) -> list[tuple[str, str]]:
    """The fields of a submitted modal: custom id and text, however deep they lie."""
    found: list[tuple[str, str]] = []
    components = data.get("components")
    if isinstance(components, list):
        for component in components:
            found.extend(_typed(component))
    inner = data.get("component")
    if isinstance(inner, dict):
        found.extend(_typed(inner))
    name, value = data.get("custom_id"), data.get("value")
    if isinstance(name, str) and isinstance(value, str):
        found.append((name, whole(value)))
    return found


def is_control(interaction: Interaction) -> bool:
    """Whether the router answers this interaction (commands have their own tree)."""
    return interaction.type in (
        discord.InteractionType.component,
        discord.InteractionType.modal_submit,
    )
