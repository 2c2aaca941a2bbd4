// Setting up a position: stones are put on the board and taken away, in any number and order, before anything is played.

import { announce, say, sayRemoved, select, unsay } from "./dialogs.js";
import { bringIntoSight } from "./in_sight.js";
import { setText, byId, element } from "../../page/elements.js";
import { t } from "./words.js";

// What a click does: it puts a stone of a colour there, or takes away what lies there.
const TOOLS = ["black", "white", "empty"];

export class SetUp {
  // `panel` names points and draws.
  constructor(play, analysis, exchange, panel) {
    Object.assign(this, { play, analysis, exchange, panel, tool: null });
  }

  // Goes on from the stones that are shown. The game that they belong to becomes the game before.
  begin() {
    const { play } = this;
    // What was offered before lies over the tools.
    unsay("choice");
    const game = play.isSetUp ? null : play.game.asSetUp();
    const assumed = play.match.isOpened ? play.match.assumed : null;
    const offer = game && this.exchange.leave();
    if (game) play.open(Object.assign(game, { assumed }));
    this.choose("black");
    bringIntoSight(byId("set-up-bar"), {});
    // Where a word lies depends on the tools.
    if (offer) say(t("set-up-begun"), "info", offer);
  }

  // Clicks do this from now on; with null they play again.
  choose(tool) {
    if (tool === this.tool) return;
    if (tool) this.analysis.leaveProof();
    this.tool = tool;
    this.panel.redraw();
  }

  // Whoever has set up a position wants neither the game before nor the stones before back.
  done() {
    unsay("choice");
    this.choose(null);
  }

  // The position may be set up only as long as nothing else is shown.
  end() {
    this.tool = null;
  }

  click(point) {
    const { play, tool, panel } = this;
    if (play.game.isDead(point))
      return say(t("said-of", { what: panel.name(point), text: t("refused-occupied") }), "refusal");
    play.setUp((game) => game.setUp(point, tool === "empty" ? null : tool));
    // Whoever goes on does not want the game before back.
    unsay("choice");
    const stone = play.game.stoneAt(point);
    announce(panel.name(point) + ", " + t(stone ? stone.color : "cell-empty"));
  }

  clear() {
    const { play } = this;
    const { game } = play;
    const { setup, color } = game.root;
    if (game.isEmpty) return;
    play.setUp(() => game.clear());
    const act = () => {
      if (play.game === game && play.isSetUp) play.setUp(() => game.changeRoot({ setup, color }));
    };
    sayRemoved(t("board-cleared"), act);
  }

  build() {
    const { play } = this;
    byId("set-up-tools").replaceChildren(
      ...TOOLS.map((tool) =>
        element(
          "button",
          { type: "button", id: "set-up-" + tool, "aria-pressed": "false", click: () => this.choose(tool) },
          tool === "empty" ? null : element("span", { class: "stone-mark " + tool }),
          t("set-up-" + tool),
        ),
      ),
      select(
        "set-up-turn",
        t("set-up-turn"),
        ["black", "white"].map((color) => [color, t(color)]),
        play.game.toMove(),
        (color) => play.setUp((game) => game.changeRoot({ color })),
      ),
      element(
        "button",
        {
          type: "button",
          id: "set-up-clear",
          click: () => this.clear(),
        },
        t("set-up-clear"),
      ),
      element(
        "button",
        { type: "button", id: "set-up-done", class: "main", click: () => this.done() },
        t("set-up-done"),
      ),
    );
  }

  draw() {
    byId("set-up-bar").hidden = this.tool === null;
    setText(byId("set-up-text"), this.tool ? t("set-up-text") : "");
    for (const tool of TOOLS) byId("set-up-" + tool).setAttribute("aria-pressed", String(tool === this.tool));
    byId("set-up-turn").value = this.play.game.toMove();
  }
}
