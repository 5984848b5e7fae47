import {button, cell, element, facts, field, message, select, setOptions, table} from "./element.js";
import {badge, words} from "./format.js";

/** The greatest size of a token's file, in bytes. */
const fileBytesMax = 65_536;

/** The token that the page for inspection begins with, from the mint. */
let passedOn = "";
export const passToInspection = (token) => { passedOn = token; };

/** The verdict on a token with the steps of its verification, as `tollgate token inspect` shows them. */
export const verdict = (report) => {
  const list = table("Steps of the verification", ["Step", "Outcome", "Finding", "What to do"]);
  list.tBodies[0].append(...(report.steps ?? []).map((step) => element("tr", {},
    cell("Step", step.step, {class: "id"}), cell("Outcome", badge(step.outcome)),
    cell("Finding", step.remedy ? step.detail.replace(step.remedy, "").trim() : step.detail, {class: "long"}),
    cell("What to do", step.remedy ?? "", {class: "long"}))));
  const known = [
    ["Merchant", report.merchant], ["Version", report.version], ["Signer", report.signer?.commonName],
    ["Signed", report.signer?.signingTime],
  ].filter(([, value]) => value);
  return element("section", {"aria-label": "Verdict", class: "verdict"},
    element("h2", {}, "Verdict ", badge(report.verdict)),
    facts(known),
    list,
    (report.notes ?? []).map((note) => element("p", {class: "hint"}, note)));
};

/** The names of the merchants for a select, with all of them or a default first. */
export const merchantOptions = async (control, first) => {
  const {merchants} = await control.get("merchants");
  return [["", first], ...merchants.map(({merchant}) => merchant)];
};

/** Inspects a token that is pasted, dropped or chosen as a file. */
export const inspectionPart = ({control, announce, signal}) => {
  const input = element("textarea", {
    name: "token", rows: 8, required: true, spellcheck: "false", autocomplete: "off", properties: {value: passedOn},
  });
  passedOn = "";
  const merchant = select("merchant", [["", "the one whose key it is"]]);
  const result = element("div");
  const file = element("input", {type: "file", name: "file"});
  const form = element("form", {class: "stack"},
    field("Token", input, "paymentToken, the token's JSON, or its base64. Or drop a file here."),
    field("File", file), field("Merchant", merchant),
    element("div", {class: "actions"}, element("button", {class: "primary"}, "Inspect"),
      button("Clear", () => {
        form.reset();
        result.replaceChildren();
      })));

  const read = async (chosen) => {
    if (chosen === undefined) return;
    if (chosen.size > fileBytesMax) {
      result.replaceChildren(message("This file is too large for a token.", true));
      return;
    }
    input.value = await chosen.text();
  };
  file.addEventListener("change", () => read(file.files[0]));
  form.addEventListener("dragover", (event) => event.preventDefault());
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    const [dropped] = event.dataTransfer.files;
    if (dropped) read(dropped); else input.value = event.dataTransfer.getData("text/plain");
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const request = {token: input.value.trim(), ...(merchant.value ? {merchant: merchant.value} : {})};
    try {
      const report = await control.post("inspect", request);
      result.replaceChildren(verdict(report));
      announce(`The token is ${words(report.verdict).toLowerCase()}.`);
    } catch (error) {
      result.replaceChildren(message(error.message, true));
    }
  });
  merchantOptions(control, "the one whose key it is").then((options) => {
    if (!signal.aborted) setOptions(merchant, options);
  }).catch(() => {});
  return [form, result];
};
