"""``python -m bot.locales``: collect the sentences anew and compile every language."""

from __future__ import annotations

from bot.locales.catalogue import ROOT, update

if __name__ == "__main__":
    for path in update():
        print(path.relative_to(ROOT))
