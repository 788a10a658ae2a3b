"""How many messages stand below each table, to know which of them lie far up."""

from __future__ import annotations

from collections import defaultdict

from db.ids import ChannelId, MatchId


class Below:
    """Counts for each table of a running match; begins anew with each start of the bot."""

    def __init__(self) -> None:
        self._channel_of: dict[MatchId, ChannelId] = {}
        self._counts: defaultdict[ChannelId, dict[MatchId, int]] = defaultdict(dict)

    def wrote(self, channel: ChannelId) -> None:
        """Another message stands in this channel now."""
        counts = self._counts.get(channel)
        if counts:
            for match in counts:
                counts[match] += 1

    def watch(self, match: MatchId, channel: ChannelId) -> None:
        """Count below the table of a match, which stands in this channel."""
        if self._channel_of.get(match) != channel:
            self.posted(match, channel)

    def posted(self, match: MatchId, channel: ChannelId) -> None:
        """The table was posted at the end of this channel just now."""
        self.forget(match)
        self._channel_of[match] = channel
        self._counts[channel][match] = 0

    def forget(self, match: MatchId) -> None:
        """The match is over: its table needn't be found any more."""
        channel = self._channel_of.pop(match, None)
        if channel is not None:
            self._counts[channel].pop(match, None)
            if not self._counts[channel]:
                del self._counts[channel]

    def __getitem__(self, match: MatchId) -> int:
        channel = self._channel_of.get(match)
        return 0 if channel is None else self._counts[channel][match]
