/**
 * Characters that change how other text is shown, or that are not shown: controls, bidirectional marks, embeddings, overrides
 * and isolates, line and paragraph separators, the zero width space and the byte order mark.
 * Source: Unicode 16, properties Cc and Bidi_Control.
 */
const hiddenCharacters = /[\u0000-\u001F\u007F-\u009F\u061C\u200B\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/g;

/** A merchant's or payer's text with each hidden character shown as its code point, such as ⟨U+202E⟩. */
function visible(text) {
  return String(text).replace(
    hiddenCharacters,
    (character) => `⟨U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);
}

/** An element with attributes and children. A child that is a string becomes text, never markup. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(attribute, "");
    else if (value !== false && value !== undefined && value !== null) made.setAttribute(attribute, value);
  }
  made.append(...children);
  return made;
}

/** A text of the merchant or of the payer, isolated so that its direction does not reorder ours. */
function isolated(text) {
  return element("bdi", {}, visible(text));
}
