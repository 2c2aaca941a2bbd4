// The language of the page: every text by its key, `{name}` in it filled in.

export const LANGUAGES = { en: "English", zh: "中文", ja: "日本語", ru: "Русский", cs: "Čeština" };

let texts = {};
let spare = {};

async function load(code) {
  const answer = await fetch("lang/" + code + ".json");
  if (!answer.ok) throw new Error("the language " + code + " could not be loaded");
  return answer.json();
}

// The first language of the browser that there is.
export function browserLanguage() {
  return (navigator.languages || []).map((tag) => tag.slice(0, 2)).find((code) => code in LANGUAGES) || "en";
}

// The reader's own sort of the page's language, for dates: "en-GB" where the page speaks English.
export function localeTag() {
  const { lang } = document.documentElement;
  return (navigator.languages || []).find((tag) => tag.slice(0, 2) === lang) || lang;
}

export async function speak(code) {
  const known = code in LANGUAGES ? code : "en";
  if (!Object.keys(spare).length) spare = await load("en");
  texts = known === "en" ? spare : await load(known);
  document.documentElement.lang = known;
  for (const node of document.querySelectorAll("[data-t]")) node.textContent = t(node.dataset.t);
  for (const node of document.querySelectorAll("[data-t-label]"))
    node.setAttribute("aria-label", t(node.dataset.tLabel));
  for (const node of document.querySelectorAll("[data-t-title]")) {
    node.title = t(node.dataset.tTitle);
    node.setAttribute("aria-label", node.title);
  }
}

// A text that counts `n` things may have another form for one of them, under its key with "-one".
export function t(key, values = {}) {
  const single = String(values.n) === "1" ? texts[key + "-one"] : undefined;
  const text = single ?? texts[key] ?? spare[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

// What went wrong, in the words of the page where it has some.
export function errorText({ code, message, line, column, foul, reason }) {
  const place = line ? t("at-place", { line, column }) + ": " : "";
  // What a text is wrong about is told in English only; elsewhere its place has to do.
  if (code === "unreadable" && document.documentElement.lang !== "en") return place + t("unreadable");
  const key = "error-" + code;
  // What is told in English here is known to the page in every language.
  const told = foul ? t("refused-" + foul) : code === "not-possible" && reason ? t("unwritable-" + reason) : message;
  const known = t(key, { message: told || "" });
  return place + (known === key ? message || code : known);
}
