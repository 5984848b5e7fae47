import {path} from "./control.js";
import {button, cell, element, link, message, table} from "./element.js";
import {throttled} from "./events.js";
import {badge, time} from "./format.js";
import {verdict} from "./inspection.js";

/** The reports of refused tokens, newest first. */
export const reportsPart = ({control, on, signal}) => {
  const list = table("Refused tokens, newest first", ["Time", "Merchant", "Refused at", "Reason"]);
  const status = element("p", {class: "hint", role: "status"}, "Loading");
  const body = list.tBodies[0];
  let next;
  const row = (report) => element("tr", {},
    cell("Time", link(`#/tokens/reports/${path(report.id)}`, time(report.time), {class: "row"})),
    cell("Merchant", report.merchant), cell("Refused at", badge(report.reason)),
    cell("Reason", report.explanation ?? "", {class: "long"}));
  const load = async (before) => {
    try {
      const page = await control.get("reports", {limit: 50, before});
      if (signal.aborted) return;
      if (before === undefined) body.replaceChildren();
      body.append(...page.reports.map(row));
      ({next} = page);
      more.hidden = next === undefined;
      status.textContent = body.childElementCount === 0 ? "No token was refused since the gateway started."
        : `${body.childElementCount} reports`;
    } catch (error) {
      if (!signal.aborted) status.replaceChildren(message(error.message, true));
    }
  };
  const more = button("More", () => load(next));
  more.hidden = true;
  const refresh = throttled(() => (signal.aborted ? undefined : load()));
  on("request", (request) => { if (request.report) refresh(); });
  for (const kind of ["reset", "missed"]) on(kind, refresh);
  refresh();
  return [status, list, more];
};

/** One report, whole. */
export const reportPart = ({control, signal}, id) => {
  const result = element("div", {}, element("p", {class: "hint"}, "Loading"));
  control.get(`reports/${path(id)}`).then((report) => {
    if (!signal.aborted) result.replaceChildren(verdict(report));
  }).catch((error) => { if (!signal.aborted) result.replaceChildren(message(error.message, true)); });
  return [link("#/tokens/reports", "All reports"), result];
};
