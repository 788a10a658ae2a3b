"""The web page's modules by themselves, in a real browser: markdown and commands as values."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser import Background
from tests.playground.mock_content import commands
from tests.playground.mock_house import Json
from tests.playground.mock_page import MockPage

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def lab(browser: Browser) -> Iterator[Page]:
    """An empty page that may import the modules."""
    with Background() as background:
        mock = MockPage()
        background.run(mock.start())
        page = browser.new_page()
        page.goto(f"{mock.url}/web/icon.svg")
        yield page
        page.close()
        background.run(mock.stop())


@pytest.fixture
def parsed(lab: Page) -> Callable[[str], object]:
    """Reads markdown with the page's own module."""
    script = "async (text) => (await import('/web/render/markdown.js')).parse(text)"
    return lambda text: lab.evaluate(script, text)


def says(text: str) -> Json:
    return {"kind": "text", "text": text}


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("**7♥** and *8♥*", [("strong", "7♥"), " and ", ("em", "8♥")]),
        ("__u__ ~~s~~ ||hush||", [("under", "u"), " ", ("strike", "s"), " ", ("spoiler", "hush")]),
        ("snake_case_name stays", ["snake_case_name stays"]),
        (r"\*not\* \<@1>", ["*not* <@1>"]),
        ("2 * 3 * 4", ["2 * 3 * 4"]),
        ("**open", ["**open"]),
    ],
)
def test_marks_within_a_line_are_read(
    parsed: Callable[[str], object], written: str, read: list[str | tuple[str, str]]
) -> None:
    assert parsed(written) == [
        says(part) if isinstance(part, str) else {"kind": part[0], "children": [says(part[1])]}
        for part in read
    ]


def test_an_excerpt_names_who_is_mentioned(lab: Page) -> None:
    script = """async (text) => {
      const { parse, plain } = await import('/web/render/markdown.js');
      return plain(parse(text), (mark) => `@${mark.id}`);
    }"""
    assert lab.evaluate(script, "## Ada challenges <@7>\n**it's** <@8>'s turn") == (
        "Ada challenges @7\nit's @8's turn"
    )


def test_code_keeps_every_mark(parsed: Callable[[str], object]) -> None:
    assert parsed("`**x**`") == [{"kind": "code", "text": "**x**"}]
    assert parsed("```py\n# **x**\n```") == [{"kind": "pre", "lang": "py", "text": "# **x**"}]


def test_lines_of_a_kind_are_read_as_blocks(parsed: Callable[[str], object]) -> None:
    assert parsed("## Score\n-# so far\n> said\n> twice\nend") == [
        {"kind": "heading", "level": 2, "children": [says("Score")]},
        {"kind": "subtext", "children": [says("so far")]},
        {"kind": "quote", "children": [says("said\ntwice")]},
        says("end"),
    ]
    inner = {"kind": "list", "ordered": True, "start": 3, "items": [[says("b")]]}
    assert parsed("- a\n  3. b\n- c") == [
        {"kind": "list", "ordered": False, "start": 1, "items": [[says("a"), inner], [says("c")]]}
    ]


def test_mentions_times_and_emoji_are_read(parsed: Callable[[str], object]) -> None:
    written = "<@1><@!2><#3><@&4></gin draw:5><a:ace:6><t:1700000000:R><t:7>@everyone"
    assert parsed(written) == [
        {"kind": "user", "id": "1"},
        {"kind": "user", "id": "2"},
        {"kind": "channel", "id": "3"},
        {"kind": "role", "id": "4"},
        {"kind": "command", "name": "gin draw", "id": "5"},
        {"kind": "emoji", "name": "ace", "id": "6", "animated": True},
        {"kind": "time", "unix": 1_700_000_000, "style": "R"},
        {"kind": "time", "unix": 7, "style": "f"},
        {"kind": "everyone", "text": "@everyone"},
    ]


def test_links_lead_to_web_addresses_only(parsed: Callable[[str], object]) -> None:
    assert parsed("(see https://a.b/c(1)).") == [
        says("(see "),
        {"kind": "link", "href": "https://a.b/c(1)", "children": [says("https://a.b/c(1)")]},
        says(")."),
    ]
    masked = {"kind": "link", "href": "https://a.b", "children": [says("here")]}
    assert parsed("[here](https://a.b)") == [masked]
    assert parsed("[no](javascript:alert(1))") == [says("[no](javascript:alert(1))")]


RUN_COMMANDS = """async ([call, ...args]) => {
    const commands = await import('/web/commands.js');
    const entries = commands.layOut(args.shift(), { inServer: true });
    if (call === 'split') {
        const found = commands.split(entries, args[0]);
        if (!found) return null;
        const { values, loose } = commands.readValues(found.entry, found.rest);
        return [found.entry.title, Object.fromEntries(values), loose];
    }
    const option = entries.flatMap((one) => one.options).find((one) => one.name === args[0]);
    const people = [['1', 'Ada Byron', 'ada'], ['2', 'Ada Lovelace', 'lace'], ['3', 'Bea', 'bea']];
    const around = {
        people: people.map(([id, name, alias]) => ({ id, name, aliases: [alias] })),
        channels: [{ id: '9', name: 'tables', aliases: [], type: 0 }],
        roles: [],
    };
    const found = commands.resolve(option, args[1], around);
    return found.error ?? found.value.value;
}"""


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("/gin pass", ["/gin pass", {}, ""]),
        ("/gin   discard card:7h", ["/gin discard", {"card": "7h"}, ""]),
        ("/gin discard 7h", ["/gin discard", {"card": "7h"}, ""]),
        ("/gin discard match:a b card: 7h", ["/gin discard", {"match": "a b", "card": "7h"}, ""]),
        ("/gin hand now", ["/gin hand", {}, "now"]),
        ("/gin-admin", ["/gin-admin", {}, ""]),
        ("/gin", None),
        ("/gin fold", None),
    ],
)
def test_typed_lines_are_taken_apart(lab: Page, line: str, read: list[object] | None) -> None:
    assert lab.evaluate(RUN_COMMANDS, ["split", commands(), line]) == read


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [
        ("opponent", "bea", "3"),
        ("opponent", "@Ada B", "1"),
        ("opponent", "<@2>", "2"),
        ("opponent", "ada", "1"),  # a whole name goes before beginnings of others
        ("opponent", "Ada", "1"),
        ("opponent", "A", "Which one: Ada Byron, Ada Lovelace?"),
        ("opponent", "Zed", "Nobody here is called “Zed”"),
        ("where", "#tab", "9"),
        ("variant", "okl", "oklahoma"),
        ("variant", "x", "Choose one of: Standard, Oklahoma, Straight"),
        ("target", "49", "At least 50"),
        ("target", "1001", "At most 1000"),
        ("target", "1.5", "Enter a whole number"),
        ("target", "250", 250),
        ("stake", "1.5", 1.5),
        ("rated", "yes", True),
        ("rated", "maybe", "Enter true or false"),
        ("card", " ", "This option is required"),
    ],
)
def test_typed_values_are_understood_or_refused_in_words(
    lab: Page, option: str, text: str, value: object
) -> None:
    assert lab.evaluate(RUN_COMMANDS, ["resolve", commands(), option, text]) == value
