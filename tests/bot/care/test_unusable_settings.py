"""Settings that only this machine shows to be wrong: one sentence at the start, and status 2."""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import discord
import pytest

from bot.__main__ import main
from bot.care.backups import Schedule, refuse_folder
from bot.settings import SettingsError
from db.errors import DatabaseUnusable

TOKEN = "MTIzNDU2.Gh1jKl.a-token-of-the-right-shape"
DAILY = Schedule(every=timedelta(days=1), keep=7)

pytestmark = pytest.mark.usefixtures("as_it_was")


@pytest.fixture
def place(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for a database, and settings with which the bot would start on it."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv("DISCORD_API_URL", "http://127.0.0.1:9")  # nobody is to be asked
    monkeypatch.setenv("DATABASE_URL", url(folder))
    return folder


def url(folder: Path) -> str:
    return f"sqlite+aiosqlite:///{folder / 'house.db'}"


def sentence(capsys: pytest.CaptureFixture[str], status: int) -> str:
    """What a start says that ends by itself."""
    assert main([]) == status
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.endswith(".")
    assert ". " not in said
    return said


# ---------------------------------------------------------------------------- BACKUP_FOLDER


def test_a_folder_for_backups_that_is_a_file_is_named_at_the_start(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "copies").write_text("a list of errands")
    monkeypatch.setenv("BACKUP_FOLDER", str(place / "copies"))
    assert sentence(capsys, 2) == f"BACKUP_FOLDER is wrong: {place / 'copies'} is no folder."
    monkeypatch.setenv("BACKUP_FOLDER", str(place / "copies" / "inner"))
    assert sentence(capsys, 2) == f"BACKUP_FOLDER is wrong: {place / 'copies'} is no folder."
    assert (place / "copies").read_text() == "a list of errands"
    assert not (place / "house.db").exists()


def test_the_usual_folder_for_backups_is_named_with_the_setting_that_gives_another(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "backups").write_text("")
    said = sentence(capsys, 2)
    assert said.startswith(f"Backups can't be put into {place / 'backups'}: ")
    assert "set BACKUP_FOLDER to another place" in said


def test_a_folder_for_backups_in_which_this_user_may_not_write_is_named(
    folder: Path, as_nobody: Callable[[], None]
) -> None:
    (folder / "copies").mkdir(mode=0o755)
    asked = Schedule(DAILY.every, DAILY.keep, folder / "copies" / "of-this-house")
    refuse_folder(url(folder), asked)  # as who may
    (folder / "copies").chmod(0o555)
    as_nobody()
    with pytest.raises(SettingsError) as refused:
        refuse_folder(url(folder), asked)
    said = str(refused.value)
    assert said == f"BACKUP_FOLDER is wrong: this user may not write in {folder / 'copies'}."


def test_a_folder_for_backups_that_is_not_there_yet_is_fine_and_not_made_by_looking(
    folder: Path,
) -> None:
    refuse_folder(url(folder), DAILY)
    refuse_folder(url(folder), Schedule(DAILY.every, DAILY.keep, folder / "a" / "b"))
    assert list(folder.iterdir()) == []


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="there is no /proc here")
def test_a_folder_that_looks_usable_but_takes_no_file_is_named(folder: Path) -> None:
    """Who may do everything may write in ``/proc`` too, as far as rights go."""
    for name in ("/proc/x", "/proc/self/backups", "/proc"):
        with pytest.raises(SettingsError, match=r"^BACKUP_FOLDER is wrong: [^\n]*/proc"):
            refuse_folder(url(folder), Schedule(DAILY.every, DAILY.keep, Path(name)))


def test_a_folder_for_backups_whose_name_is_too_long_is_named_and_nothing_is_left(
    folder: Path,
) -> None:
    parts = folder.joinpath("good", *["of-two-hundred-letters"[:20] * 10] * 25)
    for name in (folder / "a" / ("b" * 300), parts, folder / ("c" * 5_000)):
        with pytest.raises(SettingsError) as refused:
            refuse_folder(url(folder), Schedule(DAILY.every, DAILY.keep, name))
        said = str(refused.value)
        assert said.startswith(f"BACKUP_FOLDER is wrong: no file can be made in {folder}/")
        assert said.endswith(" (file name too long).")
        assert len(said) < 300
    assert list(folder.iterdir()) == []


def test_a_full_disk_is_no_reason_not_to_start(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_path: Path, *_arguments: object, **_named: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "mkdir", full)
    refuse_folder(url(folder), Schedule(DAILY.every, DAILY.keep, folder / "copies"))


def test_where_the_databases_own_folder_may_not_be_written_that_is_named(
    folder: Path, as_nobody: Callable[[], None]
) -> None:
    """To give the backups another place would only lead to the next refusal."""
    (folder / "house.db").touch()
    (folder / "house.db").chmod(0o666)
    folder.chmod(0o555)
    as_nobody()
    with pytest.raises(DatabaseUnusable, match=r"^The folder \S+ of the database may not be writ"):
        refuse_folder(url(folder), DAILY)


# ----------------------------------------------------------------------------- METRICS_PORT


@pytest.fixture
def taken() -> Iterator[int]:
    """A port on which another program listens."""
    with closing(socket.socket()) as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


def test_a_port_for_the_figures_that_another_program_has_is_named(
    place: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    taken: int,
) -> None:
    monkeypatch.setenv("METRICS_PORT", str(taken))
    said = sentence(capsys, 2)
    assert said.startswith(f"METRICS_PORT is wrong: another program uses port {taken} ")


def test_nobody_is_warned_that_the_bot_could_not_speak(
    place: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    taken: int,
) -> None:
    """discord.py warns at its first client that what it needs for voice isn't installed."""
    monkeypatch.setattr(discord.VoiceClient, "warn_nacl", True)
    monkeypatch.setattr(discord.VoiceClient, "warn_dave", True)
    monkeypatch.setenv("METRICS_PORT", str(taken))
    assert main([]) == 2
    assert "voice" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("a..b", 2),  # no name at all
        ("192.0.2.1", 1),  # of nobody's machine (RFC 5737), as before the network is there
    ],
)
def test_a_host_for_the_figures_that_this_machine_is_not_is_named(
    place: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    taken: int,
    host: str,
    status: int,
) -> None:
    monkeypatch.setenv("METRICS_HOST", host)
    monkeypatch.setenv("METRICS_PORT", str(taken))
    said = sentence(capsys, status)
    assert said.startswith("METRICS_HOST is wrong")
    assert host in said
