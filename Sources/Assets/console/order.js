import {path} from "./control.js";
import {button, element, facts, link, message} from "./element.js";
import {throttled} from "./events.js";
import {amount, badge, time, words} from "./format.js";
import {operationDialog} from "./operation.js";
import {reason} from "./request.js";
import {tree} from "./tree.js";

const operations = ["CAPTURE", "REFUND", "VOID", "UPDATE_AUTHORIZATION"];

/** The transaction that a request of the journal is for: the last segment of its path. */
const transactionOf = ({path: text}) => decodeURIComponent(/\/transaction\/([^/?]+)/.exec(text)?.[1] ?? "");

/** One entry of the timeline: a transaction, or a request that made none. */
const entry = (transaction, requests) => {
  const last = requests.at(-1);
  const type = transaction?.transaction?.type ?? last?.request?.apiOperation ?? last?.method;
  const heading = element("div", {class: "moment"},
    element("strong", {}, words(type)),
    transaction ? ` ${transaction.transaction?.id ?? ""} ` : " ",
    transaction ? amount(transaction.transaction?.amount, transaction.transaction?.currency) : null, " ",
    transaction ? badge(transaction.response?.gatewayCode) : badge(last?.status), " ",
    time(transaction?.timeOfRecord ?? last?.time),
    last?.performedBy === "CONTROL" ? element("span", {class: "hint"}, " by the console") : null);
  return element("li", {}, heading,
    requests.map((request) => element("details", {},
      element("summary", {}, `${request.method} · ${request.status ?? "no reply"} · ${request.milliseconds} ms`),
      reason(request), tree("Request", request.request), tree("Reply", request.reply),
      link(`#/requests/${request.id}`, "Open the request"))),
    transaction && requests.length === 0 ? element("details", {}, element("summary", {}, "Transaction"),
      tree("Transaction", transaction)) : null);
};

/** The transactions of an order with their requests, and the requests that made none, by time. */
const timeline = ({order, requests}) => {
  const transactions = order.transaction ?? [];
  const ids = new Set(transactions.map((transaction) => transaction.transaction?.id));
  const entries = transactions.map((transaction) => ({
    at: transaction.timeOfRecord, transaction,
    requests: requests.filter((request) => transactionOf(request) === transaction.transaction?.id),
  }));
  for (const request of requests) {
    if (!ids.has(transactionOf(request))) entries.push({at: request.time, requests: [request]});
  }
  entries.sort((one, other) => (one.at < other.at ? -1 : 1));
  return element("ol", {class: "timeline"}, entries.map((part) => entry(part.transaction, part.requests)));
};

/** The amounts of an order, and how it was paid. */
const summaryOf = (order) => facts([
  ["Amount", order.amount], ["Authorized", order.totalAuthorizedAmount], ["Captured", order.totalCapturedAmount],
  ["Refunded", order.totalRefundedAmount],
].map(([name, value]) => [name, amount(value, order.currency)]).concat([
  ["Card", order.sourceOfFunds?.provided?.card?.number], ["Wallet", order.walletProvider], ["Merchant", order.merchant],
]).filter(([, value]) => value !== undefined && value !== ""));

/** One order: its amounts, its timeline, and the operations that the console can perform on it. */
export const orderPage = ({control, parts: [merchant, id], announce, on, signal}) => {
  const summary = element("section", {"aria-label": "Summary"}, element("p", {class: "hint"}, "Loading"));
  const history = element("section", {"aria-label": "Timeline"});
  let shown;

  const perform = (operation) => operationDialog(operation, shown.order, async (request) => {
    const reply = await control.post(`orders/${path(merchant, id)}/operations`, {request});
    refresh();
    announce(`${words(operation)}: ${reply.reply?.response?.gatewayCode ?? reply.reply?.result ?? "no reply"}`);
    return reply;
  });
  const actions = element("div", {class: "actions"},
    operations.map((operation) => button(words(operation), () => perform(operation), {disabled: true})));

  const refresh = throttled(async () => {
    if (signal.aborted) return;
    try {
      const loaded = await control.get(`orders/${path(merchant, id)}`);
      if (signal.aborted || JSON.stringify(loaded) === JSON.stringify(shown)) return;
      shown = loaded;
      for (const item of actions.children) item.disabled = false;
      summary.replaceChildren(element("p", {}, badge(shown.order.status)), summaryOf(shown.order));
      const opened = [...history.querySelectorAll("li > details")].map((details) => details.open);
      history.replaceChildren(element("h2", {}, "Timeline"), timeline(shown), tree("Order", shown.order));
      history.querySelectorAll("li > details").forEach((details, index) => { details.open = opened[index] ?? false; });
    } catch (error) {
      if (signal.aborted) return;
      summary.replaceChildren(message(error.message, true));
      history.replaceChildren();
    }
  });
  const isOfOrder = (event) => event.merchant === merchant && event.order === id;
  for (const kind of ["order", "request"]) on(kind, (event) => { if (isOfOrder(event)) refresh(); });
  for (const kind of ["reset", "missed"]) on(kind, refresh);
  refresh();
  return {title: `Order ${id}`, content: [summary, actions, history]};
};
