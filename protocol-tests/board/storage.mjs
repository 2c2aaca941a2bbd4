// A browser's storage, for tests without a browser.

export class Storage {
  // So many characters have room in it.
  #room;

  constructor(room = Infinity) {
    this.#room = room;
  }
  getItem(key) {
    return Object.hasOwn(this, key) ? this[key] : null;
  }
  removeItem(key) {
    delete this[key];
  }
  setItem(key, value) {
    const others = Object.entries(this)
      .filter(([name]) => name !== key)
      .reduce((sum, [, text]) => sum + text.length, 0);
    if (others + value.length > this.#room) throw new Error("full");
    this[key] = String(value);
  }
}
