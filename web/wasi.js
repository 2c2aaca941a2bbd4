// What a WebAssembly module that was built for WASI asks of its surroundings: clocks, random numbers, and a place for
// its log. There are no files, no arguments and no environment.

const SUCCESS = 0;
const BAD_FILE = 8;
const NANOSECONDS = 1000000;

// `memory` is asked for when it is there.
export function wasi(memory, log = console.log) {
  const view = () => new DataView(memory().buffer);
  const none = () => SUCCESS;
  const noFile = () => BAD_FILE;
  const empty = (count, size) => {
    view().setUint32(count, 0, true);
    view().setUint32(size, 0, true);
    return SUCCESS;
  };
  const known = {
    clock_time_get(clock, _precision, time) {
      const ms = clock === 0 ? Date.now() : performance.now();
      view().setBigUint64(time, BigInt(Math.round(ms * NANOSECONDS)), true);
      return SUCCESS;
    },
    clock_res_get(_clock, resolution) {
      view().setBigUint64(resolution, BigInt(NANOSECONDS), true);
      return SUCCESS;
    },
    random_get(at, length) {
      crypto.getRandomValues(new Uint8Array(memory().buffer, at, length));
      return SUCCESS;
    },
    fd_write(_file, parts, count, written) {
      let text = "";
      let length = 0;
      for (let n = 0; n < count; n++) {
        const [at, size] = [view().getUint32(parts + 8 * n, true), view().getUint32(parts + 8 * n + 4, true)];
        text += new TextDecoder().decode(new Uint8Array(memory().buffer, at, size));
        length += size;
      }
      if (text.trim()) log(text.trimEnd());
      view().setUint32(written, length, true);
      return SUCCESS;
    },
    environ_sizes_get: empty,
    args_sizes_get: empty,
    environ_get: none,
    args_get: none,
    sched_yield: none,
    proc_exit(status) {
      throw new Error("the engine ended with " + status);
    },
  };
  // Whatever else is asked for is about files.
  return new Proxy(known, { get: (all, name) => all[name] || noFile, has: () => true });
}
