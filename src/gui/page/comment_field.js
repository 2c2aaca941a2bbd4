// The field for what people say of a position.

import { byId } from "../../page/elements.js";

export class CommentField {
  // `typed` is called at each key, and `changed` when somebody is done.
  constructor(play, typed, changed) {
    this.play = play;
    // The position that is commented on: Kagetsu may move while somebody types, and then another one is shown.
    this.node = null;
    this.field = byId("comment");
    this.field.addEventListener("focus", () => {
      this.node ??= play.game.current;
    });
    this.field.addEventListener("input", () => {
      (this.node ?? play.game.current).comment = this.field.value;
      typed();
    });
    // Where only the window has lost it, the field still has the focus.
    this.field.addEventListener("blur", () => {
      if (!this.hasFocus) this.end();
    });
    let isPressed = false;
    addEventListener("pointerdown", () => (isPressed = true), true);
    for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => (isPressed = false), true);
    // What is drawn anew may move the button away whose press has ended the typing, so it waits for the click.
    this.field.addEventListener("change", () => {
      if (!isPressed) return changed();
      addEventListener("pointerup", () => setTimeout(changed), { once: true });
    });
  }

  get hasFocus() {
    return document.activeElement === this.field;
  }

  // What is being typed stays as it is.
  draw() {
    if (!this.node) this.field.value = this.play.game.current.comment;
  }

  // What is typed from here on belongs to the position that is shown.
  end() {
    this.node = null;
    this.draw();
    if (this.hasFocus) this.node = this.play.game.current;
  }

  // Whoever asks for another position comments on that one.
  follow() {
    if (this.node && this.node !== this.play.game.current) this.end();
  }
}
