"""For those who manage the server: ``/gin-admin`` with its matches, people, limits, and health."""

from __future__ import annotations

from typing import Literal

import discord
from discord import app_commands

from bot.client import Ginhouse
from bot.desk import governing, rescue
from bot.front.command import run
from bot.front.visit import Invited
from cogs.admin import admin
from cogs.options import Reason, Word, ended_here, matches_here, running_here

Interaction = discord.Interaction[Ginhouse]
Person = discord.Member | discord.User
Page = app_commands.Range[int, 1, 100_000]
WHICH = "The match's number"
REASON = "Why; the players read it"


class Place(app_commands.Transformer):
    """A channel where a table can stand, taken by its id: the bot need not see it."""

    @property
    def type(self) -> discord.AppCommandOptionType:
        """A channel."""
        return discord.AppCommandOptionType.channel

    @property
    def channel_types(self) -> list[discord.ChannelType]:
        """Whatever people write in, and forums for their posts."""
        kinds = discord.ChannelType
        return [
            kinds.text,
            kinds.news,
            kinds.voice,
            kinds.stage_voice,
            kinds.forum,
            kinds.public_thread,
            kinds.private_thread,
        ]

    async def transform(
        self, _interaction: discord.Interaction[discord.Client], value: object, /
    ) -> int:
        """Keep the id."""
        return int(getattr(value, "id", 0))


Channel = app_commands.Transform[int, Place]


@admin.command(name="match-list", description="Matches of this server")
@app_commands.describe(which="In play, or ended", page="Which page")
async def match_list(
    interaction: Interaction,
    which: Literal["running", "ended"] | None = None,
    page: Page | None = None,
) -> None:
    """List matches."""
    await run(interaction, lambda house, visit: rescue.match_list(house, visit, which, page))


@admin.command(name="match-show", description="How one match stands")
@app_commands.describe(match=WHICH)
@app_commands.autocomplete(match=matches_here)
async def match_show(interaction: Interaction, match: Word) -> None:
    """Show a match."""
    await run(interaction, lambda house, visit: rescue.match_show(house, visit, match))


@admin.command(name="match-move", description="Move a match's table to this channel")
@app_commands.describe(match=WHICH)
@app_commands.autocomplete(match=running_here)
async def match_move(interaction: Interaction, match: Word) -> None:
    """Move a match here."""
    await run(interaction, lambda house, visit: rescue.match_move(house, visit, match))


@admin.command(name="match-end", description="End a running match without a result")
@app_commands.describe(match=WHICH, reason=REASON)
@app_commands.autocomplete(match=running_here)
async def match_end(interaction: Interaction, match: Word, reason: Reason | None = None) -> None:
    """End a match."""
    await run(interaction, lambda house, visit: rescue.match_end(house, visit, match, reason))


@admin.command(name="match-void", description="Take a finished match out of the league table")
@app_commands.describe(match=WHICH, reason=REASON)
@app_commands.autocomplete(match=ended_here)
async def match_void(interaction: Interaction, match: Word, reason: Reason | None = None) -> None:
    """Void a match."""
    await run(interaction, lambda house, visit: rescue.match_void(house, visit, match, reason))


@admin.command(name="block", description="Let somebody neither challenge nor be challenged here")
@app_commands.describe(
    person="Whom", reason="Why; moderators read it, and that person in his own data"
)
async def block(interaction: Interaction, person: Person, reason: Reason | None = None) -> None:
    """Block a person on this server."""
    whom = Invited.of(person)
    await run(interaction, lambda house, visit: governing.block(house, visit, whom, reason))


@admin.command(name="unblock", description="Let somebody play here again")
@app_commands.describe(person="Whom")
async def unblock(interaction: Interaction, person: Person) -> None:
    """Unblock a person on this server."""
    whom = Invited.of(person)
    await run(interaction, lambda house, visit: governing.unblock(house, visit, whom))


@admin.command(name="limits", description="What each person may do here, and where")
@app_commands.describe(
    challenges="Open challenges that one person may have made",
    matches="Running matches in which one person may play",
    allow="Put this channel on the list of those where tables may stand",
    disallow="Take it off; an empty list allows every channel",
)
async def limits(
    interaction: Interaction,
    challenges: app_commands.Range[int, 1, 25] | None = None,
    matches: app_commands.Range[int, 1, 100] | None = None,
    allow: Channel | None = None,
    disallow: Channel | None = None,
) -> None:
    """Show or change the limits."""
    await run(
        interaction,
        lambda house, visit: governing.limits(
            house,
            visit,
            challenges=challenges,
            matches=matches,
            allow=allow,
            disallow=disallow,
        ),
    )


@admin.command(name="diagnose", description="What I may do in this channel, and how I am")
async def diagnose(interaction: Interaction) -> None:
    """Show how the bot is."""
    await run(interaction, governing.diagnose)


@admin.command(name="acts", description="What was done with these commands, the newest first")
@app_commands.describe(page="Which page")
async def acts(interaction: Interaction, page: Page | None = None) -> None:
    """List the acts of administrators."""
    await run(interaction, lambda house, visit: rescue.acts(house, visit, page))


async def setup(_bot: Ginhouse) -> None:
    """Do nothing: the commands are in the group that ``cogs.admin`` adds."""
