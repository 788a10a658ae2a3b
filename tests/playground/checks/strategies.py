"""Bodies of requests as hypothesis makes them: good ones, and such with something broken."""

import copy
from typing import Any

from hypothesis import strategies as st

Json = dict[str, Any]  # bodies under test are deliberately of any shape
V2 = 1 << 15


ids = st.integers(0, 10**18).map(str)
short = st.sampled_from(["Draw", "7♥", "x", "It is your turn.", "Ada’s hand", "é"])
flags = st.booleans()
serial = st.integers(0, 10**9).map(lambda n: f"gin:draw:{n}")
emoji = st.one_of(
    st.sampled_from(["♥", "♠", "🃏", "✅"]).map(lambda name: {"name": name}),
    ids.map(lambda i: {"id": i, "name": "spade"}),
)
button = st.one_of(
    st.fixed_dictionaries(
        {"type": st.just(2), "style": st.integers(1, 4), "custom_id": serial, "label": short},
        optional={"emoji": emoji, "disabled": flags, "id": st.integers(0, 10**6)},
    ),
    st.fixed_dictionaries(
        {"type": st.just(2), "style": st.just(5), "label": short, "url": st.just("https://x.y/z")}
    ),
)


@st.composite
def options(draw: st.DrawFn, least: int = 1, most: int = 25) -> list[Json]:
    count = draw(st.sampled_from([least, least + 1, most]))
    made: list[Json] = [{"label": f"{n}♣", "value": str(n)} for n in range(count)]
    if draw(flags):
        made[0]["description"] = draw(short)
    return made


@st.composite
def select(draw: st.DrawFn) -> Json:
    kind = draw(st.sampled_from([3, 3, 3, 5, 6, 7, 8]))
    made: Json = {"type": kind, "custom_id": draw(serial)}
    if kind == 3:
        made["options"] = draw(options())
        if draw(flags):
            made["max_values"] = len(made["options"])
            made["min_values"] = draw(st.integers(0, len(made["options"])))
    elif kind == 5 and draw(flags):
        made["default_values"] = [{"type": "user", "id": draw(ids)}]
    if draw(flags):
        made["placeholder"] = draw(short)
    return made


row = st.one_of(st.lists(button, min_size=1, max_size=5), select().map(lambda made: [made])).map(
    lambda children: {"type": 1, "components": children}
)
text = short.map(lambda content: {"type": 10, "content": content})
address = st.sampled_from(["https://x.example/a.png", "attachment://hand.png"])
media = address.map(lambda url: {"url": url})
thumbnail = media.map(lambda shown: {"type": 11, "media": shown})
gallery = st.lists(
    st.fixed_dictionaries({"media": media}, optional={"description": short, "spoiler": flags}),
    min_size=1,
    max_size=3,
).map(lambda items: {"type": 12, "items": items})
section = st.fixed_dictionaries(
    {
        "type": st.just(9),
        "components": st.lists(text, min_size=1, max_size=3),
        "accessory": st.one_of(button, thumbnail),
    }
)
separator = st.fixed_dictionaries(
    {"type": st.just(14)}, optional={"divider": flags, "spacing": st.integers(1, 2)}
)
file = st.just({"type": 13, "file": {"url": "attachment://hand.png"}})
inside = st.one_of(row, text, text, gallery, section, separator, file)
container = st.fixed_dictionaries(
    {"type": st.just(17), "components": st.lists(inside, min_size=1, max_size=4)},
    optional={"accent_color": st.integers(0, 0xFFFFFF), "spoiler": flags},
)
embed = st.fixed_dictionaries(
    {"title": short},
    optional={
        "description": short,
        "color": st.integers(0, 0xFFFFFF),
        "timestamp": st.just("2026-01-01T12:00:00+00:00"),
        "footer": st.fixed_dictionaries({"text": short}),
        "image": media,
        "fields": st.lists(
            st.fixed_dictionaries({"name": short, "value": short}, optional={"inline": flags}),
            max_size=3,
        ),
    },
)
mentions = st.fixed_dictionaries(
    {},
    optional={
        "parse": st.lists(st.sampled_from(["users", "roles", "everyone"]), unique=True),
        "users": st.lists(ids, unique=True, max_size=3),
        "replied_user": flags,
    },
)
legacy = st.fixed_dictionaries(
    {"content": short},
    optional={
        "embeds": st.lists(embed, max_size=2),
        "components": st.lists(row, max_size=5),
        "allowed_mentions": mentions,
        "flags": st.sampled_from([0, 1 << 2]),
        "tts": flags,
        "nonce": st.integers(0, 10**9),
    },
)
layout = st.fixed_dictionaries(
    {
        "flags": st.just(V2),
        "components": st.lists(st.one_of(inside, container), min_size=1, max_size=4),
    },
    optional={"allowed_mentions": mentions},
)
message = st.one_of(legacy, layout, layout)
typed_input = st.fixed_dictionaries(
    {"type": st.just(4), "custom_id": serial, "style": st.integers(1, 2)},
    optional={
        "value": st.just("7h 8h"),
        "min_length": st.integers(0, 5),
        "max_length": st.integers(5, 4000),
        "required": flags,
        "placeholder": short,
    },
)
chosen = st.one_of(
    typed_input,
    select(),
    st.fixed_dictionaries({"type": st.just(21), "custom_id": serial, "options": options(2, 10)}),
    st.fixed_dictionaries({"type": st.just(22), "custom_id": serial, "options": options(1, 10)}),
    st.fixed_dictionaries({"type": st.just(23), "custom_id": serial}, optional={"default": flags}),
    st.fixed_dictionaries({"type": st.just(19), "custom_id": serial}),
)
label = st.fixed_dictionaries(
    {"type": st.just(18), "label": short, "component": chosen}, optional={"description": short}
)
old_row = typed_input.map(lambda made: {"type": 1, "components": [{**made, "label": "Melds"}]})
modal = st.fixed_dictionaries(
    {
        "custom_id": serial,
        "title": short,
        "components": st.lists(st.one_of(label, label, text, old_row), min_size=1, max_size=5),
    }
)
name = st.sampled_from(["card", "match", "melds", "my-card", "карта", "o1", "o2"])
languages = st.dictionaries(st.sampled_from(["de", "fr", "es-419"]), st.just("karte"), max_size=2)
choice_list = st.lists(st.integers(0, 99), unique=True, min_size=1, max_size=3)
parameter = st.one_of(
    st.fixed_dictionaries(
        {"type": st.integers(3, 11), "name": name, "description": short},
        optional={"required": flags, "name_localizations": languages},
    ),
    st.fixed_dictionaries(
        {"type": st.just(3), "name": name, "description": short, "autocomplete": flags},
        optional={"min_length": st.integers(0, 9), "max_length": st.integers(9, 6000)},
    ),
    st.fixed_dictionaries(
        {
            "type": st.just(4),
            "name": name,
            "description": short,
            "choices": choice_list.map(lambda ns: [{"name": f"{n}", "value": n} for n in ns]),
        },
        optional={"min_value": st.integers(-5, 5), "max_value": st.integers(5, 9)},
    ),
)


