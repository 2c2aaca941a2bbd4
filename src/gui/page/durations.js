// How long something took, in the units of the page's language.

import { t } from "./words.js";
import { time } from "../../page/elements.js";

// A search, to a few digits.
export function timeText(ms) {
  return time(ms, { min: t("unit-min"), s: t("unit-s"), ms: t("unit-ms") });
}

// A game, to the second.
export function lengthText(ms) {
  const seconds = Math.max(1, Math.round(ms / 1000));
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)];
  const [h, min, s] = ["h", "min", "s"].map((unit) => " " + t("unit-" + unit));
  return hours ? hours + h + " " + minutes % 60 + min : minutes ? minutes + min + " " + seconds % 60 + s : seconds + s;
}
