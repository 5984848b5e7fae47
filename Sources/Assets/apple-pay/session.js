/** The states of an ApplePaySession; the names are WebKit's. */
const sessionStates = {
  idle: "idle", active: "active", authorized: "authorized", paymentMethodSelected: "paymentMethodSelected",
  shippingContactSelected: "shippingContactSelected", shippingMethodSelected: "shippingMethodSelected",
  couponCodeChanged: "couponCodeChanged", completed: "completed", aborted: "aborted", canceled: "canceled",
};

/** What every session of the page uses: `{gateway, controls}`. Set when the script is installed. */
let environment = null;

/**
 * Apple Pay JS: one payment. A drop-in for Safari's class.
 * Source: WebKit, ApplePaySession.cpp; Apple, ApplePaySession.
 */
class ApplePaySession extends ListenedTarget {
  #state = sessionStates.idle;
  #isValidating = false;
  #version;
  #request;
  #payment = null;

  constructor(version, paymentRequest) {
    requireArguments(arguments, 2);
    super();
    this.#version = conversion.unsignedLong(version);
    this.#request = dictionaries.paymentRequest(paymentRequest);
    requirePaymentPermission();
    if (!isUserGesture()) throw invalidAccess("Must create a new ApplePaySession from a user gesture handler.");
    validation.paymentRequest(this.#version, this.#request);
    for (const message of newerThan(this.#version, this.#request)) {
      console.warn(`Apple Pay (sandbox): ${message}`);
      Controls.report(environment.controls, "warning", {message});
    }
  }

  static supportsVersion(version) {
    requireArguments(arguments, 1);
    const number = conversion.unsignedLong(version);
    if (number === 0) throw invalidAccess();
    requirePaymentPermission();
    return number <= highestVersion;
  }

  static canMakePayments() {
    requirePaymentPermission();
    return true;
  }

  static async canMakePaymentsWithActiveCard(merchantIdentifier) {
    requireArguments(arguments, 1);
    requirePaymentPermission();
    return true;
  }

  static async applePayCapabilities(merchantIdentifier) {
    requireArguments(arguments, 1);
    requirePaymentPermission();
    return {paymentCredentialStatus: "paymentCredentialsAvailable"};
  }

  /** The sandbox's wallet needs no setup. */
  static async openPaymentSetup(merchantIdentifier) {
    requireArguments(arguments, 1);
    requirePaymentPermission();
    if (!isUserGesture()) throw invalidAccess("Must call ApplePaySession.openPaymentSetup from a user gesture handler.");
    return true;
  }

  begin() {
    if (this.#state !== sessionStates.idle) throw invalidAccess("Payment session is already active.");
    if (Payment.active) throw invalidAccess("Page already has an active payment session.");
    this.#payment = new Payment(this.#page(), this.#version, this.#request, environment);
    this.#state = sessionStates.active;
    this.#payment.begin();
  }

  abort() {
    const {idle, aborted, completed, canceled} = sessionStates;
    if ([idle, aborted, completed, canceled].includes(this.#state)) throw invalidAccess();
    this.#state = aborted;
    this.#payment.close();
  }

  completeMerchantValidation(merchantSession) {
    requireArguments(arguments, 1);
    if (this.#state !== sessionStates.active || !this.#isValidating) throw invalidAccess();
    if (merchantSession === null || typeof merchantSession !== "object") throw new TypeError("Type error");
    this.#isValidating = false;
    this.#payment.answer(merchantSession);
  }

  completePaymentMethodSelection(update, newLineItems) {
    requireArguments(arguments, 1);
    const given = arguments.length > 1 ? {newTotal: update, newLineItems} : update;
    this.#complete(sessionStates.paymentMethodSelected, dictionaries.paymentMethodUpdate(given));
  }

  completeShippingContactSelection(update, newShippingMethods, newTotal, newLineItems) {
    requireArguments(arguments, 1);
    if (arguments.length === 1) {
      this.#complete(sessionStates.shippingContactSelected, dictionaries.shippingContactUpdate(update));
      return;
    }
    requireArguments(arguments, 4);
    const errors = ApplePaySession.#errors(update);
    this.#complete(sessionStates.shippingContactSelected,
      dictionaries.shippingContactUpdate({errors, newShippingMethods, newTotal, newLineItems}));
  }

  completeShippingMethodSelection(update, newTotal, newLineItems) {
    requireArguments(arguments, 1);
    if (arguments.length === 1) {
      this.#complete(sessionStates.shippingMethodSelected, dictionaries.shippingMethodUpdate(update));
      return;
    }
    requireArguments(arguments, 3);
    const converted = dictionaries.shippingMethodUpdate({newTotal, newLineItems});
    if (this.#state !== sessionStates.shippingMethodSelected) throw invalidAccess();
    // Safari has no way to show why a method is refused, and ends the payment.
    if (ApplePaySession.#errors(update).length > 0) this.#payment.cancel();
    else this.#complete(sessionStates.shippingMethodSelected, converted);
  }

  completeCouponCodeChange(update) {
    requireArguments(arguments, 1);
    this.#complete(sessionStates.couponCodeChanged, dictionaries.couponCodeUpdate(update));
  }

  /** Success ends the session; so does a failure without errors. With errors the payer can try again. */
  completePayment(result) {
    requireArguments(arguments, 1);
    const given = result !== null && typeof result === "object" ? result : {status: result};
    const converted = dictionaries.authorizationResult(given);
    if (this.#state !== sessionStates.authorized) throw invalidAccess();
    const errors = [...ApplePaySession.#errors(converted.status).filter(() => converted.status > 1), ...converted.errors];
    if (converted.orderDetails) validation.url(converted.orderDetails.webServiceURL);
    const isFinal = errors.length === 0;
    this.#state = isFinal ? sessionStates.completed : sessionStates.active;
    this.#payment.answer({status: converted.status, errors, isFinal});
  }

  #complete(state, update) {
    if (this.#state !== state) throw invalidAccess();
    validation.update(update);
    this.#state = sessionStates.active;
    this.#payment.answer(update);
  }

  /** The errors that a status stands for. */
  static #errors(status) {
    const code = conversion.unsignedShort(status);
    switch (code) {
    case ApplePaySession.STATUS_SUCCESS: return [];
    case ApplePaySession.STATUS_INVALID_BILLING_POSTAL_ADDRESS: return [new ApplePayError("billingContactInvalid")];
    case ApplePaySession.STATUS_INVALID_SHIPPING_POSTAL_ADDRESS:
      return [new ApplePayError("shippingContactInvalid", "postalAddress")];
    case ApplePaySession.STATUS_INVALID_SHIPPING_CONTACT: return [new ApplePayError("shippingContactInvalid")];
    case ApplePaySession.STATUS_PIN_REQUIRED: return [new ApplePayError("unknown", undefined, "A PIN is required.")];
    case ApplePaySession.STATUS_PIN_INCORRECT: return [new ApplePayError("unknown", undefined, "The PIN is incorrect.")];
    case ApplePaySession.STATUS_PIN_LOCKOUT: return [new ApplePayError("unknown", undefined, "The PIN is locked.")];
    case ApplePaySession.STATUS_FAILURE: return [new ApplePayError("unknown")];
    default: throw invalidAccess();
    }
  }

  /** Reports what the payer does as events. A selection that nobody listens to changes nothing. */
  #page() {
    const send = (type, members) => {
      Controls.report(environment.controls, type, members);
      this.dispatchEvent(eventWith(type, members));
    };
    const select = (state, type, members) => {
      if (!ListenedTarget.hears(this, type)) {
        this.#payment.answer(null);
        return;
      }
      this.#state = state;
      send(type, members);
    };
    return {
      validateMerchant: (validationURL) => {
        this.#isValidating = true;
        send("validatemerchant", {validationURL});
      },
      selectPaymentMethod: (paymentMethod) =>
        select(sessionStates.paymentMethodSelected, "paymentmethodselected", {paymentMethod}),
      selectShippingContact: (shippingContact) =>
        select(sessionStates.shippingContactSelected, "shippingcontactselected", {shippingContact}),
      selectShippingMethod: (shippingMethod) =>
        select(sessionStates.shippingMethodSelected, "shippingmethodselected", {shippingMethod}),
      changeCouponCode: (couponCode) => select(sessionStates.couponCodeChanged, "couponcodechanged", {couponCode}),
      authorize: (payment) => {
        this.#state = sessionStates.authorized;
        send("paymentauthorized", {payment});
      },
      cancel: () => {
        this.#state = sessionStates.canceled;
        send("cancel", {sessionError: {code: "unknown", info: {}}});
      },
    };
  }
}

ListenedTarget.defineHandlers(ApplePaySession, [
  "validatemerchant", "paymentmethodselected", "paymentauthorized", "shippingmethodselected", "shippingcontactselected",
  "couponcodechanged", "cancel",
]);

[
  "STATUS_SUCCESS", "STATUS_FAILURE", "STATUS_INVALID_BILLING_POSTAL_ADDRESS", "STATUS_INVALID_SHIPPING_POSTAL_ADDRESS",
  "STATUS_INVALID_SHIPPING_CONTACT", "STATUS_PIN_REQUIRED", "STATUS_PIN_INCORRECT", "STATUS_PIN_LOCKOUT",
].forEach((name, value) => {
  Object.defineProperty(ApplePaySession, name, {value, enumerable: true});
  Object.defineProperty(ApplePaySession.prototype, name, {value, enumerable: true});
});
