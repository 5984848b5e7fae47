"use strict";

/*
 * A checkout as a shop writes it for Safari, in the order of Apple's TN3174. The page's address chooses what it asks for:
 * ?amount=, ?currency=, ?shipping, ?coupon, ?agreement=, ?version=, ?domain=.
 */
const address = new URLSearchParams(location.search);
const events = [];
const outcome = document.querySelector("#outcome");
let total = address.get("amount") ?? "5656.00";

function lineItem(amount) {
  return {label: address.get("label") ?? "Example shop", type: "final", amount};
}

const agreements = {
  recurring: {recurringPaymentRequest: {
    paymentDescription: "Coffee, monthly", managementURL: "https://shop.example.com/subscription",
    regularBilling: {label: "Coffee", amount: "9.00", paymentTiming: "recurring"},
  }},
  automaticReload: {automaticReloadPaymentRequest: {
    paymentDescription: "Coffee card", managementURL: "https://shop.example.com/card",
    automaticReloadBilling: {
      label: "Coffee card", amount: "20.00", paymentTiming: "automaticReload", automaticReloadPaymentThresholdAmount: "5.00",
    },
  }},
  deferred: {deferredPaymentRequest: {
    paymentDescription: "Room", managementURL: "https://shop.example.com/room",
    deferredBilling: {label: "Room", amount: "99.00", paymentTiming: "deferred", deferredPaymentDate: new Date("2030-01-01")},
  }},
  multiToken: {multiTokenContexts: [
    {merchantIdentifier: "merchant.com.example.air", externalIdentifier: "air-1", merchantName: "Air", amount: "56.00"},
    {merchantIdentifier: "merchant.com.example.hotel", externalIdentifier: "hotel-1", merchantName: "Hotel", amount: "5600.00"},
  ]},
};

function paymentRequest() {
  return {
    countryCode: "US", currencyCode: address.get("currency") ?? "USD",
    supportedNetworks: (address.get("networks") ?? "visa,masterCard,amex,discover").split(","),
    merchantCapabilities: ["supports3DS"], total: lineItem(total), lineItems: [{label: "Coffee", amount: total}],
    applicationData: address.get("applicationData") ?? undefined,
    ...(address.has("shipping") && {
      requiredShippingContactFields: ["postalAddress", "name", "email", "phone"], shippingType: "shipping",
      shippingMethods: [
        {label: "Standard", detail: "a week", amount: "0.00", identifier: "standard"},
        {label: "Express", detail: "tomorrow", amount: "10.00", identifier: "express"},
      ],
    }),
    ...(address.has("billing") && {requiredBillingContactFields: ["postalAddress", "name"]}),
    ...(address.has("coupon") && {supportsCouponCode: true}),
    ...agreements[address.get("agreement")],
  };
}

/** Shows what happened, for the test. */
function note(event, detail) {
  events.push([event.type, detail]);
  document.querySelector("#events").textContent = JSON.stringify(events);
}

async function post(path, body) {
  const response = await fetch(path, {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body)});
  return response.json();
}

function pay() {
  const session = new ApplePaySession(Number(address.get("version") ?? 14), paymentRequest());

  session.onvalidatemerchant = async (event) => {
    note(event);
    session.completeMerchantValidation(
      await post("/validate", {url: event.validationURL, domain: address.get("domain") ?? location.hostname}));
  };
  session.onpaymentmethodselected = (event) => {
    note(event, event.paymentMethod);
    session.completePaymentMethodSelection({newTotal: lineItem(total)});
  };
  session.onshippingcontactselected = (event) => {
    note(event, event.shippingContact);
    const isServed = event.shippingContact.countryCode === "US";
    session.completeShippingContactSelection({
      newTotal: lineItem(total),
      errors: isServed ? [] : [new ApplePayError("addressUnserviceable", "countryCode", "We ship within the US only.")],
    });
  };
  session.onshippingmethodselected = (event) => {
    note(event, event.shippingMethod);
    total = event.shippingMethod.identifier === "express" ? "5666.00" : "5656.00";
    session.completeShippingMethodSelection({newTotal: lineItem(total)});
  };
  session.oncouponcodechanged = (event) => {
    note(event, event.couponCode);
    const isValid = event.couponCode === "SAVE";
    total = isValid ? "5600.00" : total;
    session.completeCouponCodeChange({
      newTotal: lineItem(total),
      errors: isValid ? [] : [new ApplePayError("couponCodeInvalid", undefined, "There is no such coupon.")],
    });
  };
  session.onpaymentauthorized = async (event) => {
    const {token, billingContact, shippingContact} = event.payment;
    note(event, {billingContact, shippingContact, method: token.paymentMethod, identifier: token.transactionIdentifier});
    const answer = await post("/pay", {token, amount: total, currency: paymentRequest().currencyCode});
    session.completePayment(answer.result === "SUCCESS" ? ApplePaySession.STATUS_SUCCESS : ApplePaySession.STATUS_FAILURE);
    outcome.textContent = JSON.stringify(answer);
  };
  session.oncancel = (event) => {
    note(event, event.sessionError);
    outcome.textContent = JSON.stringify({cancelled: event.sessionError.code});
  };
  session.begin();
}

document.querySelector("#apple-pay").addEventListener("click", pay);
