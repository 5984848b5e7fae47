"use strict";

/*
 * The checkout by the Payment Request API, as a shop writes it for Safari. The page's address chooses what it asks for:
 * ?amount=, ?shipping, ?coupon, ?modifier, ?domain=, ?retry, ?complete=, ?applicationData=, ?agreement=multiToken.
 */
const address = new URLSearchParams(location.search);
const events = [];
const outcome = document.querySelector("#outcome");
let value = address.get("amount") ?? "5656.00";

function amountOf(text) {
  return {currency: "USD", value: text};
}

function total() {
  return {label: "Example shop", amount: amountOf(value)};
}

const shippingOptions = [
  {id: "standard", label: "Standard", amount: amountOf("0.00")},
  {id: "express", label: "Express", amount: amountOf("10.00")},
];

function note(event, detail) {
  events.push([event.type, detail]);
  document.querySelector("#events").textContent = JSON.stringify(events);
}

async function post(path, body) {
  const response = await fetch(path, {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body)});
  return response.json();
}

function newRequest() {
  const method = {
    supportedMethods: "https://apple.com/apple-pay",
    data: {
      version: 14, merchantIdentifier: "merchant.com.example.sandbox", merchantCapabilities: ["supports3DS"],
      supportedNetworks: ["visa", "masterCard", "amex", "discover"], countryCode: "US",
      ...(address.has("coupon") && {supportsCouponCode: true}),
      ...(address.has("applicationData") && {applicationData: address.get("applicationData")}),
    },
  };
  const details = {
    total: total(), displayItems: [{label: "Coffee", amount: amountOf(value)}],
    ...(address.has("shipping") && {shippingOptions}),
    ...(address.has("modifier") && {modifiers: [{
      supportedMethods: "https://apple.com/apple-pay", total: {label: "Example shop", amount: amountOf("5600.00")},
      data: {additionalLineItems: [{label: "Discount", amount: "-56.00"}]},
    }]}),
    ...(address.get("agreement") === "multiToken" && {modifiers: [{
      supportedMethods: "https://apple.com/apple-pay", data: {multiTokenContexts: [
        {merchantIdentifier: "merchant.com.example.air", externalIdentifier: "air-1", merchantName: "Air", amount: "56.00"},
        {merchantIdentifier: "merchant.com.example.hotel", externalIdentifier: "hotel-1", merchantName: "Hotel", amount: "5600.00"},
      ]},
    }]}),
  };
  const options = address.has("shipping") ? {requestShipping: true, requestPayerName: true, requestPayerEmail: true} : {};
  const request = new PaymentRequest([method], details, options);
  request.onmerchantvalidation = (event) => {
    note(event, event.methodName);
    event.complete(post("/validate", {url: event.validationURL, domain: address.get("domain") ?? location.hostname}));
  };
  request.onpaymentmethodchange = (event) => {
    note(event, event.methodDetails);
    if (event.methodDetails.couponCode === "SAVE") value = "5600.00";
    event.updateWith(Promise.resolve({total: total()}));
  };
  request.onshippingaddresschange = (event) => {
    note(event, request.shippingAddress);
    const isServed = request.shippingAddress.country === "US";
    event.updateWith(isServed
      ? {total: total(), shippingOptions}
      : {
        total: total(), shippingOptions: [], error: "We ship within the US only.",
        shippingAddressErrors: {country: "Not served."},
      });
  };
  request.onshippingoptionchange = (event) => {
    note(event, request.shippingOption);
    value = request.shippingOption === "express" ? "5666.00" : "5656.00";
    event.updateWith({total: total()});
  };
  return request;
}

async function pay() {
  try {
    const response = await newRequest().show();
    note({type: "response"}, response.toJSON());
    if (address.has("retry")) {
      await response.retry({error: "Try once more.", shippingAddress: {city: "The city is wrong."}});
      note({type: "retried"}, response.toJSON());
    }
    const amount = address.has("modifier") ? "5600.00" : value;
    const answer = await post("/pay", {token: response.details.token, amount, currency: "USD"});
    await response.complete(address.get("complete") ?? (answer.result === "SUCCESS" ? "success" : "fail"));
    outcome.textContent = JSON.stringify(answer);
  } catch (error) {
    outcome.textContent = JSON.stringify({error: `${error.name}: ${error.message}`});
  }
}

document.querySelector("#apple-pay").addEventListener("click", pay);
