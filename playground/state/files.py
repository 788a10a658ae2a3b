"""Files that come with a request: what they are, and how large a picture is."""

import mimetypes
import re
import struct
from dataclasses import dataclass

from playground.wire import Json, as_objects

_PART = re.compile(r"files\[(\d{1,19})\]")
_UNSAFE = re.compile(r"[^A-Za-z0-9_.-]")


@dataclass(frozen=True, slots=True)
class Upload:
    """One file part of a multipart request."""

    part: str
    filename: str
    content: bytes

    @property
    def number(self) -> str | None:
        """The n of `files[n]`; None when the part has another name."""
        match = _PART.fullmatch(self.part)
        return match.group(1) if match else None


def listed_name(upload: Upload, listed: object) -> Json:
    """Find what `attachments` says about an upload (its filename, its description)."""
    for item in as_objects(listed):
        if str(item.get("id")) == upload.number:
            return item
    return {}


def safe_name(filename: str) -> str:
    """Write a file's name as Discord keeps it: letters, digits, `_`, `.` and `-`."""
    return _UNSAFE.sub("_", filename).strip("_") or "unknown"


def content_type(filename: str) -> str:
    """Guess what a file is from its name."""
    return mimetypes.guess_type(filename)[0] or "application/octet-stream"


def picture_size(content: bytes) -> tuple[int, int] | None:
    """Read width and height in pixels from a PNG, GIF or JPEG; None for anything else."""
    if content[:8] == b"\x89PNG\r\n\x1a\n" and len(content) >= 24:
        width, height = struct.unpack(">II", content[16:24])
        return int(width), int(height)
    if content[:6] in {b"GIF87a", b"GIF89a"} and len(content) >= 10:
        width, height = struct.unpack("<HH", content[6:10])
        return int(width), int(height)
    if content[:2] == b"\xff\xd8":
        return _jpeg_size(content)
    return None


def _jpeg_size(content: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 < len(content) and content[at] == 0xFF:
        marker = content[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in {0xC4, 0xC8, 0xCC}:
            height, width = struct.unpack(">HH", content[at + 5 : at + 9])
            return int(width), int(height)
        at += 2 + int(struct.unpack(">H", content[at + 2 : at + 4])[0])
    return None
