/**
 * Creates an element. Strings become text nodes and attribute values; nothing is parsed as markup.
 *
 * @param {string} name The tag name.
 * @param {object} attributes Attributes; absent if false, null or undefined. `on` has listeners, `properties` has properties.
 * @param {...(Node|string|Array|null|false)} children Null and false are left out.
 */
export const element = (name, attributes = {}, ...children) => {
  const created = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (key === "on") {
      for (const [type, listener] of Object.entries(value)) created.addEventListener(type, listener);
    } else if (key === "properties") {
      Object.assign(created, value);
    } else {
      created.setAttribute(key, value === true ? "" : `${value}`);
    }
  }
  created.append(...children.flat(Infinity).filter((child) => child !== null && child !== false && child !== undefined));
  return created;
};

/** A button that does nothing but call a listener. */
export const button = (label, listener, attributes = {}) =>
  element("button", {type: "button", on: {click: listener}, ...attributes}, label);

let lastField = 0;

/** A labelled control, with a hint that describes it: a text or an element. */
export const field = (label, control, hint) => {
  lastField += 1;
  const [id, hintID] = [`field-${lastField}`, `hint-${lastField}`];
  control.id = id;
  if (hint) control.setAttribute("aria-describedby", hintID);
  return element("div", {class: "field"}, element("label", {for: id}, label), control,
    hint ? element("span", {class: "hint", id: hintID}, hint) : null);
};

/** A select with options, each a value or a pair of value and label. The first one is selected, unless another is named. */
export const select = (name, options, selected = "") => setOptions(element("select", {name}), options, selected);

/** Replaces the options of a select. */
export const setOptions = (control, options, selected = "") => {
  control.replaceChildren(...options.map((option) => {
    const [value, label] = Array.isArray(option) ? option : [option, option];
    return element("option", {value}, label);
  }));
  control.value = selected;
  if (control.selectedIndex < 0) control.selectedIndex = 0;
  return control;
};

/** A table with a caption for screen readers. Each column is a name, or a name and a class. Rows go into its `tBodies[0]`. */
export const table = (caption, columns) =>
  element("table", {},
    element("caption", {class: "hidden"}, caption),
    element("thead", {}, element("tr", {}, columns.map((column) => {
      const [name, kind] = [column].flat();
      return element("th", {scope: "col", class: kind}, name);
    }))),
    element("tbody"));

/** A cell, which shows its column's name where the table is narrow. */
export const cell = (column, content, attributes = {}) => 
  element("td", {"data-label": column, ...attributes}, element("div", {}, content));

/** Names with their values. */
export const facts = (pairs, kind = "") =>
  element("dl", {class: `facts ${kind}`}, pairs.map(([name, value]) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, value))));

/** A message under a form: an error, or what was done. */
export const message = (text, isError) =>
  element("p", {class: isError ? "message error" : "message", role: isError ? "alert" : "status"}, text);

/** A link to a page of the console. */
export const link = (route, label, attributes = {}) => element("a", {href: route, ...attributes}, label);
