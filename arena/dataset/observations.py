"""The features that the acting seats see, from logs that are played again (the extra [research])."""

from arena.codecs.codec import codec_for
from arena.dataset.exported import ExportedMatch, Record
from arena.match_log.reader import MatchLog
from arena.match_report.plies import positions
from arena.research.setting import Setting

Feature = dict[str, object]


class Observer:
    """Makes the rows of the table of observations, and remembers which features they have."""

    def __init__(self) -> None:
        """Start without settings."""
        self._settings: dict[str, Setting] = {}

    def records(self, exported: ExportedMatch, log: MatchLog) -> list[Record]:
        """Return a row for each ply that follows the rules of this software."""
        match = int(exported.match.name.removeprefix("matches/"))
        rules = codec_for(log.setup.game).game
        setting = self._setting(log.setup.game, len(log.setup.seats), rules.option_values(log.setup.options))
        return [
            {
                "match": match,
                "position": exported.position,
                "ply": number,
                "seat": ply.seat,
                "features": setting.vector(state.observe(ply.seat)).tolist(),
            }
            for number, (state, ply) in enumerate(positions(log, rules))
        ]

    def features(self) -> list[Feature]:
        """Return for the card which features the rows of each game, number of seats and options have."""
        return [
            {
                "game": setting.game,
                "seats": setting.seats,
                "options": setting.rules.option_values(setting.options),
                "features": [{"name": each.name, "shape": list(each.shape)} for each in setting.features],
            }
            for setting in self._settings.values()
        ]

    def _setting(self, game: str, seats: int, options: dict[str, str]) -> Setting:
        key = f"{game} {seats} {sorted(options.items())}"
        if key not in self._settings:
            self._settings[key] = Setting(game, seats, options)
        return self._settings[key]
