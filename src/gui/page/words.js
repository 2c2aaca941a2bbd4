// The language of the page: every text by its key, `{name}` in it filled in.

import { SIDES } from "./game.js";
import { fifthsOf } from "./openings.js";

export const LANGUAGES = { en: "English", zh: "中文", ja: "日本語", ru: "Русский", cs: "Čeština" };

let texts = {};
let spare = {};
// Languages that were loaded are there as well while the program is away.
const loaded = new Map();
let wishes = 0;

async function load(code) {
  if (loaded.has(code)) return loaded.get(code);
  try {
    const answer = await fetch("lang/" + code + ".json");
    if (!answer.ok) throw answer.status;
    loaded.set(code, await answer.json());
  } catch {
    throw { code: "language", message: "the language " + code + " could not be loaded" };
  }
  return loaded.get(code);
}

// The first language of the browser that there is.
export function browserLanguage() {
  return (navigator.languages || []).map((tag) => tag.slice(0, 2)).find((code) => code in LANGUAGES) || "en";
}

// The reader's own sort of the page's language, for dates: "en-GB" where the page speaks English.
export function localeTag() {
  const { lang } = document.documentElement;
  return (navigator.languages || []).find((tag) => tag.slice(0, 2) === lang && isLocale(tag)) || lang;
}

// Some browsers hand on what the system calls its language, such as "en-US@posix".
function isLocale(tag) {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}

// Whether the page speaks it now; where another language was wished for meanwhile, that one holds. Throws where it
// cannot be loaded, and the page stays as it is.
export async function speak(code) {
  const known = code in LANGUAGES ? code : "en";
  const wish = ++wishes;
  let both;
  try {
    both = await Promise.all([load("en"), load(known)]);
  } catch (error) {
    if (wish === wishes) throw error;
  }
  if (wish !== wishes) return false;
  [spare, texts] = both;
  document.documentElement.lang = known;
  for (const node of document.querySelectorAll("[data-t]")) node.textContent = t(node.dataset.t);
  for (const node of document.querySelectorAll("[data-t-label]"))
    node.setAttribute("aria-label", t(node.dataset.tLabel));
  for (const node of document.querySelectorAll("[data-t-title]")) {
    node.title = t(node.dataset.tTitle);
    node.setAttribute("aria-label", node.title);
  }
  return true;
}

// A text that counts `n` things may have another form for one of them, under its key with "-one".
export function t(key, values = {}) {
  const single = String(values.n) === "1" ? texts[key + "-one"] : undefined;
  const text = single ?? texts[key] ?? spare[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

// What somebody of this name has decided in an opening.
export function decidedText(name, choice) {
  const n = fifthsOf(choice);
  return n === null ? t("decided", { name, choice: t("choice-" + choice) }) : t("decided-fifths", { name, n });
}

// Why something cannot be done. The program says it in English; in another language the page has words of its own for
// what people meet, and for the rest those of the program have to do.
export function reasonText({ code, message = "", foul, reason, part = "" }) {
  if (foul) return t("refused-" + foul);
  if (code === "not-possible" && reason) return t("unwritable-" + reason);
  if (!reason || document.documentElement.lang === "en") return message;
  if (reason === "size") return t("link-size", { least: SIDES[0], most: SIDES[1] });
  const key = (code === "unreadable" ? "unreadable-" : "refused-") + reason;
  const known = t(key, { part });
  return known === key ? message : known;
}

// What went wrong, in the words of the page where it has some.
export function errorText(error) {
  const { code, message, line, column } = error;
  const placed = (text) => (line ? t("said-of", { what: t("at-place", { line, column }), text }) : text);
  const key = "error-" + code;
  const told = reasonText(error);
  const known = t(key, { message: told });
  if (known === key) return placed(message || code);
  // A sentence that would go on ends where there is nothing more to be told.
  return placed(told ? known : known.replace(/: ?$/, ".").replace(/：$/, "。"));
}
