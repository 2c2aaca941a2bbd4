// What people set for themselves, once for all games.

import { byId, element } from "../../page/elements.js";
import { ask, checkField, select, tellError, textField, unsay } from "./dialogs.js";
import { setSetting, settings } from "./store.js";
import { browserLanguage, errorText, LANGUAGES, localeTag, speak, t } from "./words.js";

// Least times between moves that can be set, in ms.
const PACES = [500, 1000, 2000];

export const LANGUAGE = () => settings.language || browserLanguage();

// Puts the settings on the page; `redraw` draws what depends on them.
export function applySettings() {
  const root = document.documentElement;
  if (settings.theme === "system") delete root.dataset.theme;
  else root.dataset.theme = settings.theme;
  root.dataset.palette = settings.palette;
}

function number(value) {
  return value.toLocaleString(localeTag());
}

// Each language by its own name, in the voice of that language.
function withLanguages(field) {
  for (const option of field.querySelectorAll("option")) option.lang = option.value;
  return field;
}

export async function showSettings(mostThreads, redraw) {
  const set =
    (name, read = (value) => value) =>
    (value) => {
      setSetting(name, read(value));
      applySettings();
      redraw();
    };
  const problem = element("p", { id: "language-problem", class: "problem", role: "alert" });
  const changeLanguage = async (code) => {
    problem.textContent = "";
    try {
      if (!(await speak(code))) return;
    } catch (error) {
      if (!problem.isConnected) return tellError(error);
      byId("set-language").value = document.documentElement.lang;
      problem.textContent = errorText(error);
      return;
    }
    setSetting("language", code);
    // What was said in the former language would stand there as long as it is of use.
    unsay("message");
    redraw();
    // The window is in the former language, and opens again in this one.
    byId("settings-dialog")?.close("again");
  };
  const content = element(
    "div",
    { class: "fields" },
    withLanguages(
      select("set-language", t("language"), Object.entries(LANGUAGES), document.documentElement.lang, changeLanguage),
    ),
    problem,
    textField("set-name", t("your-name"), settings.name, { change: (event) => set("name")(event.target.value.trim()) }),
    select(
      "set-theme",
      t("theme"),
      ["system", "light", "dark"].map((name) => [name, t("theme-" + name)]),
      settings.theme,
      set("theme"),
    ),
    select(
      "set-palette",
      t("palette"),
      ["wood", "plain", "clear"].map((name) => [name, t("palette-" + name)]),
      settings.palette,
      set("palette"),
    ),
    element("p", { class: "dim" }, t("palette-note")),
    select(
      "set-rows",
      t("rows-from"),
      ["bottom", "top"].map((name) => [name, t("rows-" + name)]),
      settings.rows,
      set("rows"),
    ),
    select(
      "set-numbers",
      t("numbers"),
      ["none", "last", "all"].map((name) => [name, t("numbers-" + name)]),
      settings.numbers,
      set("numbers"),
    ),
    checkField("set-coordinates", t("coordinates"), settings.coordinates, set("coordinates")),
    // A finger needs it, and nothing else does.
    ...(matchMedia("(any-pointer: coarse)").matches
      ? [checkField("set-confirm", t("confirm-touch"), settings.confirm, set("confirm"))]
      : []),
    checkField("set-letters", t("letter-keys"), settings.letters, set("letters")),
    checkField("set-sound", t("sound"), settings.sound, set("sound")),
    checkField("set-warnings", t("warnings"), settings.warnings, set("warnings")),
    select(
      "set-pace",
      t("pace"),
      [
        ["0", t("pace-off")],
        ["watch", t("pace-watch", { s: number(0.5) })],
        ...PACES.map((ms) => [ms, t("pace-seconds", { s: number(ms / 1000) })]),
      ],
      settings.pace,
      set("pace"),
    ),
    select(
      "set-threads",
      t("threads"),
      Array.from({ length: mostThreads }, (_, n) => [n + 1, String(n + 1)]),
      Math.min(settings.threads, mostThreads),
      set("threads", Number),
    ),
  );
  const choice = await ask(t("settings"), [content], [["close", "close", true]], { id: "settings-dialog" });
  if (choice === "again") await showSettings(mostThreads, redraw);
}
