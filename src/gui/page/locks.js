// Locks on what only one tab may have. Browsers have them, but not for a page that comes from another machine over plain
// HTTP; there the tabs ask each other.

const CHANNEL = "kagetsu.locks";
// How long the others have to object, in ms.
const OBJECTION = 250;

class Agreement {
  // The locks of this tab, those that it only asks for as well: {number, isHeld, refuse}.
  claims = new Map();

  constructor() {
    this.channel = new BroadcastChannel(CHANNEL);
    this.channel.addEventListener("message", ({ data }) => this.hear(data));
  }

  // Of two tabs that ask at the same time the one with the lower number gets the lock.
  hear({ what, key, number }) {
    const own = this.claims.get(key);
    if (!own) return;
    if (what === "ask" && (own.isHeld || own.number < number)) this.channel.postMessage({ what: "taken", key, number });
    if (what === "taken" && own.number === number) own.refuse();
  }

  request(key) {
    if (this.claims.has(key)) return Promise.resolve(null);
    return new Promise((resolve) => {
      const own = { number: Math.random(), isHeld: false };
      const give = () => {
        own.isHeld = true;
        resolve(() => this.claims.delete(key));
      };
      const timer = setTimeout(give, OBJECTION);
      own.refuse = () => {
        if (own.isHeld) return;
        clearTimeout(timer);
        this.claims.delete(key);
        resolve(null);
      };
      this.claims.set(key, own);
      this.channel.postMessage({ what: "ask", key, number: own.number });
    });
  }
}

let agreement = null;

// Promises what gives the lock back, or null where another tab has it. It goes with the tab. A browser that knows neither
// way gives every lock.
export function hold(key) {
  if (!navigator.locks) {
    if (!globalThis.BroadcastChannel) return Promise.resolve(() => {});
    agreement ||= new Agreement();
    return agreement.request(key);
  }
  return new Promise((resolve) => {
    navigator.locks
      .request(key, { ifAvailable: true }, (lock) => {
        if (!lock) return resolve(null);
        return new Promise((release) => resolve(release));
      })
      .catch(() => resolve(() => {}));
  });
}
