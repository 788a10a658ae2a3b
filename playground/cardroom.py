"""What stands in the playground that `make run` opens: one server, its channels, its people."""

from playground.state.model import ChannelType
from playground.state.permissions import EVERYONE_BY_DEFAULT, Permission
from playground.state.world import World

PLAYERS = ("Ada", "Ben", "Cleo", "Dev")
OWNER = "Mia"
_MANAGES = Permission.MANAGE_GUILD | Permission.MANAGE_MESSAGES | Permission.MANAGE_THREADS


def open_card_room(world: World) -> None:
    """Set up The Card Room: Mia's server, four players, somewhere to talk and to play.

    Mia owns it; Cleo is a moderator who may manage the server without owning it.
    """
    people = {name: world.add_user(name.lower(), global_name=name) for name in (*PLAYERS, OWNER)}
    guild = world.add_guild("The Card Room", people[OWNER])
    for name in PLAYERS:
        world.join(guild, people[name])
    world.add_channel(guild, "lounge", topic="Talk about anything")
    world.add_channel(guild, "gin-table", topic="Challenge somebody with /gin challenge")
    world.add_channel(guild, "post-mortems", ChannelType.FORUM, topic="Hands worth a second look")
    world.add_channel(guild, "parlour", ChannelType.VOICE)
    moderator = world.add_role(guild, "Moderator", EVERYONE_BY_DEFAULT | _MANAGES)
    world.give_role(guild, people["Cleo"], moderator)
    world.invite_bot(guild)
