/** The postal address of a payment request. Source: W3C, Contact Picker API, ContactAddress. */
class PaymentAddress {
  constructor(contact) {
    Object.assign(this, {
      country: contact.countryCode ?? "", addressLine: contact.addressLines ?? [], region: contact.administrativeArea ?? "",
      city: contact.locality ?? "", dependentLocality: contact.subLocality ?? "", postalCode: contact.postalCode ?? "",
      sortingCode: "", organization: "", recipient: fullName(contact), phone: contact.phoneNumber ?? "",
    });
    Object.freeze(this);
  }

  toJSON() {
    return {...this};
  }
}

/** What `show()` of a payment request resolves to. */
class ApplePayPaymentResponse extends ListenedTarget {
  #actions;
  #isComplete = false;
  #retry = null;

  /** @param actions Functions that answer the payment: `complete(result, details)` and `retry(errors)`. */
  constructor(requestId, actions) {
    super();
    this.requestId = requestId;
    this.#actions = actions;
  }

  /** Takes over what the payer has authorized, and ends a retry. */
  static accept(response, members) {
    Object.assign(response, members);
    response.#retry?.resolve();
    response.#retry = null;
  }

  /** The payment has ended without the page. */
  static end(response, error) {
    response.#isComplete = true;
    response.#retry?.reject(error);
    response.#retry = null;
  }

  async complete(result = "unknown", details) {
    const converted = paymentDictionaries.completion(result);
    if (this.#isComplete || this.#retry) throw invalidState();
    const orderDetails = details?.data?.orderDetails;
    if (orderDetails) validation.url(orderDetails.webServiceURL);
    this.#isComplete = true;
    this.#actions.complete(converted);
  }

  async retry(errors) {
    const converted = paymentDictionaries.retry(errors);
    if (this.#isComplete || this.#retry) throw invalidState();
    const retried = new Promise((resolve, reject) => { this.#retry = {resolve, reject}; });
    this.#actions.retry(converted);
    return retried;
  }

  toJSON() {
    const {requestId, methodName, details, shippingAddress, shippingOption, payerName, payerEmail, payerPhone} = this;
    return {requestId, methodName, details, shippingAddress, shippingOption, payerName, payerEmail, payerPhone};
  }
}

ListenedTarget.defineHandlers(ApplePayPaymentResponse, ["payerdetailchange"]);
