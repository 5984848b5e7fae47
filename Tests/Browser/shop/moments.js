"use strict";

/* Calls of an ApplePaySession at chosen moments: ?scenario=. Each event and each exception becomes a line of the log. */
const scenario = new URLSearchParams(location.search).get("scenario");
const newTotal = {label: "Shop", amount: "10.00"};
const request = {
  countryCode: "US", currencyCode: "USD", supportedNetworks: ["visa", "masterCard"], merchantCapabilities: ["supports3DS"],
  total: newTotal,
};

function log(line) {
  const item = document.createElement("li");
  item.textContent = line;
  document.querySelector("#log").append(item);
}

/** Calls a method; only an exception is logged. */
function attempt(session, method, ...given) {
  try {
    session[method](...given);
  } catch (error) {
    log(`${method}: ${error.name}: ${error.message}`);
  }
}

async function merchantSession(validationURL) {
  const response = await fetch("/validate", {
    method: "POST", headers: {"Content-Type": "application/json"},
    body: JSON.stringify({url: validationURL, domain: location.hostname}),
  });
  return response.json();
}

/** A session that answers every event as it should, and logs it. */
function newSession(given = request) {
  const session = new ApplePaySession(14, given);
  session.onvalidatemerchant = async (event) => {
    log("validatemerchant");
    session.completeMerchantValidation(await merchantSession(event.validationURL));
  };
  session.onpaymentmethodselected = () => {
    log("paymentmethodselected");
    session.completePaymentMethodSelection({newTotal});
  };
  session.onpaymentauthorized = () => {
    log("paymentauthorized");
    session.completePayment({status: ApplePaySession.STATUS_SUCCESS});
  };
  session.oncancel = (event) => log(`cancel ${event.sessionError.code}`);
  return session;
}

/** A session whose handler of one event is another. */
function sessionWith(event, handler, given) {
  const session = newSession(given);
  session[`on${event}`] = (occurred) => {
    log(event);
    handler(session, occurred);
  };
  session.begin();
}

const shipping = {
  ...request, requiredShippingContactFields: ["postalAddress"],
};

const scenarios = {
  "begin-twice": () => {
    const session = newSession();
    session.onvalidatemerchant = null;
    session.begin();
    attempt(session, "begin");
  },
  "two-sessions": () => {
    const session = newSession();
    session.onvalidatemerchant = null;
    session.begin();
    attempt(newSession(), "begin");
  },
  "complete-before-begin": () => {
    const session = newSession();
    attempt(session, "completeMerchantValidation", {});
    for (const name of ["PaymentMethodSelection", "ShippingContactSelection", "ShippingMethodSelection", "CouponCodeChange"]) {
      attempt(session, `complete${name}`, {newTotal});
    }
    attempt(session, "completePayment", 0);
    attempt(session, "abort");
  },
  "merchant-validation-twice": () => sessionWith("validatemerchant", (session) => {
    session.onpaymentmethodselected = null;
    session.oncancel = null;
    session.completeMerchantValidation({});
    attempt(session, "completeMerchantValidation", {});
  }),
  "merchant-validation-without-object": () => sessionWith("validatemerchant",
    (session) => attempt(session, "completeMerchantValidation", "session")),
  "update-without-total": () => sessionWith("paymentmethodselected",
    (session) => attempt(session, "completePaymentMethodSelection", {})),
  "update-twice": () => sessionWith("paymentmethodselected", (session) => {
    session.completePaymentMethodSelection({newTotal});
    attempt(session, "completePaymentMethodSelection", {newTotal});
  }),
  "other-update": () => sessionWith("paymentmethodselected",
    (session) => attempt(session, "completeShippingMethodSelection", {newTotal})),
  "abort": () => sessionWith("validatemerchant", (session) => {
    session.abort();
    attempt(session, "abort");
    attempt(session, "completeMerchantValidation", {});
  }),
  "complete-twice": () => sessionWith("paymentauthorized", (session) => {
    session.completePayment(0);
    attempt(session, "completePayment", 0);
  }),
  "failure": () => sessionWith("paymentauthorized", (session) => session.completePayment({status: 1})),
  "failure-with-errors": () => sessionWith("paymentauthorized", (session) => session.completePayment(
    {status: 1, errors: [new ApplePayError("shippingContactInvalid", "locality", "The city is wrong.")]}), shipping),
  "status-3": () => sessionWith("paymentauthorized", (session) => session.completePayment(3), shipping),
  "no-listeners": () => {
    const session = newSession(shipping);
    session.onpaymentmethodselected = null;
    session.begin();
  },
  "no-answer-to-validation": () => sessionWith("validatemerchant", () => {}),
  "no-answer-to-method": () => sessionWith("paymentmethodselected", () => {}),
  "no-answer-to-payment": () => sessionWith("paymentauthorized", () => {}),
};

if (scenario === "without-gesture") {
  try {
    newSession();
  } catch (error) {
    log(`new: ${error.name}: ${error.message}`);
  }
} else {
  document.querySelector("#apple-pay").addEventListener("click", scenarios[scenario]);
}
