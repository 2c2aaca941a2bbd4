// A game as a tree of moves with comments and marks, and a place in it. Knows colours and turns, but no rule: whether
// a move is allowed, and who has won, is for the engine to say.

import { samePoint } from "../../page/points.js";

export const RULES = ["freestyle", "standard", "renju", "caro", "exact-caro"];
// The fewest and the most columns and rows.
export const SIDES = [5, 22];

// The properties of SGF that say how strong the players are.
const RANKS = { black: "BR", white: "WR" };

export function opposite(color) {
  return color === "black" ? "white" : "black";
}

// Who has played or passed at a node; null where nobody has. After a pass the file says whose turn it is.
export function mover({ move, setup, color }) {
  return move ? color : color && !setup ? opposite(color) : null;
}

function emptyNode(parent) {
  return {
    parent,
    move: null,
    color: null,
    setup: null,
    comment: "",
    marks: [],
    // Properties of SGF that mean nothing here, [name, values] each.
    properties: [],
    children: [],
    value: null,
    live: null,
    left: null,
    stages: null,
    isTried: false,
  };
}

// Gives a node what follows another one with the same move, as far as the node has not got it.
function graft(node, other) {
  node.comment ||= other.comment;
  for (const child of other.children) {
    const same = node.children.find(({ move }) => samePoint(move, child.move));
    if (same) graft(same, child);
    else node.children.push(Object.assign(child, { parent: node }));
  }
}

export class Game {
  constructor(rule, width, height) {
    Object.assign(this, { rule, width, height, info: {}, root: emptyNode(null) });
    this.current = this.root;
  }

  // A game as the engine reads and writes it: nodes in a list, the root first.
  static fromTree(tree, rule) {
    const game = new Game(tree.rule || rule, tree.width, tree.height);
    game.info = { ...tree.info };
    const nodes = tree.nodes.map(
      ({ move, color, setup, comment, marks, properties, value, left, stages, isTried }) => ({
        ...emptyNode(null),
        move: move || null,
        color: color || null,
        setup: setup || null,
        comment: comment || "",
        marks: marks || [],
        properties: properties || [],
        value: value || null,
        left: left || null,
        stages: stages || null,
        isTried: Boolean(isTried),
      }),
    );
    tree.nodes.forEach(({ children }, n) => {
      nodes[n].children = (children || []).map((child) => nodes[child]);
      nodes[n].children.forEach((child) => {
        child.parent = nodes[n];
      });
    });
    game.root = nodes[0];
    game.current = nodes[tree.current || 0];
    return game;
  }

  // All nodes, each before those that follow it, main lines first.
  nodes() {
    const order = [];
    const visit = [this.root];
    while (visit.length) {
      const node = visit.pop();
      order.push(node);
      for (let n = node.children.length - 1; n >= 0; n--) visit.push(node.children[n]);
    }
    return order;
  }

  // As a list of nodes, for the engine and for the browser's storage. Only the page knows what it found (`value`), what
  // the clocks showed (`left`, in ms), how far the opening was (`stages`), and what was never played (`isTried`).
  toTree() {
    const order = this.nodes();
    const numbers = new Map(order.map((node, n) => [node, n]));
    return {
      rule: this.rule,
      width: this.width,
      height: this.height,
      info: this.info,
      current: numbers.get(this.current),
      nodes: order.map(
        ({ move, color, setup, comment, marks, properties, children, value, left, stages, isTried }) => ({
          move,
          color,
          setup,
          comment: comment || null,
          marks,
          children: children.map((child) => numbers.get(child)),
          ...(properties.length ? { properties } : {}),
          ...(value ? { value } : {}),
          ...(left ? { left } : {}),
          ...(stages ? { stages } : {}),
          ...(isTried ? { isTried } : {}),
        }),
      ),
    };
  }

  // The nodes from the root to one of them.
  pathTo(node = this.current) {
    const path = [];
    for (let at = node; at; at = at.parent) path.unshift(at);
    return path;
  }

  // From the root along the first children.
  mainLine() {
    const line = [this.root];
    while (line[line.length - 1].children.length) line.push(line[line.length - 1].children[0]);
    return line;
  }

  // The line through the current node, to its end.
  shownLine() {
    const line = this.pathTo();
    while (line[line.length - 1].children.length) line.push(line[line.length - 1].children[0]);
    return line;
  }

  // Whether this very node is part of the game still.
  has(node) {
    let at = node;
    while (at.parent?.children.includes(at)) at = at.parent;
    return at === this.root;
  }

  ply(node = this.current) {
    return this.pathTo(node).filter(({ move }) => move).length;
  }

