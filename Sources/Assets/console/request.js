import {curl, copyButton} from "./clipboard.js";
import {Control, path} from "./control.js";
import {element, link} from "./element.js";
import {badge, time} from "./format.js";
import {tree} from "./tree.js";

/** Whether a request of the journal passes a filter. Each empty member passes all. */
export const passes = (request, {merchant, order, status, outcome}) =>
  (!merchant || request.merchant === merchant) && (!order || request.order === order)
  && (!outcome || request.reply?.response?.gatewayCode === outcome)
  && (!status || `${request.status}` === status || (/^\dxx$/.test(status) && `${request.status}`[0] === status[0]));

/** The short reason of a refusal, for a list. */
export const shortReason = ({reply, sent}) => {
  if (sent !== undefined) return `reply ${sent.toLowerCase()}`;
  const error = reply?.error;
  if (error === undefined) return reply?.response?.gatewayCode ?? "";
  return [error.field, error.explanation].filter(Boolean).join(": ");
};

/** Why a request was refused, and what to do: the API's explanation, notices, and the report of a refused token. */
export const reason = (request) => {
  const error = request.reply?.error;
  const lines = [];
  if (error) {
    lines.push(element("p", {},
      element("strong", {}, error.cause ?? "Refused"), error.field ? ` at ${error.field}` : "", `: ${error.explanation ?? ""}`));
  }
  for (const notice of request.notices ?? []) lines.push(element("p", {}, notice));
  if (request.report) {
    lines.push(element("p", {}, link(`#/tokens/reports/${path(request.report)}`, "Why the token was refused, step by step")));
  }
  if (request.sent === "CUT") lines.push(element("p", {}, "The reply was not sent, as a scripted outcome demanded."));
  return lines.length === 0 ? null : element("section", {class: "reason", "aria-label": "Reason"}, lines);
};

/** One request of the journal, whole. */
export const requestDetail = (request, origin = Control.origin) => element("section", {class: "detail", "aria-label": "Request"},
  element("h2", {}, `${request.request?.apiOperation ?? request.method} `, badge(request.status)),
  element("p", {class: "path"}, request.path),
  element("p", {class: "hint"}, time(request.time), ` · ${request.milliseconds} ms · from ${request.peer ?? "?"}`,
    request.performedBy === "CONTROL" ? " · by the console" : ""),
  reason(request),
  element("div", {class: "actions"}, copyButton("Copy as curl", () => curl(request, origin)),
    request.merchant && request.order
      ? link(`#/orders/${path(request.merchant, request.order)}`, "Open the order") : null),
  tree("Request", request.request), tree("Reply", request.reply));
