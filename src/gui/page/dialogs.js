// Questions in windows above the page. A dialogue gives back the value of the button that was pressed, or null.

import { byId, element, icon } from "../../page/elements.js";
import { errorText, t } from "./words.js";

// `content` are nodes; `buttons` are [value, key of a text, isMain]. With `accept`, which is called when the window would
// close, it stays open until that has promised true; whoever does not want to wait can still cancel. The button `focus` is
// the one that has the focus at first.
export function ask(heading, content, buttons, { id, wide, accept, focus } = {}) {
  return new Promise((resolve) => {
    // A question about what is done in a window stands above that.
    const title = byId("dialog-title") ? "dialog-title-above" : "dialog-title";
    const box = element("dialog", { id, class: wide ? "wide" : undefined, "aria-labelledby": title });
    const form = element(
      "form",
      { method: "dialog" },
      element("h2", { id: title }, heading),
      element("div", { class: "dialog-content" }, content),
      element(
        "div",
        { class: "dialog-buttons" },
        buttons.map(([value, key, isMain]) =>
          element(
            "button",
            {
              type: "submit",
              value,
              class: isMain ? "main" : undefined,
              "data-choice": value,
              autofocus: value === focus,
              formnovalidate: value === "cancel",
            },
            t(key),
          ),
        ),
      ),
    );
    box.append(form);
    if (accept) {
      let isAsking = false;
      form.addEventListener("submit", async (event) => {
        const { value } = event.submitter;
        if (value === "cancel" || value === "close") return;
        event.preventDefault();
        if (isAsking) return;
        isAsking = true;
        try {
          if ((await accept(value)) && box.open) box.close(value);
        } finally {
          isAsking = false;
        }
      });
    }
    box.addEventListener("close", () => {
      box.remove();
      resolve(box.returnValue && box.returnValue !== "cancel" ? box.returnValue : null);
    });
    document.body.append(box);
    box.showModal();
  });
}

// What a window asks is about the game that is shown, and nobody answers it for another.
export function closeWindows() {
  for (const box of document.querySelectorAll("dialog[open]")) box.close("cancel");
}

export function confirm(question, yes = "yes", no = "no") {
  return ask(
    question,
    [],
    [
      ["yes", yes, true],
      ["cancel", no],
    ],
    // What is asked about cannot be taken back, so a key that is held or pressed twice is no answer.
    { id: "confirm", focus: "cancel" },
  );
}

// What a list offers; choices are [value, text].
export function optionsOf(choices, value) {
  return choices.map(([name, text]) =>
    element("option", { value: name, selected: String(name) === String(value) }, text),
  );
}

// A labelled choice of these.
export function select(id, label, choices, value, change) {
  return element(
    "label",
    { class: "field" },
    element("span", {}, label),
    element("select", { id, change: change && ((event) => change(event.target.value)) }, optionsOf(choices, value)),
  );
}

export function numberField(id, label, value, { min, max, step = 1 } = {}) {
  return element(
    "label",
    { class: "field" },
    element("span", {}, label),
    element(
      "span",
      { class: "with-unit" },
      element("input", { id, type: "number", value, min, max, step, required: true }),
    ),
  );
}

export function textField(id, label, value, options = {}) {
  return element(
    "label",
    { class: "field" },
    element("span", {}, label),
    element("input", { id, type: "text", value, maxlength: 80, ...options }),
  );
}

export function checkField(id, label, isOn, change) {
  return element(
    "label",
    { class: "check-field" },
    element("input", {
      id,
      type: "checkbox",
      checked: isOn,
      change: change && ((event) => change(event.target.checked)),
    }),
    " ",
    label,
  );
}

export function valueOf(id) {
  return byId(id).value;
}

// How long a word stands there, in ms.
const STAYS = { info: 4500, decision: 4500, refusal: 4500, error: 9000, choice: 15000 };
// The same for what is lost with it. Whoever goes there by keys, or has the page read aloud, needs time.
const LASTING = 120000;

export const CROSS = "M4 2.6l4 4 4-4L13.4 4l-4 4 4 4-1.4 1.4-4-4-4 4L2.6 12l4-4-4-4z";

// A short word at the edge of the page, read aloud as well. `action` adds a button: {label, act, isLasting}. A word takes the
// place of the last one of its sort, so that at most a choice, an error and another word stand there. On a telephone
// the last has a place of its own, where it covers no buttons; while a position is set up, so have the others, which would
// lie over the tools for that.
export function say(text, kind = "info", action = null) {
  const sort = action ? "choice" : kind === "error" ? "error" : "word";
  for (const other of document.querySelectorAll('.message[data-sort="' + sort + '"]')) other.remove();
  const isApart = byId("words").checkVisibility() && (sort === "word" || byId("set-up-bar").checkVisibility());
  const box = byId(isApart ? "words" : "messages");
  const button =
    action &&
    element(
      "button",
      {
        type: "button",
        click: () => {
          note.remove();
          action.act();
        },
      },
      action.label,
    );
  const note = element(
    "p",
    { class: "message " + kind, "data-sort": sort },
    text,
    button,
    element(
      "button",
      {
        type: "button",
        class: "close-message",
        "aria-label": t("close"),
        title: t("close"),
        click: () => note.remove(),
      },
      icon(CROSS),
    ),
  );
  box.append(note);
  setTimeout(() => note.remove(), action?.isLasting ? LASTING : STAYS[action ? "choice" : kind]);
}

// Says what was removed, and lets it be put back.
export function sayRemoved(text, putBack) {
  say(text, "info", { label: t("put-back"), act: putBack, isLasting: true });
}

// Takes back a word: a "refusal" where what could not be done may be possible by now, a "choice" that is offered no
// more, a "decision" that was taken back, a "warning" that came in time, "info" that does not hold any more, and every
// "message" where the page speaks another language.
export function unsay(which) {
  const named = which === "choice" ? '[data-sort="choice"]' : "." + which;
  for (const note of document.querySelectorAll(".message" + named)) note.remove();
}

export function tellError(error) {
  // Whoever stopped something knows.
  if (error.code !== "stopped") say(errorText(error), "error");
}

let told = [];

// For those who hear the page. What is told at one go is told together, since a text takes the place of the one before.
export function announce(text) {
  told.push(text);
  if (told.length > 1) return;
  queueMicrotask(() => {
    byId("live").textContent = told.join("; ");
    told = [];
  });
}
