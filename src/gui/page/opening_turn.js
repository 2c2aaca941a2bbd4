// The turns of an opening: what the players decide in it, and how far it is.

import { choose, currentStep, offer } from "./openings.js";

export class OpeningTurn {
  constructor(play) {
    this.play = play;
  }

  // Offers fifth moves, or no longer. With the last of them it is the other player's turn.
  offerFifths(points) {
    const { play } = this;
    const { opening } = play.match;
    const step = currentStep(opening);
    const color = play.activeColor();
    for (const point of points) offer(opening, point);
    if (currentStep(opening) !== step) play.clock.decided(color);
    this.noteStage();
    play.changed("opening");
  }

  // A decision of the opening, told under the name that its player had before sides were changed.
  decide(choice) {
    const { play } = this;
    const detail = { player: play.active, color: play.activeColor(), choice };
    play.clock.decided(detail.color);
    // Of the stage that ends with it; where nothing follows it, it was taken back.
    const stage = play.tip.stages?.at(-1);
    if (stage) stage.decided = { color: detail.color, choice };
    play.hold(choose(play.match.opening, play.match.sides, choice));
    play.dispatchEvent(new CustomEvent("decided", { detail }));
  }

  choose(choice) {
    const { play } = this;
    this.decide(choice);
    if (!play.match.opening.steps.length) play.match.opening = null;
    this.noteStage();
    play.changed("opening");
  }

  // Writes down how far the opening is: the stages of a node are those in which it has stood there, {opening, sides, left}
  // with what remains of it and of the clocks, or null where it is over. undo() goes back to them.
  noteStage() {
    const { play } = this;
    const { opening, sides } = play.match;
    play.noteClock();
    play.tip.stages = [...(play.tip.stages || []), opening && structuredClone({ opening, sides, left: play.tip.left })];
  }

  // Where the opening is over, what stands at the tip and between it and the place where that was decided is no part of
  // the opening.
  forgetStages() {
    const { play } = this;
    const path = play.game.pathTo(play.tip);
    const over = path.findLastIndex(({ stages }) => stages && stages.at(-1) === null);
    if (over >= 0) for (const node of path.slice(over + 1)) node.stages = null;
    if (play.tip.stages?.at(-1)) play.tip.stages = null;
  }
}
