// The way to the engine where no server is: two workers, one for questions that are answered at once and one for jobs.
// A job that is stopped takes its worker with it, and answers with the last that it told. A search for a move that has
// told nothing yet begins anew, but not for long, since whoever stops it may want to see a move.
"use strict";

{
  // The least module that makes a vector: whoever knows none finds it wrong.
  const VECTORS = new Uint8Array([
    0x00,
    0x61,
    0x73,
    0x6d,
    1,
    0,
    0,
    0, // its sign and version
    1,
    5,
    1,
    0x60,
    0,
    1,
    0x7b, // a type: nothing in, a vector out
    3,
    2,
    1,
    0, // one function of this type
    10,
    8,
    1,
    6,
    0,
    0x41,
    0,
    0xfd,
    0x0f,
    0x0b, // sixteen times the byte 0
  ]);
  const JOBS = ["think", "analyse", "solve", "balance", "opening"];
  // For a move that nobody wants to wait for, in ms.
  const HURRY = 100;

  async function compiled(file) {
    const answer = await fetch(file);
    if (!answer.ok) throw new Error(file + ": " + answer.status + " " + answer.statusText);
    // What is compiled while it arrives must be called by this very type, which not every web server knows.
    if (answer.headers.get("content-type") === "application/wasm") return WebAssembly.compileStreaming(answer);
    return WebAssembly.compile(await answer.arrayBuffer());
  }

  // Only pages that came by https or from this machine may have such workers, and no board needs one.
  function keepForOffline(engine) {
    const { serviceWorker } = globalThis.navigator || {};
    if (serviceWorker)
      serviceWorker.register("offline.js?engine=" + engine, { updateViaCache: "none" }).catch(console.warn);
  }

  class Workers {
    constructor({ opened, heard, closed }) {
      Object.assign(this, { heard, closed, job: null, isClosed: false });
      const file = WebAssembly.validate(VECTORS) ? "kagetsu.wasm" : "kagetsu-plain.wasm";
      compiled(file).then(
        (module) => {
          this.module = module;
          // Not before an engine is there: one that cannot be started is tried again after longer and longer waits.
          this.quick = this.spawn((frame) => heard(frame), opened);
          this.thinker = this.spawn((frame) => this.hearJob(frame));
          keepForOffline(file);
        },
        (error) => {
          console.error(error);
          closed();
        },
      );
    }

    spawn(hear, started = () => {}) {
      const worker = new Worker("worker.js", { type: "module" });
      worker.onmessage = ({ data }) => (data === "started" ? started() : hear(data));
      worker.onerror = () => this.close();
      worker.postMessage({ module: this.module });
      return worker;
    }

    send(text) {
      const message = JSON.parse(text);
      if (message.op === "stop") {
        this.heard(JSON.stringify({ id: message.id, done: true }));
        if (this.job && this.job.id === message.target) this.stop();
      } else if (JOBS.includes(message.op)) {
        if (this.job) this.end();
        this.job = { id: message.id, op: message.op, lines: [], message, isHurried: false };
        this.thinker.postMessage({ message: text });
      } else {
        this.quick.postMessage({ message: text });
      }
    }

    hearJob(text) {
      const frame = JSON.parse(text);
      if (!this.job || frame.id !== this.job.id) return;
      if (frame.event === "line") this.job.lines[frame.rank] = frame;
      if (frame.done) this.job = null;
      this.heard(text);
    }

    // Stops the job under way.
    stop() {
      const { op, lines, message, isHurried } = this.job;
      if (op !== "think" || lines.some(Boolean)) return this.end();
      if (isHurried) return;
      this.job.isHurried = true;
      this.replaceThinker();
      this.thinker.postMessage({ message: JSON.stringify({ ...message, limits: { ms: HURRY } }) });
    }

    // A worker that searches hears nothing.
    replaceThinker() {
      this.thinker.terminate();
      this.thinker = this.spawn((frame) => this.hearJob(frame));
    }

    // Ends the job under way.
    end() {
      const { id, op } = this.job;
      const lines = this.job.lines.filter(Boolean);
      this.job = null;
      this.replaceThinker();
      const [best] = lines;
      const found = {
        id,
        done: true,
        stopped: true,
        move: best ? best.moves[0] : null,
        lines,
        nodes: best ? best.nodes : 0,
        ms: best ? best.ms : 0,
      };
      const nothing = {
        id,
        done: true,
        error: { code: "stopped", message: "the job was stopped before it had an answer" },
      };
      const solved = { id, done: true, stopped: true, verdict: "unknown", exhausted: null, nodes: 0, ms: 0, plies: 0 };
      this.heard(JSON.stringify(op === "solve" ? solved : best || op === "analyse" ? found : nothing));
    }

    // Both workers may fail, which is told once.
    close() {
      if (this.isClosed) return;
      this.isClosed = true;
      for (const worker of [this.quick, this.thinker]) if (worker) worker.terminate();
      this.closed();
    }
  }

  window.kagetsuChannel = (ears) => new Workers(ears);
}
