// Stepping through a game: the four buttons, and the keys that do the same. What a step means is for the page to say.

import { element, icon, ICONS } from "./elements.js";

// `go` is called with "first", "previous", "next" or "last"; `labels` has a text for each. The nodes stand in order,
// the counter between the second and the third.
export function steppingButtons(labels, go) {
  const button = (step) =>
    element(
      "button",
      { id: step, type: "button", "aria-label": labels[step], title: labels[step], click: () => go(step) },
      icon(ICONS[step]),
    );
  return [
    button("first"),
    button("previous"),
    element("output", { id: "ply", for: "board" }),
    button("next"),
    button("last"),
  ];
}

// What a key is called: where the layout has no Latin letters, after its place on the keyboard.
function keyName({ key, code, shiftKey }) {
  if (shiftKey || key.length !== 1) return key;
  return key > "\u007f" && /^Key[A-Z]$/.test(code) ? code.slice(3).toLowerCase() : key.toLowerCase();
}

const STEPS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };

// Calls `go` for the keys that step, and the functions in `others` for theirs, unless somebody is typing or a window
// is open above the page. A button that has the focus keeps the space bar for itself. Shift makes another key of most
// keys, but on some keyboards there is no question mark without it.
export function onSteppingKeys(go, others = {}) {
  document.addEventListener("keydown", (event) => {
    if (
      event.defaultPrevented ||
      event.ctrlKey ||
      event.altKey ||
      event.metaKey ||
      document.querySelector("dialog[open]")
    )
      return;
    if (event.shiftKey && event.key !== "?") return;
    const { tagName, type, isContentEditable } = event.target;
    if (
      tagName === "SELECT" ||
      tagName === "TEXTAREA" ||
      isContentEditable ||
      (tagName === "INPUT" && !["checkbox", "radio"].includes(type))
    )
      return;
    const isPressed = ["BUTTON", "INPUT", "A", "SUMMARY"].includes(tagName);
    const action = STEPS[event.key]
      ? () => go(STEPS[event.key])
      : event.key === " " && isPressed
        ? null
        : others[keyName(event)];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
