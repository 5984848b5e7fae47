import {merchantOptions} from "./inspection.js";
import {confirmDialog} from "./dialogs.js";
import {button, cell, element, facts, field, message, select, setOptions, table} from "./element.js";
import {throttled} from "./events.js";
import {badge, words} from "./format.js";

const operations = ["AUTHORIZE", "PAY", "CAPTURE", "REFUND", "VOID", "UPDATE_AUTHORIZATION", "VERIFY"];
const replies = [["", "sent"], ["LATE", "late: after the latency"], ["CUT", "cut: the transaction is kept"]];

/** What a script waits for, in words. */
const condition = (script) => [
  script.operation ? words(script.operation) : "any operation", script.amount ? `of ${script.amount}` : "",
  script.order ? `on order ${script.order}` : "", script.lastFour ? `with card ${script.lastFour}` : "",
  script.merchant ? `by ${script.merchant}` : "",
].filter(Boolean).join(" ");

/** The order amounts with an outcome of their own, the scripts that wait, and a form for another. */
const scripts = ({control, announce, on, signal}) => {
  const amounts = element("div");
  const list = table("Waiting outcomes", ["Operations", "When", "Outcome", ["Latency", "number"], "Reply", "Remove"]);
  const problem = element("div");
  const code = select("gatewayCode", [["", "as by its amount"]]);

  const row = (script) => element("tr", {},
    cell("Operations", script.count === 0 ? "all, until removed" : `next ${script.count}`),
    cell("When", condition(script)), cell("Outcome", badge(script.gatewayCode) ?? "as by its amount"),
    cell("Latency", `${script.latencyMilliseconds} ms`, {class: "number"}), cell("Reply", words(script.reply)),
    cell("Remove", button("Remove", async () => {
      await control.remove(`outcomes/${script.id}`).catch(() => {});
      refresh();
    }, {class: "small", "aria-label": `Remove: ${condition(script)}`})));
  const refresh = throttled(async () => {
    if (signal.aborted) return;
    try {
      const loaded = await control.get("outcomes");
      if (signal.aborted) return;
      list.tBodies[0].replaceChildren(...loaded.outcomes.map(row));
      list.hidden = loaded.outcomes.length === 0;
      none.hidden = !list.hidden;
    } catch (error) {
      if (!signal.aborted) problem.replaceChildren(message(error.message, true));
    }
  });
  control.get("simulator").then((simulator) => {
    if (signal.aborted) return;
    setOptions(code, [["", "as by its amount"], ...simulator.gatewayCodes]);
    amounts.replaceChildren(facts(simulator.amounts.map(({amount, gatewayCode}) => [amount, badge(gatewayCode)]), "amounts"));
  }).catch((error) => { if (!signal.aborted) problem.replaceChildren(message(error.message, true)); });
  const none = element("p", {class: "hint"}, "No outcome waits.");
  const text = (name, attributes = {}) => element("input", {name, autocomplete: "off", ...attributes});
  const form = element("form", {class: "stack", "aria-label": "New outcome"}, element("div", {class: "grid"},
    field("Outcome", code), field("Operation", select("operation", [["", "any"], ...operations])),
    field("Amount", text("amount", {inputmode: "decimal"}), "of the operation"), field("Order", text("order")),
    field("Card's last four", text("lastFour", {maxlength: 4, inputmode: "numeric"})), field("Merchant", text("merchant")),
    field("Operations", text("count", {type: "number", min: 0, max: 10_000, value: 1}), "0: until removed"),
    field("Latency in ms", text("latencyMilliseconds", {type: "number", min: 0, value: 0})),
    field("Reply", select("reply", replies))),
  element("div", {class: "actions"}, element("button", {class: "primary"}, "Script it")), problem);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const values = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ""));
    for (const name of ["count", "latencyMilliseconds"]) if (name in values) values[name] = Number(values[name]);
    try {
      const script = await control.post("outcomes", values);
      problem.replaceChildren();
      announce(`Scripted: ${condition(script)}.`);
      refresh();
    } catch (error) {
      problem.replaceChildren(message(error.message, true));
      form.elements[error.field]?.focus();
    }
  });
  for (const kind of ["outcomes", "reset", "missed"]) on(kind, refresh);
  refresh();
  return [
    element("h2", {}, "Order amounts with an outcome of their own"), amounts,
    element("h2", {}, "Scripted outcomes"), none, list, element("h3", {}, "Script another one"), form,
  ];
};

/** A form of one field whose result or error is shown under it. */
const setting = (label, control, hint, buttons) => {
  const result = element("div", {class: "result"});
  const run = async (action) => {
    try { result.replaceChildren(message(await action(control.value.trim()), false)); } catch (error) {
      result.replaceChildren(message(error.message, true));
    }
  };
  const [[first, submit], ...others] = buttons;
  const form = element("form", {class: "stack setting"}, field(label, control, hint), element("div", {class: "actions"},
    element("button", {}, first), others.map(([name, action]) => button(name, () => run(action)))), result);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    run(submit);
  });
  return {form, run};
};

const clock = ({control, signal}) => {
  const shown = ({instant, offsetMilliseconds}) => `It is ${instant}, ${offsetMilliseconds / 1000} s off the system's clock.`;
  const input = element("input", {name: "instant", placeholder: "2030-01-01T00:00:00Z or +3600", autocomplete: "off"});
  const request = (text) => (/^[+-]?\d+$/.test(text) ? {offsetSeconds: Number(text)} : {instant: text});
  const made = setting("Clock", input, "an instant, or seconds off the system's clock", [
    ["Set", async (text) => shown(await control.put("clock", request(text)))],
    ["As at the start", async () => shown(await control.put("clock", null))],
  ]);
  made.run(async () => {
    const present = await control.get("clock");
    return signal.aborted ? "" : shown(present);
  });
  return made.form;
};

const seed = ({control}) => setting("Seed of numbers and identifiers",
  element("input", {name: "seed", inputmode: "numeric", autocomplete: "off"}), "the same requests then get the same numbers", [
    ["Set", async (text) => `The seed is ${(await control.put("seed", {seed: Number(text)})).seed}.`],
    ["Random", async () => {
      await control.put("seed", null);
      return "Numbers are random.";
    }],
  ]).form;

const reset = ({control, announce, signal}) => {
  const merchant = select("merchant", [["", "all merchants, clock and seed"]]);
  merchantOptions(control, "all merchants, clock and seed").then((names) => {
    if (!signal.aborted) setOptions(merchant, names);
  }).catch(() => {});
  const run = async (name) => {
    const effect = name ? `Everything of ${name} is forgotten.` : "Everything is forgotten.";
    if (!await confirmDialog("Reset?", effect, "Reset")) return "Nothing was reset.";
    await control.post("reset", name ? {merchant: name} : {});
    announce("Reset.");
    return name ? `${name} was reset.` : "The gateway was reset.";
  };
  return setting("Reset", merchant, "orders, sessions, tokens, reports, requests and outcomes are forgotten", [["Reset", run]])
    .form;
};

/** Steers the gateway: outcomes, clock, seed and reset. */
export const outcomesPage = (context) => ({
  content: [...scripts(context), element("h2", {}, "Clock, seed and reset"),
    element("div", {class: "settings"}, clock(context), seed(context), reset(context))],
});
