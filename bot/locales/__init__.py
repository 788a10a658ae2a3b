"""The catalogues of the bot's sentences; ``python -m bot.locales`` brings them up to date."""
