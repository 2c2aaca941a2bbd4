// What comes to the page from outside: files that are chosen, dropped or pasted, and texts.

import { byId } from "../../page/elements.js";

// The window that asks what is to be opened is of no use any more.
function closeOpen() {
  byId("open-dialog")?.close("cancel");
}

const isField = ({ target }) => Boolean(target.matches?.("textarea, input[type=text], input[type=number]"));

// A text that is dropped into a field belongs there; files, and what is dropped elsewhere, are opened, but not below a
// window that asks something else.
const isForField = (event) => !event.dataTransfer.types.includes("Files") && isField(event);

// Opens whatever comes, from here on.
export function takeIn(exchange) {
  byId("file").addEventListener("change", async (event) => {
    const [file] = event.target.files;
    event.target.value = "";
    closeOpen();
    if (file) await exchange.openFile(file);
  });
  document.addEventListener("dragover", (event) => {
    if (!isForField(event)) event.preventDefault();
  });
  document.addEventListener("drop", (event) => {
    if (isForField(event)) return;
    event.preventDefault();
    if (document.querySelector("dialog:not(#open-dialog)")) return;
    closeOpen();
    exchange.take({ files: event.dataTransfer.files, text: event.dataTransfer.getData("text/plain") });
  });
  document.addEventListener("paste", (event) => {
    if (isField(event) || document.querySelector("dialog")) return;
    const text = event.clipboardData.getData("text/plain");
    // Spreadsheets put a picture beside the text that was copied.
    const isMeant = ({ type }) => !text.trim() || !type.startsWith("image/");
    exchange.take({ files: [...event.clipboardData.files].filter(isMeant), text });
  });
}
