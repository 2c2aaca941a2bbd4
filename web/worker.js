// A worker that is the engine: messages in, frames out, and before them the word `started`. It answers one message
// after the other, so whoever wants a job to end earlier ends the worker.

import { wasi } from "./wasi.js";

export async function start(module, emit) {
  let memory = null;
  const text = (at, length) => new TextDecoder().decode(new Uint8Array(memory.buffer, at, length));
  const system = wasi(() => memory);
  const wanted = WebAssembly.Module.imports(module);
  const imports = { page: { emit: (at, length) => emit(text(at, length)) } };
  for (const { module: from, name } of wanted) if (from !== "page") (imports[from] ||= {})[name] = system[name];
  const { exports } = await WebAssembly.instantiate(module, imports);
  ({ memory } = exports);
  if (exports._initialize) exports._initialize();
  return (message) => {
    const bytes = new TextEncoder().encode(message);
    const at = exports.message_buffer(bytes.length);
    new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
    exports.take();
  };
}

if (typeof self !== "undefined" && typeof self.postMessage === "function") {
  let take = null;
  const early = [];
  const hear = async ({ data }) => {
    if (data.module) {
      take = await start(data.module, (frame) => self.postMessage(frame));
      self.postMessage("started");
      for (const message of early.splice(0)) take(message);
    } else if (take) take(data.message);
    else early.push(data.message);
  };
  self.addEventListener("message", (event) => {
    // The page hears of errors, and not of promises that fail: without this it would wait for ever.
    hear(event).catch((error) =>
      setTimeout(() => {
        throw error;
      }),
    );
  });
}
