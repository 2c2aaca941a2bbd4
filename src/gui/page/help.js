// What the page can do, in a window; and the way to end the program.

import { ask, confirm, tellError } from "./dialogs.js";
import { toolNotes } from "./notes.js";
import { settings } from "./store.js";
import { t } from "./words.js";
import { byId, element } from "../../page/elements.js";

// `server` is what the program has said of itself.
export function showHelp(server, link) {
  const letters = ["point", "undo", "hint", "move-now", "analyse", "new", "open", "save", "former"];
  const rows = [
    "arrows",
    "ends",
    ...(settings.letters ? letters : []),
    "marks",
    ...(settings.letters ? ["help"] : []),
  ].map((key) => [element("kbd", {}, t("key-" + key)), t("key-" + key + "-does")]);
  const buttons = [["close", "close", true]];
  if (server.can_shut_down) buttons.unshift(["end", "end-program"]);
  const closed = ask(
    t("help"),
    [
      element("p", { class: "with-keys" }, t("help-text")),
      element("p", { class: "with-touch" }, t("help-touch")),
      element("h3", {}, t("help-tools")),
      element(
        "dl",
        { class: "tool-notes" },
        toolNotes()
          .map(([name, does]) => [element("dt", {}, name), element("dd", {}, does)])
          .flat(),
      ),
      element(
        "table",
        { class: "with-keys" },
        element(
          "tbody",
          {},
          rows.map(([key, text]) => element("tr", {}, element("td", {}, key), element("td", {}, text))),
        ),
      ),
      element("p", { class: "dim" }, "Kagetsu " + (server.version || "")),
    ],
    buttons,
    { id: "help-dialog" },
  );
  // It begins at its top, and Enter closes it; the first of its buttons would end the program.
  byId("help-dialog").querySelector("button.main").focus({ preventScroll: true });
  byId("help-dialog").scrollTop = 0;
  return closed.then(async (choice) => {
    if (choice === "end" && (await confirm(t("end-question"), "end-program", "cancel")))
      link.ask("shut-down").then(() => {
        link.close();
        byId("lost").hidden = false;
        byId("lost").textContent = t("ended");
      }, tellError);
  });
}
