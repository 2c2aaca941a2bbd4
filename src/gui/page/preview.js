// What an entry of a list stands for, shown on the board while the entry is pointed at or has the keyboard. A finger
// cannot point, so its first touch shows and its second plays; a touch elsewhere ends what is shown.

export class Preview {
  // `stonesOf` tells which stones an entry stands for, or null if none at present; `draw` puts them on the board and takes
  // null for none.
  constructor(stonesOf, draw) {
    Object.assign(this, { stonesOf, draw, shown: null, button: null });
    document.addEventListener("pointerdown", ({ target }) => {
      if (this.shown && !this.button.contains(target)) this.end();
    });
  }

  // What a button listens to so that it shows `entry` and, when it is chosen, calls `take`.
  listeners(entry, take) {
    let isTouch = false;
    let wasShown = false;
    const show = ({ currentTarget }) => this.show(entry, currentTarget);
    const end = () => this.end(entry);
    const unlessTouched = (act) => (event) => event.pointerType !== "touch" && act(event);
    return {
      pointerenter: unlessTouched(show),
      pointerleave: unlessTouched(end),
      focus: show,
      blur: end,
      // The focus that a touch gives comes after this and before the click.
      pointerdown: ({ pointerType }) => {
        isTouch = pointerType === "touch";
        wasShown = this.shown === entry;
      },
      click: (event) => {
        if (isTouch && !wasShown) return show(event);
        end();
        take();
      },
    };
  }

  show(entry, button) {
    const stones = this.stonesOf(entry);
    if (!stones) return;
    Object.assign(this, { shown: entry, button });
    this.draw(stones);
  }

  // Draws `entry` anew, if it is shown, since what it stands for has changed.
  refresh(entry) {
    if (this.shown === entry) this.show(entry, this.button);
  }

  // Shows nothing any more, if it is `entry` that is shown.
  end(entry = this.shown) {
    if (!entry || this.shown !== entry) return;
    this.shown = null;
    this.draw(null);
  }
}
