// Numbers, shares and times as the page's language writes them.

import { localeTag, t } from "./words.js";
import * as elements from "../../page/elements.js";

const formats = new Map();

function written(value, options) {
  const key = localeTag() + JSON.stringify(options);
  if (!formats.has(key)) formats.set(key, new Intl.NumberFormat(localeTag(), options));
  return formats.get(key).format(value);
}

function decimal(value, digits) {
  return written(value, { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false });
}

// A share from 0 to 1, to the percent.
export function percent(share) {
  return written(share, { style: "percent", maximumFractionDigits: 0 });
}

export function count(value) {
  return elements.count(value, decimal);
}

export function nodeText(nodes) {
  return t("node-count", { n: nodes, nodes: count(nodes) });
}

// How long a search took, to a few digits.
export function timeText(ms) {
  if (ms !== null && ms < 1) return "< 1 " + t("unit-ms");
  return elements.time(ms, { min: t("unit-min"), s: t("unit-s"), ms: t("unit-ms") }, decimal);
}

// How long a game took, to the second.
export function lengthText(ms) {
  const seconds = Math.max(1, Math.round(ms / 1000));
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)];
  const [h, min, s] = ["h", "min", "s"].map((unit) => " " + t("unit-" + unit));
  return hours
    ? hours + h + " " + (minutes % 60) + min
    : minutes
      ? minutes + min + " " + (seconds % 60) + s
      : seconds + s;
}
