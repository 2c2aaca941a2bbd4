// The way to the engine: questions go out, answers and news come back, over a socket or to a worker.
//
// A channel is {send(text), close()} and calls what it was given: opened(), heard(text), closed(), and refused() where it
// finds out later that the program is there and does not let it in. Without a channel the link tries again, and questions
// wait. What was under way when a channel closed fails with the code "lost"; whoever asked
// knows whether to ask again. Once the link is closed for good, every question fails so.

const FIRST_WAIT = 300;
const LONGEST_WAIT = 5000;
// The program is asked something small when it has said nothing for so many ms, and again when the network or the reader
// is back; without a word for as long after that the connection is dead, as where a phone has changed its network.
const SILENCE = 10000;
// A timer that comes so many ms late has come while the page slept, and answers may wait behind it.
const LATE = 2000;
const LOST = { code: "lost", message: "the connection was lost" };

export class Link extends EventTarget {
  constructor(open) {
    super();
    this.open = open;
    this.state = "connecting";
    this.waiting = [];
    this.pending = new Map();
    this.next = 1;
    this.tries = 0;
    this.wait = FIRST_WAIT;
    // When something came last.
    this.heardAt = -Infinity;
    this.connect();
  }

  connect() {
    // A channel that was given up has nothing to say any more, and none closes twice.
    const number = ++this.tries;
    const ear = (act) => (text) => {
      if (number === this.tries) act(text);
    };
    this.channel = this.open({
      opened: ear(() => this.opened()),
      heard: ear((text) => this.heard(text)),
      closed: ear(() => this.closed()),
      refused: () => {
        if (this.state === "lost") this.change("refused");
      },
    });
  }

  opened() {
    this.wait = FIRST_WAIT;
    this.change("ready");
    for (const text of this.waiting.splice(0)) this.channel.send(text);
  }

  closed() {
    if (this.state === "over") return;
    this.giveUp(this.state === "refused" ? "refused" : "lost");
    this.timer = setTimeout(() => this.connect(), this.wait);
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
  }

  // For good.
  close() {
    this.giveUp("over");
    clearTimeout(this.timer);
    this.channel.close();
  }

  // From here on the channel is not heard, and whoever waits for an answer gets none.
  giveUp(state) {
    this.tries++;
    const lost = [...this.pending.values()];
    this.pending.clear();
    this.waiting = [];
    this.change(state);
    for (const { fail } of lost) fail(LOST);
  }

  // Whether there is nobody to be asked now, or for good.
  get isAway() {
    return ["lost", "refused", "over"].includes(this.state);
  }

  change(state) {
    if (this.state === state) return;
    this.state = state;
    this.dispatchEvent(new Event("change"));
  }

  heard(text) {
    this.heardAt = performance.now();
    const answer = JSON.parse(text);
    const asked = this.pending.get(answer.id);
    if (!asked) return;
    if (!answer.done) return asked.tell(answer);
    this.pending.delete(answer.id);
    if (answer.error) asked.fail(answer.error);
    else asked.succeed(answer);
  }

  // Asks; `tell` hears the news before the answer. The promise has a method stop() for those who want no more.
  ask(op, fields = {}, tell = () => {}) {
    const id = this.next++;
    const isOver = this.state === "over";
    const promise = new Promise((succeed, fail) =>
      isOver ? fail(LOST) : this.pending.set(id, { succeed, fail, tell }),
    );
    const text = JSON.stringify({ id, op, ...fields });
    if (this.state === "ready") this.channel.send(text);
    else if (!isOver) this.waiting.push(text);
    promise.stop = () => {
      if (this.pending.has(id)) this.ask("stop", { target: id }).catch(() => {});
    };
    return promise;
  }
}

// Watches a connection that can die without a word. `ask` asks something small and returns how much is still to be sent,
// `giveUp` is called where nothing comes back.
export class Pulse {
  constructor(ask, giveUp) {
    Object.assign(this, { ask, giveUp });
    this.heard();
  }

  heard() {
    this.wait(() => this.check());
  }

  check(before = Infinity) {
    const left = this.ask();
    const due = performance.now() + SILENCE;
    // What takes long to be sent is on its way as long as less of it is left.
    const isMoving = left > 0 && left < before;
    this.wait(() => (isMoving || performance.now() > due + LATE ? this.check(left) : this.giveUp()));
  }

  wait(act) {
    this.end();
    this.timer = setTimeout(act, SILENCE);
  }

  end() {
    clearTimeout(this.timer);
  }
}

// Whether the program is there, and does not let this page in: one that was started anew may ask for another token.
async function isShutOut() {
  try {
    return (await fetch(location.pathname, { method: "HEAD" })).status === 403;
  } catch {
    return false;
  }
}

// A socket to the program that served this page.
export function socketChannel({ opened, heard, closed, refused }) {
  const address = new URL("talk", location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  address.hash = "";
  const socket = new WebSocket(address);
  let pulse = null;
  const check = () => {
    if (document.visibilityState === "visible") pulse?.check();
  };
  const returns = [
    [window, "online"],
    [document, "visibilitychange"],
  ];
  const end = () => {
    pulse?.end();
    pulse = null;
    for (const [target, name] of returns) target.removeEventListener(name, check);
    closed();
  };
  const ask = () => {
    // Nobody waits for the answer.
    socket.send(JSON.stringify({ id: 0, op: "hello" }));
    return socket.bufferedAmount;
  };
  socket.addEventListener("open", () => {
    // A socket that nobody answers takes long to close.
    pulse = new Pulse(ask, () => {
      socket.close();
      end();
    });
    for (const [target, name] of returns) target.addEventListener(name, check);
    opened();
  });
  socket.addEventListener("message", (event) => {
    pulse?.heard();
    heard(event.data);
  });
  socket.addEventListener("close", async () => {
    const wasOpen = pulse !== null;
    end();
    if (!wasOpen && (await isShutOut())) refused();
  });
  return { send: (text) => socket.send(text), close: () => socket.close() };
}
