import {copyButton} from "./clipboard.js";
import {path} from "./control.js";
import {button, element, field, link, message, select, setOptions} from "./element.js";
import {merchantOptions, passToInspection} from "./inspection.js";

/** The options of the mint that are plain text: member of the request, label, hint. */
const options = [
  ["pan", "Account number", "8 to 19 digits"], ["expiry", "Expiry", "YYMMDD"], ["name", "Name on the card"],
  ["cryptogram", "Cryptogram", "base64"], ["eci", "ECI", "two digits"], ["emvData", "EMV data", "base64, for type EMV"],
  ["pinData", "PIN data", "hexadecimal, for type EMV"], ["applicationData", "Application data", "of the payment request"],
  ["merchantToken", "Merchant token", "its identifier"], ["at", "Signing time", "2026-01-31T12:00:00Z; now, if empty"],
];

/** A request of the merchants' API that pays with a token. */
const payment = (minted, operation) => ({
  apiOperation: operation, order: {amount: minted.amount, currency: minted.currency, walletProvider: "APPLE_PAY"},
  sourceOfFunds: {provided: {card: {devicePayment: {paymentToken: minted.paymentToken}}}, type: "CARD"},
});

/** The minted token with what can be done with it. */
const mintedToken = (minted, {control, announce}) => {
  const problem = element("div");
  const pay = async (operation) => {
    const order = `console-${Date.now().toString(36)}`;
    try {
      const {status, reply: answer} = await control.post(
        `orders/${path(minted.merchant, order)}/operations`, {request: payment(minted, operation)});
      if (status < 400) {
        announce(`${operation}: ${answer?.response?.gatewayCode ?? answer?.result}`);
        location.hash = `#/orders/${path(minted.merchant, order)}`;
        return;
      }
      problem.replaceChildren(message(answer?.error?.explanation ?? `Status ${status}`, true),
        link("#/tokens/reports", "Reports of refused tokens"));
    } catch (error) {
      problem.replaceChildren(message(error.message, true));
    }
  };
  return element("section", {"aria-label": "Minted token", class: "stack"},
    element("h2", {}, "Token"),
    field("paymentToken", element("textarea", {rows: 6, readonly: true, properties: {value: minted.paymentToken}})),
    element("div", {class: "actions"},
      button("Authorize with it", () => pay("AUTHORIZE"), {class: "primary"}), button("Pay with it", () => pay("PAY")),
      button("Inspect it", () => {
        passToInspection(minted.paymentToken);
        location.hash = "#/tokens/inspect";
      }),
      copyButton("Copy token", minted.paymentToken),
      minted.request ? copyButton("Copy request", JSON.stringify(minted.request, null, 2)) : null),
    problem);
};

/** Mints tokens with every option and defect of `tollgate token mint`. */
export const mintPart = (context) => {
  const {control, announce, signal} = context;
  const result = element("div");
  const defect = select("defect", [["", "none"]]);
  const summary = element("span");
  const merchant = select("merchant", [["", "the sandbox's"]]);
  const text = (name, attributes = {}) => element("input", {name, autocomplete: "off", ...attributes});
  const form = element("form", {class: "stack"},
    element("div", {class: "grid"},
      field("Amount", text("amount", {required: true, value: "5656.00", inputmode: "decimal"})),
      field("Currency", text("currency", {required: true, value: "USD", maxlength: 3})),
      field("Merchant", merchant),
      field("Version", select("version", [["", "EC_v1"], "RSA_v1"])),
      field("Type", select("type", [["", "3DSecure"], "EMV"])),
      field("Request", select("request", [["", "token alone"], "AUTHORIZE", "PAY"]))),
    field("Defect", defect, summary),
    element("details", {}, element("summary", {}, "More options"), element("div", {class: "grid"},
      options.map(([name, label, hint]) => field(label, text(name), hint)),
      field("Submerchants", element("textarea", {name: "subMerchants", rows: 2, spellcheck: "false"}),
        "one a line: identifier, space, amount"))),
    element("div", {class: "actions"}, element("button", {class: "primary"}, "Mint")));

  control.get("tokens").then(({defects}) => {
    if (signal.aborted) return;
    setOptions(defect, [["", "none"], ...defects.map(({name}) => name)]);
    defect.addEventListener("change", () => {
      const chosen = defects.find(({name}) => name === defect.value);
      summary.textContent = chosen === undefined ? ""
        : `${chosen.summary}; refused at ${chosen.refusedAt}${chosen.only ? ` (only ${chosen.only})` : ""}`;
    });
  }).catch((error) => { if (!signal.aborted) result.replaceChildren(message(error.message, true)); });
  merchantOptions(control, "the sandbox's").then((names) => {
    if (!signal.aborted) setOptions(merchant, names);
  }).catch(() => {});

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const {subMerchants, ...values} = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ""));
    const request = {...values};
    if (subMerchants) {
      request.subMerchants = subMerchants.split("\n").filter((line) => line.trim() !== "").map((line) => {
        const [merchantIdentifier, amount = ""] = line.trim().split(/\s+/);
        return {merchantIdentifier, amount};
      });
    }
    try {
      result.replaceChildren(mintedToken(await control.post("tokens", request), context));
      announce("The token was minted.");
    } catch (error) {
      result.replaceChildren(message(error.message, true));
      form.elements[error.field]?.focus();
    }
  });
  return [form, result];
};