  // The stones at a node in the order in which they were placed, with the number of each move, and whose turn it is.
  standing(node = this.current) {
    let stones = [];
    let number = 0;
    let next = "black";
    for (const { move, color, setup } of this.pathTo(node)) {
      if (setup) {
        for (const [side, points] of [
          ["black", setup.black || []],
          ["white", setup.white || []],
          [null, setup.empty || []],
        ]) {
          stones = stones.filter(({ at }) => !points.some((point) => samePoint(point, at)));
          if (side) stones.push(...points.map((at) => ({ at, color: side, isSetUp: true })));
        }
        const black = stones.filter((stone) => stone.color === "black").length;
        next = setup.to_move || (black > stones.length - black ? "white" : "black");
      }
      if (move) {
        const side = color || next;
        stones.push({ at: move, color: side, number: ++number });
        next = opposite(side);
      } else if (color) {
        // A pass, or a file that says whose turn it is.
        next = color;
      }
    }
    return { stones, next };
  }

  toMove(node = this.current) {
    return this.standing(node).next;
  }

  stoneAt(point) {
    return this.standing().stones.find(({ at }) => samePoint(at, point));
  }

  // What the engine is asked about: moves that were played in turn, after whatever was set up.
  position(node = this.current) {
    const { stones, next } = this.standing(node);
    let first = stones.length;
    let turn = opposite(next);
    while (first > 0 && stones[first - 1].color === turn && !stones[first - 1].isSetUp) {
      first--;
      turn = opposite(turn);
    }
    const before = stones.slice(0, first);
    const points = (color) => before.filter((stone) => stone.color === color).map(({ at }) => at);
    const position = {
      rule: this.rule,
      width: this.width,
      height: this.height,
      moves: stones.slice(first).map(({ at }) => at),
    };
    const { dead } = this;
    if (before.length || dead.length || opposite(turn) !== "black") {
      position.setup = { black: points("black"), white: points("white"), dead, to_move: opposite(turn) };
    }
    return position;
  }

  // What tells a position from every other.
  keyOf(node) {
    return JSON.stringify(this.position(node));
  }

  // The same tree with other facts about it.
  withInfo(info) {
    return Object.assign(new Game(this.rule, this.width, this.height), this, { info });
  }

  // Goes to the child with this move, which is made if it is not there; `isTried` where that plays no game.
  play(point, isTried = false) {
    let child = this.current.children.find(({ move }) => samePoint(move, point));
    if (!child) {
      child = { ...emptyNode(this.current), move: point, color: this.toMove(), isTried };
      this.current.children.push(child);
    }
    this.current = child;
    return child;
  }

  // Goes to a new node that places no stone and has this comment. What followed the current one is a variation of it.
  branch(comment) {
    const node = { ...emptyNode(this.current), comment };
    this.current.children.unshift(node);
    this.current = node;
  }

  // One step along a line through the current node.
  step(name, line = this.shownLine()) {
    const at = line.indexOf(this.current);
    const to = {
      first: 0,
      previous: Math.max(0, at - 1),
      next: Math.min(line.length - 1, at + 1),
      last: line.length - 1,
    }[name];
    this.current = line[to];
  }

  // The position at the current node as one that was set up, on a board of its own.
  asSetUp() {
    const { stones, next } = this.standing();
    const game = new Game(this.rule, this.width, this.height);
    const points = (color) => stones.filter((stone) => stone.color === color).map(({ at }) => at);
    game.changeRoot({ setup: { black: points("black"), white: points("white"), dead: this.dead } });
    // Whose turn it is follows from the stones as more of them are set up, as long as it does so here.
    if (game.toMove() !== next) game.changeRoot({ color: next });
    return game;
  }

  // Goes on as another game, which begins on this day: who played, where and for what, and all else that other programs
  // have written of it, belongs to the game before.
  disown(date) {
    this.info = { date };
    this.root.properties = [];
  }

  // Puts a stone of this colour on the board before the first move, or takes it away where it lies there; null takes away
  // whatever lies there. Nothing must have been played yet.
  setUp(point, color) {
    const { black = [], white = [], ...rest } = this.root.setup || {};
    const had = this.stoneAt(point)?.color;
    const setup = { ...rest };
    for (const [side, points] of [
      ["black", black],
      ["white", white],
    ]) {
      setup[side] = points.filter((at) => !samePoint(at, point));
      if (side === color && had !== color) setup[side].push(point);
    }
    this.changeRoot({ setup });
  }

  // Takes away all stones; points that nobody can play stay. Black begins.
  clear() {
    this.changeRoot({ setup: { dead: this.dead }, color: null });
  }

  // Another root takes the place of one that nothing follows, since what was found out about that holds no more. An empty
  // board was not set up.
  changeRoot(changes) {
    const root = { ...this.root, ...changes, value: null, live: null };
    if (root.setup && !["black", "white", "dead"].some((kind) => root.setup[kind]?.length)) root.setup = null;
    this.root = root;
    this.current = root;
  }

