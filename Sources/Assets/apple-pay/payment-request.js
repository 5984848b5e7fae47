/** The identifier of Apple Pay as a payment method. */
const applePayMethod = "https://apple.com/apple-pay";

function isApplePayMethod(identifier) {
  return URL.parse(`${identifier}`)?.href === applePayMethod;
}

/** A payment request for Apple Pay. Source: W3C, Payment Request API; WebKit, ApplePayPaymentHandler.cpp. */
class ApplePayPaymentRequest extends ListenedTarget {
  /** The request that waits for the details of `show()`; null for none. */
  static #showing = null;

  #state = "created";
  #data;
  #details;
  #options;
  #payment = null;
  #shown = null;
  #response = null;
  #methodType = null;

  constructor(methodData, details, options) {
    requireArguments(arguments, 2);
    super();
    if (document.featurePolicy?.allowsFeature("payment") === false) {
      throw new DOMException("The payment feature is not enabled in this document.", "SecurityError");
    }
    const methods = paymentDictionaries.methods(methodData);
    this.#details = paymentDictionaries.initial(details);
    this.#options = paymentDictionaries.options(options);
    this.#data = dictionaries.methodData(methods.find((method) => isApplePayMethod(method.supportedMethods)).data);
    paymentDetails.check(this.#details);
    this.id = this.#details.id ?? crypto.randomUUID();
    this.shippingAddress = null;
    this.shippingType = this.#options.requestShipping ? this.#options.shippingType : null;
    this.shippingOption = this.#selectedOption();
  }

  async show(detailsPromise) {
    if (!isUserGesture()) throw new DOMException("show() must be triggered by user activation.", "SecurityError");
    if (this.#state !== "created") throw invalidState();
    if (Payment.active || ApplePayPaymentRequest.#showing) {
      this.#state = "closed";
      throw new DOMException("Another payment request is showing.", "AbortError");
    }
    this.#state = "interactive";
    const shown = new Promise((resolve, reject) => { this.#shown = {resolve, reject}; });
    if (detailsPromise === undefined) {
      this.#begin();
    } else {
      ApplePayPaymentRequest.#showing = this;
      this.#settle(detailsPromise, () => this.#begin());
    }
    return shown;
  }

  async abort() {
    if (this.#state !== "interactive" || this.#response) throw invalidState();
    this.#end(new DOMException("The operation was aborted.", "AbortError"));
  }

  async canMakePayment() {
    if (this.#state !== "created") throw invalidState();
    return true;
  }

  async hasEnrolledInstrument() {
    return this.canMakePayment();
  }

  /** Opens the sheet; what is wrong with the request rejects `show()`. */
  #begin() {
    ApplePayPaymentRequest.#showing = null;
    if (this.#state !== "interactive") return;
    try {
      requirePaymentPermission();
      validation.base(this.#data.version, this.#data);
      const update = this.#update();
      const request = {
        ...this.#data, currencyCode: this.#currency, total: update.newTotal, lineItems: update.newLineItems,
        shippingMethods: update.newShippingMethods, requiredShippingContactFields: this.#contactFields(),
      };
      validation.whole(request);
      this.#payment = new Payment(this.#page(), this.#data.version, request, environment);
      this.#payment.begin();
    } catch (error) {
      this.#end(error);
    }
  }

  /** Ends the request with an error. */
  #end(error) {
    ApplePayPaymentRequest.#showing = null;
    this.#state = "closed";
    this.#payment?.close();
    this.#shown?.reject(error);
    if (this.#response) ApplePayPaymentResponse.end(this.#response, error);
  }

  get #currency() {
    return this.#details.total.amount.currency;
  }

  /** The contact fields of the data and those that the options stand for. */
  #contactFields() {
    const {requestPayerEmail, requestPayerName, requestPayerPhone, requestShipping} = this.#options;
    const requests = {email: requestPayerEmail, name: requestPayerName, phone: requestPayerPhone, postalAddress: requestShipping};
    const requested = Object.entries(requests).filter(([, isRequested]) => isRequested);
    return [...new Set([...(this.#data.requiredShippingContactFields ?? []), ...requested.map(([field]) => field)])];
  }

  #selectedOption() {
    if (!this.#options.requestShipping) return null;
    const options = this.#details.shippingOptions ?? [];
    return (options.findLast((option) => option.selected) ?? options[0])?.id ?? null;
  }

  /** The first modifier for Apple Pay and for the type of the selected card; undefined for none. */
  #modifier() {
    for (const modifier of this.#details.modifiers ?? []) {
      if (!isApplePayMethod(modifier.supportedMethods) || modifier.data === undefined) continue;
      const data = dictionaries.modifier(modifier.data);
      validation.agreements(data);
      if (data.paymentMethodType === undefined || data.paymentMethodType === this.#methodType) return {...modifier, data};
    }
    return undefined;
  }

  /** The details as an update of the sheet. */
  #update(errors = []) {
    const {total, displayItems = [], shippingOptions = []} = this.#details;
    const modifier = this.#modifier();
    const data = modifier?.data ?? {};
    const item = (given) => paymentDetails.lineItem(given, this.#currency);
    const options = this.#options.requestShipping ? shippingOptions : [];
    return {
      newTotal: data.total ?? item(modifier?.total ?? total),
      newLineItems: [
        ...displayItems.map(item), ...(modifier?.additionalDisplayItems ?? []).map(item), ...(data.additionalLineItems ?? []),
      ],
      newShippingMethods: [
        ...options.map((option) => paymentDetails.shippingMethod(option, this.#currency, this.shippingOption)),
        ...(data.additionalShippingMethods ?? []),
      ],
      newRecurringPaymentRequest: data.recurringPaymentRequest, newDeferredPaymentRequest: data.deferredPaymentRequest,
      newAutomaticReloadPaymentRequest: data.automaticReloadPaymentRequest, newMultiTokenContexts: data.multiTokenContexts,
      errors,
    };
  }

  /** Waits for details of the page, takes them over, and goes on with their errors. */
  async #settle(promise, goOn) {
    try {
      let details;
      try {
        details = await promise;
      } catch {
        throw new DOMException("The page's details were rejected.", "AbortError");
      }
      if (this.#state !== "interactive") return;
      const update = paymentDictionaries.update(details);
      paymentDetails.check(update);
      for (const member of ["total", "displayItems", "shippingOptions", "modifiers"]) {
        if (update[member] !== undefined) this.#details[member] = update[member];
      }
      if (update.shippingOptions) this.shippingOption = this.#selectedOption();
      const hasOptions = (this.#details.shippingOptions ?? []).length > 0;
      goOn(paymentDetails.errors({
        ...(!hasOptions && this.#options.requestShipping && {error: update.error, address: update.shippingAddressErrors}),
        payer: update.payerErrors, method: update.paymentMethodErrors,
      }));
    } catch (error) {
      this.#end(error);
    }
  }

  /** Sends an event whose listener may update the details, and answers the payment with them. */
  #changed(type, members = {}) {
    const answer = (errors) => {
      const update = this.#update(errors);
      validation.update(update);
      this.#payment.answer(update);
    };
    let isDispatching = true;
    let promise = null;
    const event = eventWith(type, members);
    event.updateWith = (details) => {
      if (!isDispatching || promise) throw invalidState();
      event.stopImmediatePropagation();
      promise = Promise.resolve(details);
    };
    this.#send(event, members);
    isDispatching = false;
    this.#settle(promise ?? Promise.resolve({}), answer);
  }

  #send(event, members) {
    Controls.report(environment.controls, event.type, members);
    this.dispatchEvent(event);
  }

  #validateMerchant(validationURL) {
    let isComplete = false;
    const members = {methodName: applePayMethod, validationURL};
    const event = eventWith("merchantvalidation", members);
    event.complete = (session) => {
      if (isComplete || this.#state !== "interactive") throw invalidState();
      isComplete = true;
      Promise.resolve(session).then((merchantSession) => {
        if (merchantSession !== null && typeof merchantSession === "object") this.#payment.answer(merchantSession);
        else this.#end(new TypeError("Type error"));
      }, () => this.#end(new DOMException("The merchant validation was rejected.", "AbortError")));
    };
    this.#send(event, members);
  }

  #authorize(payment) {
    this.#response ??= new ApplePayPaymentResponse(this.id, {
      complete: (result) => {
        this.#state = "closed";
        this.#payment.answer({status: result === "success" ? 0 : 1, errors: [], isFinal: true});
      },
      retry: ({error, shippingAddress: address, payer, paymentMethod: method}) => {
        this.#state = "interactive";
        const errors = paymentDetails.errors({error, address, payer, method});
        this.#payment.answer({status: 1, errors: errors.length > 0 ? errors : [new ApplePayError("unknown")], isFinal: false});
      },
    });
    const {requestShipping, requestPayerName, requestPayerEmail, requestPayerPhone} = this.#options;
    const contact = payment.shippingContact ?? {};
    this.#state = "closed";
    if (requestShipping) this.shippingAddress = new PaymentAddress(contact);
    ApplePayPaymentResponse.accept(this.#response, {
      methodName: applePayMethod, details: payment, shippingAddress: requestShipping ? this.shippingAddress : null,
      shippingOption: requestShipping ? this.shippingOption : null, payerName: requestPayerName ? fullName(contact) : null,
      payerEmail: requestPayerEmail ? contact.emailAddress : null, payerPhone: requestPayerPhone ? contact.phoneNumber : null,
    });
    this.#shown.resolve(this.#response);
  }

  /** What the payment reports the payer's actions to. */
  #page() {
    const methodName = applePayMethod;
    return {
      validateMerchant: (url) => this.#validateMerchant(url),
      selectPaymentMethod: (methodDetails) => {
        this.#methodType = methodDetails.type;
        this.#changed("paymentmethodchange", {methodName, methodDetails});
      },
      selectShippingContact: (contact) => {
        this.shippingAddress = new PaymentAddress(contact);
        this.#changed("shippingaddresschange");
      },
      selectShippingMethod: (method) => {
        this.shippingOption = method.identifier;
        this.#changed("shippingoptionchange");
      },
      changeCouponCode: (couponCode) => this.#changed("paymentmethodchange", {methodName, methodDetails: {couponCode}}),
      authorize: (payment) => this.#authorize(payment),
      cancel: () => this.#end(new DOMException("The payer cancelled the payment.", "AbortError")),
    };
  }
}

ListenedTarget.defineHandlers(ApplePayPaymentRequest, [
  "merchantvalidation", "paymentmethodchange", "shippingaddresschange", "shippingoptionchange",
]);
