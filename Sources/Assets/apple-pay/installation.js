/**
 * The parts of the script's own URL: the gateway's origin, and the outcome of `?auto=`. A page that got the script otherwise,
 * such as by a test's route, names the gateway in `window.tollgateApplePay.gateway` before.
 */
function settingsOfScript(given) {
  const source = document.currentScript?.src ? new URL(document.currentScript.src) : null;
  const gateway = given.gateway ?? source?.origin;
  if (!gateway) {
    throw new Error("Tollgate's apple-pay.js does not know its gateway: load it by <script src=…>, neither as a module nor " +
      "inline, or set window.tollgateApplePay = {gateway: \"http://…\"} before.");
  }
  return {gateway: new URL(gateway).origin, outcome: given.outcome ?? given.mode ?? source?.searchParams.get("auto") ?? null};
}

/** Replaces a global of the window. */
function installGlobal(name, value) {
  Object.defineProperty(window, name, {value, configurable: true, writable: true});
}

/** Takes over payment requests for Apple Pay, and leaves all others to the browser. */
function installPaymentRequest(Native) {
  const handles = (methods) => {
    try {
      return Array.from(methods).some((method) => isApplePayMethod(method?.supportedMethods));
    } catch {
      return false;
    }
  };
  if (!Native) {
    installGlobal("PaymentRequest", ApplePayPaymentRequest);
    return;
  }
  installGlobal("PaymentRequest", new Proxy(Native, {
    construct: (target, given, newTarget) =>
      handles(given[0]) ? new ApplePayPaymentRequest(...given) : Reflect.construct(target, given, newTarget),
    get: (target, name) => name === Symbol.hasInstance
      ? (value) => value instanceof ApplePayPaymentRequest || value instanceof target
      : Reflect.get(target, name),
  }));
}

/** What a page can choose in `window.tollgateApplePay` before the script is loaded, beside the gateway and the outcome. */
const choices = ["card", "contact", "billingContact", "defect", "delay"];

const installed = Symbol.for("tollgate.apple-pay");
if (!window[installed]) {
  const given = window.tollgateApplePay ?? {};
  const {gateway, outcome} = settingsOfScript(given);
  const controls = new Controls();
  controls.outcome = outcome;
  for (const choice of choices) {
    if (given[choice] !== undefined) controls[choice] = given[choice];
  }
  environment = {gateway: new Gateway(gateway), controls};
  Object.defineProperty(window, installed, {value: true});
  installGlobal("tollgateApplePay", controls);
  installGlobal("ApplePaySession", ApplePaySession);
  installGlobal("ApplePayError", ApplePayError);
  installPaymentRequest(window.PaymentRequest);
  if (!customElements.get("apple-pay-button")) customElements.define("apple-pay-button", ApplePayButton);
}
