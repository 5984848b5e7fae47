import {button, element} from "./element.js";

/** A button that copies a text, and says so. */
export const copyButton = (label, text) => {
  const copy = button(label, async () => {
    try {
      await navigator.clipboard.writeText(typeof text === "function" ? text() : text);
      copy.textContent = "Copied";
    } catch {
      copy.textContent = "The browser does not allow it";
    }
    setTimeout(() => { copy.textContent = label; }, 2000);
  }, {class: "small"});
  return copy;
};

/** A text in its own lines, with a button that copies it. */
export const snippet = (label, text) =>
  element("div", {class: "snippet"}, element("div", {class: "actions"}, element("h3", {}, label), copyButton("Copy", text)),
    element("pre", {tabindex: "0", "aria-label": label}, text));

const quoted = (text) => `'${`${text}`.replaceAll("'", "'\\''")}'`;

/**
 * A request of the journal as a command. Values that the journal masks are masked here, too, and the password is left to the
 * reader.
 */
export const curl = (request, origin) => {
  const lines = [`curl -X ${quoted(request.method)} ${quoted(origin + request.path)}`];
  if (request.merchant) lines.push(`-u ${quoted(`merchant.${request.merchant}:PASSWORD`)}`);
  if (request.request !== undefined) {
    lines.push("-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(request.request))}`);
  }
  return lines.join(" \\\n  ");
};

/** Rows as CSV (RFC 4180). A cell that a spreadsheet would take for a formula is marked as text. */
export const csv = (rows) => rows.map((row) => row.map((value) => {
  const text = `${value ?? ""}`;
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}).join(",")).join("\r\n") + "\r\n";

/** Saves a text as a file. */
export const save = (name, text) => {
  const url = URL.createObjectURL(new Blob([text], {type: "text/csv"}));
  element("a", {href: url, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
};
