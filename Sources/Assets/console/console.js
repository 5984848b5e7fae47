import {Control} from "./control.js";
import {element, link} from "./element.js";
import {Events} from "./events.js";
import {merchantsPage} from "./merchants.js";
import {orderPage} from "./order.js";
import {ordersPage} from "./orders.js";
import {outcomesPage} from "./outcomes.js";
import {requestsPage} from "./requests.js";
import {tokenDialog, keysDialog} from "./dialogs.js";
import {tokensPage} from "./tokens.js";

/** The pages by the first part of the route `#/name/…?…`. */
const pages = new Map([
  ["orders", {title: "Orders", open: (context) => (context.parts.length === 2 ? orderPage(context) : ordersPage(context))}],
  ["requests", {title: "Requests", open: requestsPage}],
  ["tokens", {title: "Tokens", open: tokensPage}],
  ["outcomes", {title: "Outcomes", open: outcomesPage}],
  ["merchants", {title: "Merchants", open: merchantsPage}],
]);

const main = document.getElementById("main");
const navigation = document.getElementById("navigation");
const connection = document.getElementById("connection");
const control = new Control(tokenDialog);
const events = new Events(control);

/** The page that is shown; `stop` ends what it follows. */
let stop = () => {};

/** Tells a screen reader what was done. */
const announce = (text) => { document.getElementById("announcement").textContent = text; };

const route = () => {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?", 2);
  const decoded = path.split("/").filter(Boolean).map((part) => {
    try { return decodeURIComponent(part); } catch { return part; }
  });
  const [name = "orders", ...parts] = decoded;
  return {name: pages.has(name) ? name : "orders", parts, parameters: new URLSearchParams(query)};
};

/** Replaces the query of the present route without opening the page again. */
const setParameters = (parameters) => {
  const query = new URLSearchParams([...parameters].filter(([, value]) => value !== ""));
  const [path] = (location.hash || "#/orders").split("?", 1);
  history.replaceState(null, "", query.size > 0 ? `${path}?${query}` : path);
};

const show = (isFirst) => {
  stop();
  const {name, parts, parameters} = route();
  const page = pages.get(name);
  for (const item of navigation.querySelectorAll("a")) {
    if (item.dataset.page === name) item.setAttribute("aria-current", "page");
    else item.removeAttribute("aria-current");
  }
  const scope = new AbortController();
  stop = () => scope.abort();
  const context = {
    control, parts, parameters, setParameters, announce, signal: scope.signal,
    on: (kind, listener) => events.addEventListener(kind, ({detail}) => listener(detail), {signal: scope.signal}),
  };
  const opened = page.open(context);
  document.title = `${opened.title ?? page.title} · Tollgate`;
  main.replaceChildren(element("h1", {}, opened.title ?? page.title), ...opened.content);
  if (!isFirst) main.focus();
};

navigation.append(element("ul", {}, [...pages].map(([name, {title}]) =>
  element("li", {}, link(`#/${name}`, title, {"data-page": name})))));
events.addEventListener("state", ({detail}) => {
  connection.dataset.state = detail;
  connection.textContent = detail === "live" ? "live" : "connecting";
});
events.addEventListener("reset", () => { announce("The gateway was reset."); });
addEventListener("hashchange", () => show(false));

/** Whether a key is meant for a field. */
const isTyping = (target) => target.closest("input, textarea, select, dialog") !== null;

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  const number = Number(event.key);
  if (event.key === "/") {
    const search = main.querySelector("input");
    if (search === null) return;
    event.preventDefault();
    search.focus();
  } else if (event.key === "?") {
    keysDialog();
  } else if (number >= 1 && number <= pages.size) {
    location.hash = `#/${[...pages.keys()][number - 1]}`;
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    const links = [...main.querySelectorAll("tbody a.row")];
    const index = links.indexOf(event.target.closest("a.row"));
    const next = links[index + (event.key === "ArrowDown" ? 1 : -1)];
    if (links.length === 0 || (index < 0 && event.key === "ArrowUp")) return;
    event.preventDefault();
    (next ?? links[Math.max(index, 0)]).focus();
  }
});

show(true);
events.follow();