  // Takes a node and all that follows out of the tree. What it returns puts them back, and shows that node.
  remove(node) {
    const { parent } = node;
    if (!parent) return () => {};
    const place = parent.children.indexOf(node);
    if (this.pathTo().includes(node)) this.current = parent;
    parent.children.splice(place, 1);
    return () => {
      // The move may have been played again meanwhile.
      const again = parent.children.findIndex(({ move }) => samePoint(move, node.move));
      if (again >= 0) graft(node, parent.children.splice(again, 1)[0]);
      parent.children.splice(place, 0, node);
      this.current = node;
    };
  }

  // Makes the line to a node the main line.
  promote(node) {
    for (let at = node; at.parent; at = at.parent) {
      at.parent.children = [at, ...at.parent.children.filter((child) => child !== at)];
    }
  }

  isMainLine(node) {
    for (let at = node; at.parent; at = at.parent) if (at.parent.children[0] !== at) return false;
    return true;
  }

  // How strong a player is, as the file says it; empty where it does not.
  rankOf(color) {
    return this.root.properties.find(([name]) => name === RANKS[color])?.[1][0] ?? "";
  }

  setRank(color, rank) {
    const others = this.root.properties.filter(([name]) => name !== RANKS[color]);
    this.root.properties = rank ? [...others, [RANKS[color], [rank]]] : others;
  }

  // Points that nobody can play, as drawn boards may have them.
  get dead() {
    return (this.root.setup && this.root.setup.dead) || [];
  }

  isDead(point) {
    return this.dead.some((dead) => samePoint(dead, point));
  }

  // What was found under the old rule is worth nothing under the new one.
  changeRule(rule) {
    this.rule = rule;
    for (const node of this.nodes()) Object.assign(node, { value: null, live: null });
  }

  get isEmpty() {
    return this.root.children.length === 0 && !this.root.setup;
  }

  // Whether nobody has written anything down either.
  get isBlank() {
    return this.isEmpty && !this.root.comment && !this.root.marks.length;
  }
}

// The first move on a point that is taken or not on the board: {reason, number, point}; null if there is none.
export function misplaced(game) {
  const { width, height } = game;
  const taken = new Uint8Array(width * height);
  const place = ([x, y]) => y * width + x;
  for (const point of game.dead) taken[place(point)] = 1;
  // What is still to be looked at, the next last: nodes, and what a node has changed once all that follows it was seen.
  const open = [{ node: game.root, number: 0 }];
  while (open.length) {
    const { node, number, changes } = open.pop();
    if (changes) {
      for (const [at, was] of changes.reverse()) taken[at] = was;
      continue;
    }
    const changed = [];
    const set = (point, value) => {
      changed.push([place(point), taken[place(point)]]);
      taken[place(point)] = value;
    };
    const { setup, move: point } = node;
    for (const [points, value] of [
      [setup?.black, 1],
      [setup?.white, 1],
      [setup?.empty, 0],
    ])
      for (const at of points || []) set(at, value);
    if (point) {
      const [x, y] = point;
      const isThere = x >= 0 && x < width && y >= 0 && y < height;
      if (!isThere || taken[place(point)])
        return { reason: isThere ? "occupied" : "outside", number: number + 1, point };
      set(point, 1);
    }
    open.push({ changes: changed });
    for (const child of [...node.children].reverse()) open.push({ node: child, number: number + (point ? 1 : 0) });
  }
  return null;
}

// A position in the address of the page: `renju/15x15/h8i9`, rows counted from the bottom.
export function toAddress(game, movesText) {
  return [game.rule, game.width + "x" + game.height, movesText].join("/");
}

// What an address names, {rule, width, height, moves}, or what is wrong with it, {fault: the key of a text}; null where it
// is none, as not every text after a # is. Some devices make capitals of what people type.
export function readAddress(address) {
  let text = address;
  try {
    text = decodeURIComponent(address);
  } catch {
    // It is looked at as it stands.
  }
  text = text.toLowerCase();
  const parts = /^([^\s/]+)\/(\d+)x(\d+)(?:\/(\S*))?$/.exec(text);
  if (!parts) return RULES.some((rule) => text === rule || text.startsWith(rule + "/")) ? { fault: "link-form" } : null;
  const [, rule, columns, rows, moves] = parts;
  const [width, height] = [Number(columns), Number(rows)];
  if (!RULES.includes(rule)) return { fault: "link-rule" };
  if ([width, height].some((side) => side < SIDES[0] || side > SIDES[1])) return { fault: "link-size" };
  if (!/^(?:[a-v]\d+)*$/.test(moves ?? "-")) return { fault: "link-form" };
  return { rule, width, height, moves };
}
