"""What people and Prometheus see of a job while it runs."""

import time

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

# Seconds between two lines where there is no terminal.
LINE_EVERY = 10.0


def in_words(figures: dict) -> str:
    """How a job stands, in one line."""
    words = [f"{figures['done']}/{figures['shards']} shards"]
    if match := figures.get("match"):
        words.append(f"{match['games']} games")
        if sprt := match["sprt"]:
            low, high = sprt["bounds"]
            words.append(f"LLR {sprt['llr']:.2f} [{low:.2f}, {high:.2f}] after {sprt['pairs']} pairs")
        elif match["games"] and len(match["encounters"]) == 1 and match["encounters"][0]["elo"] is not None:
            meeting = match["encounters"][0]
            low, high = elo(meeting["elo_low"], "-∞"), elo(meeting["elo_high"], "+∞")
            words.append(f"Elo {elo(meeting['elo'], '')} [{low}, {high}]")
        if match["faults"]:
            words.append(f"{match['faults']} faults")
    if games := figures.get("games"):
        words.append(f"{games['games']} games, {games['positions']} positions")
    if spsa := figures.get("spsa"):
        words.append(f"{spsa['pairs']} pairs")
    if grow := figures.get("grow"):
        words.append(f"{grow['positions']}/{grow['planned']} positions, {grow['nodes']} nodes")
    if solve := figures.get("solve"):
        words.append(f"{solve['won']} won, {solve['refuted']} without a win, {solve['open']} open")
    return ", ".join(words)


def elo(difference: float | None, unbounded: str) -> str:
    """An Elo difference; JSON has null where it has no bound."""
    return unbounded if difference is None else f"{difference:+.1f}"


class LiveLine:
    """A bar on a terminal, and a line now and then elsewhere."""

    def __init__(self, shards: int, console: Console | None = None):
        self.console = console or Console(stderr=True)
        self.told = 0.0
        self.bar = None
        if self.console.is_terminal:
            columns = (BarColumn(), TaskProgressColumn(), TextColumn("{task.description}"))
            self.bar = Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn(), console=self.console)
            self.task = self.bar.add_task("", total=shards)
            self.bar.start()

    def stands(self, figures: dict, under_way: int) -> None:
        text = f"{in_words(figures)}, {under_way} under way"
        if self.bar:
            self.bar.update(self.task, completed=figures["done"], description=text)
        elif time.monotonic() - self.told > LINE_EVERY or figures["over"]:
            self.told = time.monotonic()
            self.console.print(text, markup=False, highlight=False, soft_wrap=True)

    def happened(self, text: str) -> None:
        self.console.print(text, markup=False, highlight=False, soft_wrap=True)

    def close(self) -> None:
        if self.bar:
            self.bar.stop()


class Gauges:
    """The same as figures that Ray hands to Prometheus."""

    def __init__(self, job: str):
        from ray.util.metrics import Counter, Gauge

        tags = {"tag_keys": ("job",)}
        self.done = Gauge("kagetsu_shards_done", "Shards of the job that are done", **tags)
        self.under_way = Gauge("kagetsu_shards_under_way", "Shards that were given out", **tags)
        self.games = Gauge("kagetsu_games", "Games of the job so far", **tags)
        self.llr = Gauge("kagetsu_llr", "Log-likelihood ratio of the sequential test", **tags)
        self.elo = Gauge("kagetsu_elo", "Elo of the first engine", **tags)
        self.mishaps = Counter("kagetsu_mishaps", "Shards that failed, workers that were lost or refused", **tags)
        for figure in (self.done, self.under_way, self.games, self.llr, self.elo, self.mishaps):
            figure.set_default_tags({"job": job})

    def stands(self, figures: dict, under_way: int) -> None:
        self.done.set(figures["done"])
        self.under_way.set(under_way)
        if games := figures.get("match") or figures.get("games"):
            self.games.set(games["games"])
        if match := figures.get("match"):
            if match["sprt"]:
                self.llr.set(match["sprt"]["llr"])
            if len(match["encounters"]) == 1 and match["encounters"][0]["elo"] is not None:
                self.elo.set(match["encounters"][0]["elo"])

    def happened(self, text: str) -> None:
        self.mishaps.inc()


class All:
    """Several who are told."""

    def __init__(self, *watchers):
        self.watchers = watchers

    def stands(self, figures: dict, under_way: int) -> None:
        for watcher in self.watchers:
            watcher.stands(figures, under_way)

    def happened(self, text: str) -> None:
        for watcher in self.watchers:
            watcher.happened(text)
