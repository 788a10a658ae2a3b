"""The files of a request: how many, how large, and what the message says of them."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from playground.checks.fields import Body, Tree, fault, objects
from playground.errors import Code, Refused

FILES = 10
FILE_BYTES = 10 * 1024 * 1024
REQUEST_BYTES = 25 * 1024 * 1024

Files = Mapping[str, tuple[str, int]]
NO_FILES: Files = MappingProxyType({})

_PART = re.compile(r"files\[(\d+)\]")


def check_files(files: Files) -> None:
    """Refuse parts that are too many, too large, or not called `files[0]` and so on."""
    if not files:
        return
    sizes = [size for _, size in files.values()]
    if sum(sizes) > REQUEST_BYTES or max(sizes) > FILE_BYTES:
        raise Refused.because(Code.TOO_LARGE)
    faults: Tree = {}
    if len(files) > FILES:
        faults["files"] = fault("BASE_TYPE_MAX_LENGTH", f"Must be {FILES} or fewer in length.")
    for part in files:
        if not _PART.fullmatch(part):
            faults[part] = fault("FILE_PART_NAME", "File parts must be named files[n]")
    if faults:
        raise Refused(400, 50035, "Invalid Form Body", faults)


def uploaded(files: Files) -> dict[str, str]:
    """Give the number in each part's name with the file name that came with it."""
    return {part[6:-1]: name for part, (name, _) in files.items()}


def names_after(body: Body, files: Files, kept: Mapping[str, str]) -> frozenset[str]:
    """Give the names of the files that the message will have after this request.

    `kept` are the files it has now, id to name. A list of attachments names all that are to
    stay; without one, all stay.
    """
    if not files and not kept:
        return frozenset()
    new = uploaded(files)
    if not isinstance(body.get("attachments"), list):
        return frozenset([*new.values(), *kept.values()])
    names = set()
    for entry in objects(body["attachments"]):
        key = str(entry.get("id"))
        name = entry.get("filename") if key in new else None
        name = name or new.get(key) or kept.get(key)
        if isinstance(name, str):
            names.add(name)
    return frozenset(names)


def listed_files(body: Body, files: Files, kept: Mapping[str, str]) -> Tree | None:
    """Check that a list of attachments and the uploaded parts speak of the same files."""
    entries = objects(body.get("attachments"))
    if not entries:
        return None
    new = uploaded(files)
    ids = [str(entry.get("id")) for entry in entries]
    faults: Tree = {}
    for place, key in enumerate(ids):
        if key not in new and key not in kept:
            wrong = fault("ATTACHMENT_NOT_FOUND", "Attachment data not found")
            faults[str(place)] = {"id": wrong}
    for key in new:
        if key not in ids:
            faults["_errors"] = [
                {"code": "ATTACHMENT_NOT_LISTED", "message": f"files[{key}] is not listed"}
            ]
    return {"attachments": faults} if faults else None
