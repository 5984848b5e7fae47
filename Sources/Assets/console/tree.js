import {element} from "./element.js";

/** The depth to which a tree is open. */
const openDepth = 2;
/** The number of members that one level shows before the rest is asked for. */
const membersMax = 200;

const leaf = (name, value) => {
  const type = value === null ? "null" : typeof value;
  return element("li", {},
    name === null ? null : element("span", {class: "name"}, `${name}: `),
    element("span", {class: `value ${type}`}, type === "string" ? JSON.stringify(value) : `${value}`));
};

/** The members of one level, created when the level is opened. */
const level = (entries, depth) => {
  const list = element("ul");
  const add = (start) => {
    const end = start + membersMax;
    list.append(...entries.slice(start, end).map(([name, value]) => node(name, value, depth)));
    if (end >= entries.length) return;
    const more = element("button", {type: "button"}, `${entries.length - end} more`);
    more.addEventListener("click", () => {
      more.parentElement.remove();
      add(end);
    });
    list.append(element("li", {}, more));
  };
  add(0);
  return list;
};

const node = (name, value, depth) => {
  if (value === null || typeof value !== "object") return leaf(name, value);
  const entries = Object.entries(value);
  const size = Array.isArray(value) ? `[${entries.length}]` : entries.length === 0 ? "{}" : "";
  const details = element("details", {}, element("summary", {},
    element("span", {class: "name"}, name === null ? "JSON" : `${name}`),
    size ? element("span", {class: "size"}, ` ${size}`) : null));
  const fill = () => {
    if (details.open && details.childElementCount === 1) details.append(level(entries, depth + 1));
  };
  details.addEventListener("toggle", fill);
  details.open = depth < openDepth && entries.length > 0;
  fill();
  return element("li", {}, details);
};

/** A JSON value as a tree that opens level by level, by mouse and keyboard. */
export const tree = (label, value) =>
  element("section", {class: "tree", "aria-label": label},
    element("h3", {}, label),
    value === undefined ? element("p", {class: "hint"}, "Nothing")
      : element("ul", {}, value !== null && typeof value === "object"
        ? Object.entries(value).map(([name, member]) => node(name, member, 1)) : leaf(null, value)));
