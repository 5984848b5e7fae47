/** The dictionaries of Apple Pay on the Web. Source: WebKit's IDL files and Apple's documentation of version 14. */
const dictionaries = (() => {
  const {string, boolean, unsignedLong, unsignedShort, date, enumeration, sequence, instance, dictionary} = conversion;
  const stringRequired = {required: "DOMString"};

  const lineItem = dictionary("ApplePayLineItem", [
    ["amount", string],
    ["automaticReloadPaymentThresholdAmount", string],
    ["deferredPaymentDate", date],
    ["label", string],
    ["paymentTiming", enumeration("immediate", "recurring", "deferred", "automaticReload"), {initial: "immediate"}],
    ["recurringPaymentEndDate", date],
    ["recurringPaymentIntervalCount", unsignedLong, {initial: 1}],
    ["recurringPaymentIntervalUnit", enumeration("year", "month", "day", "hour", "minute"), {initial: "month"}],
    ["recurringPaymentStartDate", date],
    ["type", enumeration("pending", "final"), {initial: "final"}],
  ]);
  const lineItemRequired = {required: "ApplePayLineItem"};

  const dateComponents = dictionary("ApplePayDateComponents", ["days", "hours", "months", "years"].map((n) => [n, unsignedLong]));
  const shippingMethod = dictionary("ApplePayShippingMethod", [
    ["amount", string, stringRequired],
    ["dateComponentsRange", dictionary("ApplePayDateComponentsRange", [
      ["endDateComponents", dateComponents], ["startDateComponents", dateComponents],
    ])],
    ["detail", string, stringRequired],
    ["identifier", string, stringRequired],
    ["label", string, stringRequired],
    ["selected", boolean],
  ]);

  const contact = dictionary("ApplePayPaymentContact", [
    ["addressLines", sequence(string)],
    ...[
      "administrativeArea", "country", "countryCode", "emailAddress", "familyName", "givenName", "locality", "phoneNumber",
      "phoneticFamilyName", "phoneticGivenName", "postalCode", "subAdministrativeArea", "subLocality",
    ].map((name) => [name, string]),
  ]);
  const contactFields = sequence(enumeration("email", "name", "phone", "phoneticName", "postalAddress"));

  const agreementURLs = [["managementURL", string, stringRequired]];
  const recurring = dictionary("ApplePayRecurringPaymentRequest", [
    ["billingAgreement", string],
    ...agreementURLs,
    ["paymentDescription", string, stringRequired],
    ["regularBilling", lineItem, lineItemRequired],
    ["tokenNotificationURL", string],
    ["trialBilling", lineItem],
  ]);
  const automaticReload = dictionary("ApplePayAutomaticReloadPaymentRequest", [
    ["automaticReloadBilling", lineItem, lineItemRequired],
    ["billingAgreement", string],
    ...agreementURLs,
    ["paymentDescription", string, stringRequired],
    ["tokenNotificationURL", string],
  ]);
  const deferred = dictionary("ApplePayDeferredPaymentRequest", [
    ["billingAgreement", string],
    ["deferredBilling", lineItem, lineItemRequired],
    ["freeCancellationDate", date],
    ["freeCancellationDateTimeZone", string],
    ...agreementURLs,
    ["paymentDescription", string, stringRequired],
    ["tokenNotificationURL", string],
  ]);
  const tokenContext = dictionary("ApplePayPaymentTokenContext", [
    ["amount", string, stringRequired],
    ["externalIdentifier", string, stringRequired],
    ["merchantDomain", string],
    ["merchantIdentifier", string, stringRequired],
    ["merchantName", string, stringRequired],
  ]);

  const base = [
    ["applicationData", string],
    ["billingContact", contact],
    ["countryCode", string, stringRequired],
    ["couponCode", string],
    ["merchantCapabilities", sequence(enumeration("supports3DS", "supportsEMV", "supportsCredit", "supportsDebit")),
      {required: "sequence"}],
    ["requiredBillingContactFields", contactFields],
    ["requiredShippingContactFields", contactFields],
    ["shippingContact", contact],
    ["shippingContactEditingMode", enumeration("available", "enabled", "storePickup")],
    ["supportedCountries", sequence(string)],
    ["supportedNetworks", sequence(string), {required: "sequence"}],
    ["supportsCouponCode", boolean],
  ];
  const agreements = {
    automaticReloadPaymentRequest: automaticReload, deferredPaymentRequest: deferred,
    multiTokenContexts: sequence(tokenContext), recurringPaymentRequest: recurring,
  };
  const errors = ["errors", sequence(instance(ApplePayError))];
  const shippingMethods = ["newShippingMethods", sequence(shippingMethod)];
  const update = (name, ...members) => dictionary(name, [
    ["newAutomaticReloadPaymentRequest", automaticReload],
    ["newDeferredPaymentRequest", deferred],
    ["newLineItems", sequence(lineItem), {initial: []}],
    ["newMultiTokenContexts", sequence(tokenContext)],
    ["newRecurringPaymentRequest", recurring],
    ["newTotal", lineItem, lineItemRequired],
    ...members,
  ]);

  return {
    lineItem, shippingMethod, contact,
    /** The request of an ApplePaySession. */
    paymentRequest: dictionary("ApplePayPaymentRequest", [
      ...base,
      ["automaticReloadPaymentRequest", automaticReload],
      ["currencyCode", string, stringRequired],
      ["deferredPaymentRequest", deferred],
      ["lineItems", sequence(lineItem)],
      ["multiTokenContexts", agreements.multiTokenContexts],
      ["recurringPaymentRequest", recurring],
      ["shippingMethods", sequence(shippingMethod)],
      ["shippingType", enumeration("shipping", "delivery", "storePickup", "servicePickup"), {initial: "shipping"}],
      ["total", lineItem, lineItemRequired],
    ]),
    /** The data of a payment method of a PaymentRequest. */
    methodData: dictionary("ApplePayRequest", [
      ...base, ["merchantIdentifier", string, stringRequired], ["version", unsignedLong, {required: "unsigned long"}],
    ]),
    /** The data of a modifier of a PaymentRequest. */
    modifier: dictionary("ApplePayModifier", [
      ["additionalLineItems", sequence(lineItem), {initial: []}],
      ["additionalShippingMethods", sequence(shippingMethod), {initial: []}],
      ["automaticReloadPaymentRequest", automaticReload],
      ["deferredPaymentRequest", deferred],
      ["multiTokenContexts", agreements.multiTokenContexts],
      ["paymentMethodType", enumeration("debit", "credit", "prepaid", "store")],
      ["recurringPaymentRequest", recurring],
      ["total", lineItem],
    ]),
    paymentMethodUpdate: update("ApplePayPaymentMethodUpdate", errors, shippingMethods),
    shippingContactUpdate: update("ApplePayShippingContactUpdate", errors, shippingMethods),
    shippingMethodUpdate: update("ApplePayShippingMethodUpdate", shippingMethods),
    couponCodeUpdate: update("ApplePayCouponCodeUpdate", errors, shippingMethods),
    authorizationResult: dictionary("ApplePayPaymentAuthorizationResult", [
      ["errors", sequence(instance(ApplePayError)), {initial: []}],
      ["orderDetails", dictionary("ApplePayPaymentOrderDetails", [
        ["authenticationToken", string, stringRequired], ["orderIdentifier", string, stringRequired],
        ["orderTypeIdentifier", string, stringRequired], ["webServiceURL", string, stringRequired],
      ])],
      ["status", unsignedShort, {required: "unsigned short"}],
    ]),
  };
})();
