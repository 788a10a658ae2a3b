"""The bot as a process of its own: started beside the playground, watched, restarted, stopped."""

import asyncio
import contextlib
import ctypes
import os
import signal
import sys
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path

LAST_LINES = 20
_PATIENCE = 15.0
"""Seconds that the bot gets to stop by itself."""
_LONG_LOG = 5_000_000
"""Bytes of a log that is begun anew at the next start."""
_PR_SET_PDEATHSIG = 1


def _end_with_us() -> None:
    """Let the kernel end the bot when the playground is killed: nobody else could any more."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


class BotProcess:
    """One bot, again and again: `start`, then `stop` or `kill`; what it says goes to a file."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], log: Path) -> None:
        self._command = tuple(command)
        self._environment = dict(environment)
        self._log = log
        self._process: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self.last: deque[str] = deque(maxlen=LAST_LINES)
        """The newest lines that it said, on either stream."""

    async def start(self) -> None:
        """Start it. It is in a session of its own: Ctrl-C reaches it only by way of us."""
        if self._log.exists() and self._log.stat().st_size > _LONG_LOG:
            self._log.replace(self._log.with_suffix(".old.log"))
        self._process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env={**os.environ, **self._environment},
            start_new_session=True,
            preexec_fn=_end_with_us if sys.platform == "linux" else None,
        )
        self._reader = asyncio.create_task(self._read(self._process))

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None  # noqa: S101 - it was asked for as a pipe
        with self._log.open("ab") as file:
            while chunk := await process.stdout.read(1 << 16):
                file.write(chunk)
                file.flush()
                said = chunk.decode(errors="replace").splitlines()
                self.last.extend(line for line in said if line.strip())

    async def ended(self) -> int:
        """Wait until it has ended; returns its exit status as a shell tells it."""
        if self._process is None:
            return 0
        status = await self._process.wait()
        if self._reader is not None:
            await self._reader
        return status if status >= 0 else 128 - status

    async def stop(self) -> None:
        """Ask it to stop and wait; kill it if that takes too long."""
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.terminate()
        try:
            await asyncio.wait_for(self.ended(), _PATIENCE)
        except TimeoutError:
            await self.kill()

    async def kill(self) -> None:
        """Kill it as a power cut would."""
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
        await self.ended()
