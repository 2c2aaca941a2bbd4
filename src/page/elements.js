// Small helpers for what pages are made of. Text always goes in as text: names come from strangers.

export function byId(id) {
  return document.getElementById(id);
}

// Says something, if that is not what stands there: what reads the page aloud would say it again.
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// `attributes` whose value is undefined or false are left out; functions become listeners. Styles are set on the
// node, since a policy may forbid the attribute.
function furnish(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(key, value);
    else if (key === "style" && value) node.style.cssText = value;
    else if (value === true) node.setAttribute(key, "");
    else if (value !== undefined && value !== false && value !== null) node.setAttribute(key, value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

export function element(name, attributes = {}, ...children) {
  return furnish(document.createElement(name), attributes, children);
}

// The namespace is asked of a drawing that the parser has made, so the page holds no address of anything.
const DRAWING = (() => {
  const template = document.createElement("template");
  template.innerHTML = "<svg></svg>";
  return template.content.firstChild.namespaceURI;
})();

export function shape(name, attributes = {}, ...children) {
  return furnish(document.createElementNS(DRAWING, name), attributes, children);
}

// A table: heads are texts or [text, title], cells are texts, nodes or numbers. Columns of numbers stand to the right.
// Each cell carries its head as `data-head`, for where there is no room for columns.
export function table(heads, rows, caption) {
  const isNumber = (content) =>
    typeof content === "number" ||
    (typeof content === "string" && /^[+−]?[\d.,]+([ \u00a0]?[%a-z/]+)?$/i.test(content));
  const numbers = heads.map((_, place) => rows.some((row) => isNumber(row[place])));
  const kind = (place) => (numbers[place] ? "number" : undefined);
  const head = (text, place) =>
    Array.isArray(text)
      ? element("th", { scope: "col", class: kind(place), title: text[1] }, text[0])
      : element("th", { scope: "col", class: kind(place) }, text);
  const cell = (content, place) =>
    element(
      place === 0 ? "th" : "td",
      { scope: place === 0 ? "row" : undefined, class: kind(place), "data-head": [heads[place]].flat()[0] },
      content instanceof Node ? content : String(content),
    );
  return element(
    "table",
    {},
    caption ? element("caption", {}, caption) : null,
    element("thead", {}, element("tr", {}, heads.map(head))),
    element(
      "tbody",
      {},
      rows.map((row) => element("tr", {}, row.map(cell))),
    ),
  );
}

// A drawing of 16 by 16 points for a button.
export function icon(d) {
  return shape("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true" }, shape("path", { d }));
}

export const ICONS = {
  first: "M2 2h2v12H2zM14 2v12L5 8z",
  previous: "M12 2v12L3 8z",
  next: "M4 2v12l9-6z",
  last: "M12 2h2v12h-2zM2 2v12l9-6z",
};

// The least and the greatest of these numbers. There may be more of them than a function can take as arguments.
export function extremes(values) {
  return values.reduce(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    [Infinity, -Infinity],
  );
}

// ----- Numbers as people read them -----

export function signed(value, digits = 1) {
  if (value === null || value === undefined) return "–";
  const text = Math.abs(value).toFixed(digits);
  return (Number(text) === 0 ? "" : value < 0 ? "−" : "+") + text;
}

export function percent(share, digits = 1) {
  return (100 * share).toFixed(digits) + " %";
}

// A number with so many digits after the point, as English writes it.
const decimal = (value, digits) => value.toFixed(digits);

// `units` are their names, where they are not those of English, and `write` writes the numbers.
export function time(ms, { min = "min", s = "s", ms: thousandths = "ms" } = {}, write = decimal) {
  if (ms === null || ms === undefined) return "–";
  // Rounded before they are told apart, so that 59.99 s are a minute.
  const seconds = Math.round(ms / 1000);
  if (ms >= 59950) return Math.floor(seconds / 60) + " " + min + " " + (seconds % 60) + " " + s;
  if (ms >= 9995) return write(ms / 1000, 1) + " " + s;
  if (ms >= 1000) return write(ms / 1000, 2) + " " + s;
  return write(ms, ms >= 100 ? 0 : ms >= 1 ? 1 : 2) + " " + thousandths;
}

export function count(value, write = decimal) {
  if (value === null || value === undefined) return "–";
  if (value >= 1e9) return write(value / 1e9, 2) + " G";
  if (value >= 1e6) return write(value / 1e6, 2) + " M";
  if (value >= 1e4) return write(value / 1e3, 1) + " k";
  return String(Math.round(value));
}
