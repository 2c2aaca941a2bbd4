// What the browser keeps for the page. It may be full or forbidden; then nothing is read, and nothing written.

// Games that were played, each under a key of its own, so that tabs do not write over each other's.
export const PLAYED = "kagetsu.played.";

export function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

export function forget(key) {
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing was kept then.
  }
}

export function keysFrom(prefix) {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}

// The games that were played, the latest first: {key, at, ...}.
export function playedGames() {
  return keysFrom(PLAYED)
    .map((key) => ({ ...read(key), key }))
    .filter(({ at, state }) => at && state)
    .sort((one, other) => other.at - one.at);
}

function put(key, text) {
  try {
    localStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

// The length of a text for which even all former games made too little room: nobody tries that again at every move.
let hopeless = Infinity;

// Whether it is kept. Where there is no room for it, games that were played before make some, the oldest first, if it is
// worth that (`mayDrop`); they are put back where even all of them are too little.
export function write(key, value, mayDrop = true) {
  const text = JSON.stringify(value);
  if (put(key, text)) return true;
  if (!mayDrop || text.length >= hopeless) return false;
  const dropped = [];
  for (const { key: other } of playedGames().reverse()) {
    if (other === key) continue;
    dropped.push([other, localStorage.getItem(other)]);
    forget(other);
    if (put(key, text)) return true;
  }
  for (const [other, its] of dropped.reverse()) put(other, its);
  hopeless = text.length;
  return false;
}

// Whether anything is kept at all.
export function isUsable() {
  const key = "kagetsu.probe";
  const isKept = put(key, "1");
  forget(key);
  return isKept;
}
