import {element} from "./element.js";

const good = new Set(["APPROVED", "AUTHORIZED", "CAPTURED", "VERIFIED", "passed", "accepted", "SENT"]);
const bad = new Set(["DECLINED", "FAILED", "ERROR", "failed", "rejected", "EXPIRED_CARD", "CUT"]);

/** The kind of a status, by which it is coloured. The text alone must be sufficient to read it. */
const kind = (text) => {
  if (good.has(text) || /^2\d\d$/.test(text)) return "good";
  if (bad.has(text) || /^[45]\d\d$/.test(text) || /FAIL|DECLINED|ERROR|TIMED_OUT/.test(text)) return "bad";
  return "neutral";
};

/** A status, a gateway code or an outcome. Nothing if it is absent. */
export const badge = (value) => {
  if (value === undefined || value === null || value === "") return null;
  return element("span", {class: `badge ${kind(`${value}`)}`}, `${value}`);
};

/** A time in the browser's zone, with the exact one as its title. */
export const time = (text) => {
  const date = new Date(text);
  if (Number.isNaN(date.valueOf())) return `${text ?? ""}`;
  const isToday = date.toDateString() === new Date().toDateString();
  const clock = date.toLocaleTimeString([], {hour12: false});
  return element("time", {datetime: text, title: text}, isToday ? clock : `${date.toLocaleDateString()} ${clock}`);
};

/** The number of decimals of a currency (ISO 4217); 2 if the browser does not know it. */
export const decimals = (currency) => {
  try {
    return new Intl.NumberFormat("en", {style: "currency", currency}).resolvedOptions().maximumFractionDigits;
  } catch { return 2; }
};

/** An amount, text or number, with its currency. Numbers get the decimals of the currency. */
export const amount = (value, currency) => {
  if (value === undefined) return "";
  return `${typeof value === "number" ? value.toFixed(decimals(currency)) : value} ${currency ?? ""}`.trim();
};

/** A name of Mastercard's API as words: `UPDATE_AUTHORIZATION` is "Update authorization". */
export const words = (name) => {
  const text = `${name}`.replaceAll("_", " ").toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
};
