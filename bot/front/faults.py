"""What somebody is told where a fault of ours, or of the database, kept him from a whole answer.

What was committed before it counts, and nobody is told otherwise; nor that it counts, or doesn't,
where only the database knows.
"""

from __future__ import annotations

from bot.front.change import Change
from bot.ui.language import _


def database_sentence(change: Change) -> str:
    """What is said where the database failed."""
    if change.in_doubt:
        return _(
            "I don't know whether that counts: the database failed me at the very moment I wrote "
            "it down. Please look in a few minutes how it stands before you try again."
        )
    if not change.counts:
        return _(
            "I can't write anything down just now, so nothing new counts; all that "
            "stood before still stands. Please try again in a few minutes."
        )
    if change.in_parts:
        return _(
            "The database failed me after I had begun to write that down, so some of it counts. "
            "Please try again in a few minutes."
        )
    return _(
        "That counts: I had written it down when the database failed me. What came of it I can't "
        "show you just now; look again in a few minutes."
    )


def fault_sentence(reference: str, change: Change) -> str:
    """What is said of a fault of ours, which the log has by this reference."""
    if change.in_doubt:
        said = _(
            "Something went wrong at the very moment I wrote that down, so I don't know whether it "
            "counts. Please look how it stands before you try again; if it stays, tell the host "
            "this reference: `{reference}`."
        )
    elif not change.counts:
        said = _(
            "Something went wrong on our side, and nothing was lost. Please try again; "
            "if it stays, tell the host this reference: `{reference}`."
        )
    elif change.in_parts:
        said = _(
            "Something went wrong on our side after I had begun to write that down, so some of it "
            "counts. Please try again; if it stays, tell the host this reference: `{reference}`."
        )
    else:
        said = _(
            "That counts, but something went wrong on our side before I could show you what came "
            "of it. Please look again; if it stays, tell the host this reference: `{reference}`."
        )
    return said.format(reference=reference)
