import {csv, save} from "./clipboard.js";
import {path} from "./control.js";
import {button, cell, element, field, link, message, select, table} from "./element.js";
import {throttled} from "./events.js";
import {amount, badge, time} from "./format.js";

const columns = [
  "Order", "Status", ["Amount", "number"], ["Captured", "number"], ["Refunded", "number"], "Card", "Merchant", "Created",
];
const statuses = [
  ["", "any"], "AUTHENTICATED", "AUTHENTICATION_INITIATED", "AUTHORIZED", "CANCELLED", "CAPTURED", "CHARGEBACK_PROCESSED",
  "DISBURSED", "DISPUTED", "EXCESSIVELY_REFUNDED", "FAILED", "FUNDING", "INITIATED", "PARTIALLY_CAPTURED",
  "PARTIALLY_REFUNDED", "REFUNDED", "REFUND_REQUESTED", "VERIFIED",
];
const wallets = [["", "any"], ["APPLE_PAY", "Apple Pay"], ["GOOGLE_PAY", "Google Pay"], ["SAMSUNG_PAY", "Samsung Pay"]];
const filters = ["order", "status", "amount", "wallet", "lastFour", "merchant"];

const key = ({merchant, order}) => `${merchant}/${order}`;

const row = (order) => element("tr", {},
  cell("Order", link(`#/orders/${path(order.merchant, order.order)}`, order.order, {class: "row"}), {class: "id"}),
  cell("Status", badge(order.status)),
  cell("Amount", amount(order.amount, order.currency), {class: "number"}),
  cell("Captured", order.totalCapturedAmount ?? "", {class: "number"}),
  cell("Refunded", order.totalRefundedAmount ?? "", {class: "number"}),
  cell("Card", [order.lastFour ? `•••• ${order.lastFour}` : "", order.walletProvider ? ` ${order.walletProvider}` : ""]),
  cell("Merchant", order.merchant),
  cell("Created", time(order.creationTime)));

/** The list of orders, newest first, which follows the gateway. */
export const ordersPage = ({control, parameters, setParameters, announce, on, signal}) => {
  const list = table("Orders, newest first", columns);
  const body = list.tBodies[0];
  const status = element("p", {class: "hint", role: "status"}, "Loading");
  /** The orders that are listed, in order, and their rows with the text from which each was made. */
  let orders = [];
  const rows = new Map();
  let next;

  const text = (name, attributes = {}) =>
    element("input", {name, value: parameters.get(name) ?? "", autocomplete: "off", ...attributes});
  const form = element("form", {class: "filters", role: "search"},
    field("Order", text("order", {placeholder: "whole id"})),
    field("Status", select("status", statuses, parameters.get("status") ?? "")),
    field("Amount", text("amount", {inputmode: "decimal", placeholder: "12.50"})),
    field("Wallet", select("wallet", wallets, parameters.get("wallet") ?? "")),
    field("Card's last four", text("lastFour", {inputmode: "numeric", maxlength: 4})),
    field("Merchant", text("merchant")));
  const query = () => Object.fromEntries(filters.map((name) => [name, form.elements[name].value.trim()]));

  const render = () => {
    const shown = new Set();
    orders.forEach((order, index) => {
      const [id, content] = [key(order), JSON.stringify(order)];
      shown.add(id);
      if (rows.get(id)?.content !== content) {
        const made = {content, row: row(order)};
        const old = rows.get(id)?.row;
        const hadFocus = old?.contains(document.activeElement);
        if (old?.isConnected) old.replaceWith(made.row);
        rows.set(id, made);
        if (hadFocus) made.row.querySelector("a").focus();
      }
      const present = rows.get(id).row;
      if (body.children[index] !== present) body.insertBefore(present, body.children[index] ?? null);
    });
    for (const [id, {row: gone}] of rows) {
      if (shown.has(id)) continue;
      gone.remove();
      rows.delete(id);
    }
    more.hidden = next === undefined;
    status.textContent = orders.length === 0
      ? (next === undefined ? "No orders." : "No orders on this page; there are more.")
      : `${orders.length} orders${next === undefined ? "" : ", and more"}`;
  };

  const load = async (before) => {
    const present = query();
    try {
      const page = await control.get("orders", {...present, limit: 50, before});
      if (signal.aborted || JSON.stringify(present) !== JSON.stringify(query())) return;
      const listed = new Set(page.orders.map(key));
      if (before === undefined) {
        // Pages that were added stay, unless the list has changed so much that they no longer follow.
        const rest = orders.length > 50 ? orders.filter((order) => !listed.has(key(order))) : [];
        orders = [...page.orders, ...rest];
        if (rest.length === 0) ({next} = page);
      } else {
        orders = [...orders.filter((order) => !listed.has(key(order))), ...page.orders];
        ({next} = page);
      }
      render();
    } catch (error) {
      if (!signal.aborted) status.replaceChildren(message(error.message, true));
    }
  };
  const refresh = throttled(() => (signal.aborted ? undefined : load()));
  const more = button("More", () => load(next));
  more.hidden = true;

  form.addEventListener("input", () => {
    orders = [];
    setParameters(new URLSearchParams(query()));
    refresh();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const kind of ["order", "reset", "missed"]) on(kind, refresh);
  on("reset", () => { orders = []; });
  refresh();

  const download = button("Download CSV", () => {
    const names = [
      "merchant", "order", "status", "amount", "currency", "totalAuthorizedAmount", "totalCapturedAmount", "totalRefundedAmount",
      "walletProvider", "lastFour", "creationTime", "lastUpdatedTime",
    ];
    save("orders.csv", csv([names, ...orders.map((order) => names.map((name) => order[name]))]));
    announce(`${orders.length} orders were saved.`);
  });
  return {content: [form, element("div", {class: "actions"}, status, download), list, more]};
};
