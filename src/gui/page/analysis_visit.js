// Ways from a game to its analysis, back to where it was left, and on from another position.

import { localDate } from "./clock.js";

export class AnalysisVisit {
  constructor(play) {
    this.play = play;
  }

  // Leaves the game for the analysis.
  begin() {
    const { play } = this;
    const { match } = play;
    play.interrupt();
    play.clock.pause();
    // Who looks at the analysis in the middle of a game has been helped.
    match.helped = match.helped || !play.isOver;
    match.mode = "analyse";
    if (!play.isOver) play.noteClock();
    match.leftAt = play.game.keyOf(play.tip);
    play.departure = play.tip;
    play.tip = play.game.current;
    play.changed("mode");
  }

  // Back to the game as it was left, whatever was tried out meanwhile.
  end() {
    const { play } = this;
    const { leftNode } = play;
    if (!leftNode) return this.playFromHere();
    play.match.mode = "play";
    play.game.current = leftNode;
    play.standAt(leftNode);
    // Where the game is over, its clocks stand as they stood at its end.
    if (!play.isOver) play.restoreClock();
    play.changed("mode");
  }

  // The game goes on from what is shown. An opening cannot, since other stones lie there than those it knows.
  playFromHere() {
    const { play } = this;
    const { match } = play;
    match.mode = "play";
    match.isPaused = false;
    if (match.isOpened) this.own();
    play.standAt(play.game.current);
    match.from = Math.min(match.from || 0, play.game.ply());
    play.reopen();
    if (match.opening) {
      match.opening = null;
      play.dispatchEvent(new Event("opening-left"));
    }
    if (!match.opening) play.openingTurn.forgetStages();
    play.restoreClock();
    play.changed("mode");
  }

  // What was opened is played on, and from here on it is a game of one's own like any other.
  own() {
    const { game, match } = this.play;
    delete match.isOpened;
    delete match.endAt;
    Object.assign(match, { seed: Math.floor(Math.random() * 2 ** 32), from: game.ply() });
    game.disown(localDate());
  }
}