def in_order(made: list[Json]) -> list[Json]:
    return sorted(made, key=lambda option: not option.get("required"))


parameters = st.lists(parameter, max_size=4, unique_by=lambda option: option["name"]).map(in_order)
sub = st.fixed_dictionaries(
    {"type": st.just(1), "name": name, "description": short, "options": parameters}
)
subs = st.lists(sub, min_size=1, max_size=3, unique_by=lambda option: option["name"])
group = st.fixed_dictionaries(
    {"type": st.just(2), "name": name, "description": short, "options": subs}
)
nested = st.lists(st.one_of(sub, group), max_size=3, unique_by=lambda option: option["name"])
command = st.fixed_dictionaries(
    {"name": name, "description": short, "options": st.one_of(parameters, nested)},
    optional={
        "name_localizations": languages,
        "default_member_permissions": st.integers(0, 64),
        "contexts": st.just([0, 1]),
        "integration_types": st.just([0]),
        "type": st.just(1),
    },
)
choices = st.fixed_dictionaries(
    {
        "choices": st.one_of(
            choice_list.map(lambda ns: [{"name": f"{n}♥", "value": str(n)} for n in ns]),
            choice_list.map(lambda ns: [{"name": f"{n}♥", "value": n} for n in ns]),
        )
    }
)

# ------------------------------------------------------------------------------ breaking them

broken: st.SearchStrategy[object] = st.sampled_from(
    [
        None, "", " ", "x", "X", "x" * 26, "x" * 46, "x" * 81, "x" * 101, "x" * 257, "x" * 2001,
        "x" * 4001, -1, 0, 1, 2, 3, 5, 6, 11, 26, 41, 1 << 6, 1 << 12, 1 << 15, 1 << 24, True,
        False, [], {}, [None], ["users"], "attachment://other.png", "attachment://bad name.png",
        "ftp://x.example", "https://x.example", "not a url", "123", "007", "A", "🂡",
    ]
)  # fmt: skip


Steps = tuple[Any, ...]  # keys and positions


def places(value: object, path: Steps = ()) -> list[Steps]:
    found = [path] if path else []
    if isinstance(value, dict):
        for key, below in value.items():
            found += places(below, (*path, key))
    elif isinstance(value, list):
        for place, below in enumerate(value):
            found += places(below, (*path, place))
    return found


def holder(body: Any, path: Steps) -> Any:  # noqa: ANN401 - JSON of any kind
    for step in path:
        body = body[step]
    return body


@st.composite
def mutated(draw: st.DrawFn, good: st.SearchStrategy[Json]) -> Json:
    """Give a good body, in which up to two places are dropped, replaced, repeated or copied."""
    body: Json = copy.deepcopy(draw(good))
    for _ in range(draw(st.sampled_from([0, 1, 1, 1, 2]))):
        found = places(body)
        if not found:
            break
        path = draw(st.sampled_from(found))
        above, last = holder(body, path[:-1]), path[-1]
        act = draw(st.sampled_from(["drop", "replace", "replace", "repeat", "copy"]))
        if act == "drop":
            del above[last]
        elif act == "replace":
            above[last] = copy.deepcopy(draw(broken))
        elif act == "repeat" and isinstance(above, list):
            above.extend(copy.deepcopy(above[last]) for _ in range(draw(st.integers(1, 26))))
        elif act == "copy":
            above[last] = copy.deepcopy(holder(body, draw(st.sampled_from(found))))
    return body
