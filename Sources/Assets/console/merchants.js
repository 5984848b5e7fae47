import {snippet} from "./clipboard.js";
import {cell, element, message, table} from "./element.js";
import {badge, time, words} from "./format.js";
import {snippets} from "./snippets.js";

const keys = (applePay) => {
  const list = table("Apple Pay keys", ["Merchant identifier", "Version", "publicKeyHash", "Certificate", "What to do"]);
  list.tBodies[0].append(...applePay.map((key) => element("tr", {},
    cell("Merchant identifier", key.merchantIdentifier ?? "", {class: "long"}), cell("Version", key.version),
    cell("publicKeyHash", element("code", {}, key.publicKeyHash), {class: "long"}),
    cell("Certificate", key.certificate
      ? ["until ", time(key.certificate.notAfter), `, ${key.certificate.daysLeft} days`] : "none is named"),
    cell("What to do", key.remedy ?? "nothing", {class: "long"}))));
  return list;
};

const merchantSection = (merchant, sandbox, baseUrl) => {
  const isSandbox = merchant.isSandbox && sandbox !== null;
  return element("section", {"aria-label": merchant.merchant, class: "merchant"},
    element("h2", {}, merchant.merchant, " ", merchant.isSandbox ? badge("sandbox") : null),
    element("p", {}, "Privileges: ", merchant.privileges.map(words).join(", ") || "none"),
    element("p", {}, merchant.radial ? "Radial's XML API has a store for it." : "It has no store at Radial's XML API."),
    merchant.applePay.length > 0 ? keys(merchant.applePay)
      : element("p", {class: "hint"}, "It has no key for Apple Pay: tollgate merchant create --help."),
    element("details", {open: isSandbox}, element("summary", {}, "Requests to begin with"),
      isSandbox ? null : element("p", {class: "hint"}, "The gateway keeps only the hash of this merchant's password."),
      snippets({
        merchant: merchant.merchant, baseUrl, password: isSandbox ? sandbox.password : "PASSWORD", canMint: sandbox !== null,
      }).map(([label, text]) => snippet(label, text))));
};

/** The configured merchants with their keys, and requests to begin with. */
export const merchantsPage = ({control, signal}) => {
  const content = element("div", {}, element("p", {class: "hint"}, "Loading"));
  const load = async () => {
    const [{merchants, baseUrl}, sandbox] = await Promise.all([
      control.get("merchants"), control.get("sandbox").catch(() => null),
    ]);
    if (!signal.aborted) content.replaceChildren(...merchants.map((merchant) => merchantSection(merchant, sandbox, baseUrl)));
  };
  load().catch((error) => { if (!signal.aborted) content.replaceChildren(message(error.message, true)); });
  return {content: [content]};
};
