import {button, cell, element, field, link, message, select, table} from "./element.js";
import {batched, throttled} from "./events.js";
import {badge, time} from "./format.js";
import {passes, requestDetail, shortReason} from "./request.js";

const columns = ["Time", "Operation", "Order", "Status", "Reason", ["ms", "number"]];
/** The number of requests that the gateway keeps, and of rows. */
const countMax = 256;
const filters = ["status", "merchant", "order", "outcome"];
const statuses = [["", "any"], "2xx", "4xx", "5xx", "201", "400", "401", "429", "503"];

/** The list of requests, the newest first, which follows the gateway, and the one that is chosen. */
export const requestsPage = ({control, parts: [chosen], parameters, setParameters, on, signal}) => {
  const list = table("Requests, newest first", columns);
  const body = list.tBodies[0];
  const status = element("p", {class: "hint", role: "status"}, "Loading");
  const detail = element("div", {class: "side"});
  const requests = new Map();
  let isPaused = false;

  const text = (name) => element("input", {name, value: parameters.get(name) ?? "", autocomplete: "off"});
  const form = element("form", {class: "filters", role: "search"},
    field("Order", text("order")), field("Status", select("status", statuses, parameters.get("status") ?? "")),
    field("Outcome", element("input", {
      name: "outcome", value: parameters.get("outcome") ?? "", placeholder: "DECLINED", autocomplete: "off",
    })), field("Merchant", text("merchant")));
  const query = () => Object.fromEntries(filters.map((name) => [name, form.elements[name].value.trim()]));
  const suffix = () => (location.hash.includes("?") ? `?${location.hash.split("?")[1]}` : "");

  const row = (request) => element("tr", {"aria-current": `${request.id}` === chosen ? "true" : null},
    cell("Time", time(request.time)),
    cell("Operation", link(
      `#/requests/${request.id}${suffix()}`, request.request?.apiOperation ?? request.method, {class: "row"})),
    cell("Order", request.order ?? "", {class: "id"}), cell("Status", badge(request.status ?? "cut")),
    cell("Reason", shortReason(request), {class: "clamped"}), cell("ms", `${request.milliseconds}`, {class: "number"}));

  const count = () => {
    status.textContent = `${body.childElementCount} requests${isPaused ? ", paused" : ""}`;
  };
  /** Adds requests, oldest first. */
  const add = (added) => {
    const present = query();
    const rows = [];
    for (const request of added) {
      if (requests.has(request.id) || !passes(request, present)) continue;
      requests.set(request.id, request);
      rows.unshift(row(request));
      if (`${request.id}` === chosen) detail.replaceChildren(requestDetail(request));
    }
    body.prepend(...rows);
    while (body.childElementCount > countMax) body.lastElementChild.remove();
    for (const id of requests.keys()) {
      if (requests.size <= countMax) break;
      requests.delete(id);
    }
    count();
  };
  const load = async () => {
    if (signal.aborted) return;
    const present = query();
    try {
      const loaded = await control.get("requests", present);
      if (signal.aborted || JSON.stringify(present) !== JSON.stringify(query())) return;
      requests.clear();
      body.replaceChildren();
      add(loaded.requests);
      if (chosen && !requests.has(Number(chosen))) {
        const {requests: later} = await control.get("requests", {after: Number(chosen) - 1});
        const request = later.find(({id}) => `${id}` === chosen);
        if (!signal.aborted) {
          detail.replaceChildren(request ? requestDetail(request)
            : message("The gateway no longer has this request: it keeps the latest 256.", true));
        }
      }
    } catch (error) {
      if (!signal.aborted) status.replaceChildren(message(error.message, true));
    }
  };
  const refresh = throttled(load);
  const receive = batched(countMax, (added) => { if (!signal.aborted) add(added); });

  on("request", (request) => { if (!isPaused) receive(request); });
  for (const kind of ["reset", "missed"]) on(kind, refresh);
  form.addEventListener("input", () => {
    setParameters(new URLSearchParams(query()));
    refresh();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  const pause = button("Pause", () => {
    isPaused = !isPaused;
    pause.textContent = isPaused ? "Go on" : "Pause";
    if (isPaused) count(); else refresh();
  });
  refresh();
  return {content: [form, element("div", {class: "actions"}, status, pause),
    element("div", {class: "columns"}, list, detail)]};
};
