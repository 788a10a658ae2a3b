"""What stands in the playground when it opens: a server, its channels, and a few people."""

from playground.state.model import ChannelType
from playground.state.world import World

PEOPLE = (("ada", "Ada"), ("ben", "Ben"), ("cleo", "Cleo"), ("dmitri", "Дмитрий"))


def furnish(world: World) -> None:
    """Set up one server with channels, four people, another bot and the bot itself."""
    people = [world.add_user(name, global_name=shown) for name, shown in PEOPLE]
    guild = world.add_guild("The Card Room", people[0])
    for person in people[1:]:
        world.join(guild, person)
    tables = world.add_channel(guild, "Tables", ChannelType.CATEGORY)
    world.add_channel(guild, "general", topic="Talk about anything")
    world.add_channel(guild, "gin-rummy", parent=tables, topic="Challenge somebody with /gin")
    world.add_channel(guild, "second-table", parent=tables)
    world.add_channel(guild, "strategy", ChannelType.FORUM, topic="Hands worth talking about")
    world.add_channel(guild, "parlour", ChannelType.VOICE)
    jukebox = world.add_user("jukebox", bot=True)
    world.join(guild, jukebox)
    world.invite_bot(guild)
