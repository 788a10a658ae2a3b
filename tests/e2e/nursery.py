"""Bots as processes of their own that begin quickly: forked from one that has imported everything.

    python -m tests.e2e.nursery

Reads one JSON object a line on standard input and answers with one on standard output:
`{"environment": {…}, "folder": "…", "log": "…"}` begins a bot, as `python -m bot` would there, and
answers `{"pid": …}`; `{"ended": pid}` answers `{"status": …}`, negative for the signal that killed
it, or null while it runs.
"""

from __future__ import annotations

import json
import os
import sys
import traceback

import bot.__main__ as program
import cogs.admin
import cogs.challenge
import cogs.help
import cogs.play
import cogs.record  # noqa: F401 - imported here once, not in every bot


def main() -> None:
    """Serve until standard input ends."""
    ended: dict[int, int] = {}
    for line in sys.stdin:
        order = json.loads(line)
        answer: dict[str, int | None]
        if (asked := order.get("ended")) is not None:
            if asked not in ended:
                pid, status = os.waitpid(asked, os.WNOHANG)
                if pid:
                    ended[pid] = os.waitstatus_to_exitcode(status)
            answer = {"status": ended.get(asked)}
        else:
            answer = {"pid": begin(order["environment"], order["folder"], order["log"])}
        print(json.dumps(answer), flush=True)  # noqa: T201


def begin(environment: dict[str, str], folder: str, log: str) -> int:
    """Fork a bot; its process id."""
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        os.setsid()
        os.chdir(folder)
        nothing = os.open(os.devnull, os.O_RDONLY)
        said = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.dup2(nothing, 0)
        os.dup2(said, 1)
        os.dup2(said, 2)
        os.environ.update(environment)
        status = program.main()
    except BaseException:  # noqa: BLE001 - as Python does at the end of a program
        traceback.print_exc()
        status = 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


if __name__ == "__main__":
    main()
