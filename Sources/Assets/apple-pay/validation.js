/**
 * What Safari checks of requests and updates after their conversion, in Safari's order and with its texts.
 * Source: WebKit, ApplePaySession.cpp, ApplePayRequestBase.cpp, PaymentRequestValidator.mm.
 */
const validation = {
  /** @throws TypeError unless `amount` is a decimal amount. */
  amount(amount) {
    if (!isAmount(amount)) throw new TypeError(`"${amount ?? ""}" is not a valid amount.`);
  },

  url(url) {
    if (!isURL(url)) throw new TypeError(`"${url}" is not a valid URL.`);
  },

  total(total) {
    this.amount(total.amount);
    if (total.label === undefined) throw new TypeError("Missing total label.");
    if (Number(total.amount) < 0) throw new TypeError("Total amount must not be negative.");
    if (Number(total.amount) > 100000000) throw new TypeError("Total amount is too big.");
  },

  /** A line item that is pending needs no amount. */
  lineItems(items = []) {
    for (const item of items) {
      if (item.type !== "pending") this.amount(item.amount);
    }
  },

  shippingMethods(methods = []) {
    for (const method of methods) this.amount(method.amount);
  },

  billing(name, article, timing, item) {
    if (item.paymentTiming !== timing) throw new TypeError(`'${name}' must be ${article} '${timing}' line item.`);
    if (item.label === undefined) throw new TypeError(`Missing label for '${name}'.`);
    if (item.type !== "pending") this.amount(item.amount);
  },

  recurring(request) {
    this.billing("regularBilling", "a", "recurring", request.regularBilling);
    if (request.trialBilling) this.billing("trialBilling", "a", "recurring", request.trialBilling);
    this.url(request.managementURL);
    if (request.tokenNotificationURL !== undefined) this.url(request.tokenNotificationURL);
  },

  automaticReload(request) {
    const item = request.automaticReloadBilling;
    this.billing("automaticReloadBilling", "an", "automaticReload", item);
    const threshold = item.automaticReloadPaymentThresholdAmount;
    if (!isAmount(threshold)) {
      throw new TypeError(`"${threshold ?? ""}" is not a valid automaticReloadPaymentThresholdAmount.`);
    }
    this.url(request.managementURL);
    if (request.tokenNotificationURL !== undefined) this.url(request.tokenNotificationURL);
  },

  deferred(request) {
    this.billing("deferredBilling", "a", "deferred", request.deferredBilling);
    this.url(request.managementURL);
    const {freeCancellationDate: end, freeCancellationDateTimeZone: zone} = request;
    if (end === undefined || Number.isNaN(end.getTime())) {
      if (zone) throw new TypeError("Unexpected 'freeCancellationDateTimeZone' when 'freeCancellationDate' is not set.");
    } else if (!zone) {
      throw new TypeError("Missing 'freeCancellationDateTimeZone' when 'freeCancellationDate' is set.");
    } else if (!isTimeZone(zone)) {
      throw new TypeError(`"${zone}" is not a valid time zone.`);
    }
    if (!request.paymentDescription) throw new TypeError("Missing 'paymentDescription'.");
    if (request.tokenNotificationURL !== undefined) this.url(request.tokenNotificationURL);
  },

  /** Recurring, automatic reload and deferred payments, and payments for several merchants. */
  agreements({recurringPaymentRequest, automaticReloadPaymentRequest, multiTokenContexts, deferredPaymentRequest}) {
    if (recurringPaymentRequest) this.recurring(recurringPaymentRequest);
    if (automaticReloadPaymentRequest) this.automaticReload(automaticReloadPaymentRequest);
    for (const context of multiTokenContexts ?? []) this.amount(context.amount);
    if (deferredPaymentRequest) this.deferred(deferredPaymentRequest);
  },

  countryCode(code) {
    if (!isCountryCode(code)) throw new TypeError(`"${code}" is not a valid country code.`);
  },

  /** What requests of both interfaces have. Network names become the wallet's. */
  base(version, request) {
    if (version < 1 || version > highestVersion) throw invalidAccess(`"${version}" is not a supported version.`);
    if (request.merchantCapabilities.length === 0) {
      throw new TypeError("At least one merchant capability must be provided.");
    }
    if (request.supportedNetworks.length === 0) throw new TypeError("At least one supported network must be provided.");
    request.supportedNetworks = request.supportedNetworks.map((name) => {
      const network = paymentNetwork(name, version);
      if (network === undefined) throw new TypeError(`"${name}" is not a valid payment network.`);
      return network;
    });
    for (const fields of [request.requiredBillingContactFields, request.requiredShippingContactFields]) {
      if (version < 3 && fields?.includes("phoneticName")) throw new TypeError('"phoneticName" is not a valid contact field.');
    }
    if (version < 3) delete request.supportedCountries;
  },

  /** What is checked of a whole request, after its parts. */
  whole(request) {
    this.countryCode(request.countryCode);
    if (!isCurrencyCode(request.currencyCode)) {
      throw new TypeError(`"${request.currencyCode}" is not a valid currency code.`);
    }
    this.total(request.total);
    for (const method of request.shippingMethods ?? []) {
      if (Number(method.amount) < 0) {
        throw new TypeError("Shipping method amount must be greater than or equal to zero.");
      }
    }
    for (const code of request.supportedCountries ?? []) this.countryCode(code);
  },

  /** The request of an ApplePaySession. */
  paymentRequest(version, request) {
    this.base(version, request);
    this.total(request.total);
    this.lineItems(request.lineItems);
    this.shippingMethods(request.shippingMethods);
    this.agreements(request);
    this.whole(request);
  },

  /** An answer to a selection. */
  update(update) {
    this.shippingMethods(update.newShippingMethods);
    this.total(update.newTotal);
    this.lineItems(update.newLineItems);
    this.agreements({
      recurringPaymentRequest: update.newRecurringPaymentRequest,
      automaticReloadPaymentRequest: update.newAutomaticReloadPaymentRequest,
      multiTokenContexts: update.newMultiTokenContexts,
      deferredPaymentRequest: update.newDeferredPaymentRequest,
    });
  },
};
