// On a telephone, what was asked for may come up below the window.

const shown = new WeakMap();

// Scrolls as far as is needed to see a part of the page, once for each thing that it shows and for each stage of that;
// but not away from somebody who types.
export function bringIntoSight(part, thing, stage) {
  const last = shown.get(part);
  if (last && last.thing === thing && last.stage === stage) return;
  shown.set(part, { thing, stage });
  if (!document.activeElement?.matches("textarea, input")) part.scrollIntoView({ block: "nearest" });
}
