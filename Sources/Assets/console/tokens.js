import {link, element} from "./element.js";
import {inspectionPart} from "./inspection.js";
import {mintPart} from "./mint.js";
import {reportPart, reportsPart} from "./reports.js";

const parts = [["inspect", "Inspect", inspectionPart], ["mint", "Mint", mintPart], ["reports", "Refused tokens", reportsPart]];

/** The page on Apple Pay tokens: explains one, mints one, and lists those that were refused. */
export const tokensPage = (context) => {
  const [name = "inspect", id] = context.parts;
  const [chosen, , open] = parts.find(([part]) => part === name) ?? parts[0];
  const tabs = element("nav", {class: "tabs", "aria-label": "Tokens"}, element("ul", {}, parts.map(([part, label]) =>
    element("li", {}, link(`#/tokens/${part}`, label, {"aria-current": part === chosen ? "page" : null})))));
  return {content: [tabs, ...(chosen === "reports" && id ? reportPart(context, id) : open(context))]};
};
