/** How long the page may take for its answer to an event. Source: Apple, onpaymentauthorized and its siblings. */
const answerMilliseconds = 30_000;

/**
 * One payment: the sheet on one side, the page's ApplePaySession or PaymentRequest on the other. It keeps the order of events:
 * validatemerchant, paymentmethodselected, shippingcontactselected, further selections one after the other, paymentauthorized.
 * Source: Apple, TN3174.
 */
class Payment {
  /** The one payment of the page that is open; null for none. */
  static active = null;

  #page;
  #selection;
  #environment;
  #sheet;
  #question = null;
  #turn = Promise.resolve();
  #isClosed = false;
  #mustCorrect = false;
  #defect;

  /**
   * @param page What the payer's actions are reported to. Its methods: validateMerchant(url), selectPaymentMethod(method),
   *   selectShippingContact(contact), selectShippingMethod(method), changeCouponCode(code), authorize(payment), cancel().
   * @param environment `{gateway, controls}`.
   */
  constructor(page, version, request, environment) {
    this.#page = page;
    this.#selection = new Selection(version, request);
    this.#environment = environment;
    this.#defect = environment.controls.defect;
    this.#sheet = this.#newSheet();
  }

  /** Opens the sheet and asks the page for a merchant session. */
  begin() {
    Payment.active = this;
    this.#sheet.open();
    this.#show();
    this.#sheet.wait("Validating the merchant…");
    this.#report("open");
    this.#turn = this.#validate();
  }

  /** Closes the sheet without an event. */
  close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#question?.timer);
    if (Payment.active === this) Payment.active = null;
    this.#sheet.close();
    this.#report("close");
  }

  /** Closes the sheet and tells the page. */
  cancel() {
    if (this.#isClosed) return;
    this.close();
    this.#page.cancel();
  }

  /** Closes the sheet with an error, which the page sees as a cancel. */
  fail(message) {
    if (this.#isClosed) return;
    console.error(`Apple Pay (sandbox): ${message}`);
    this.#report("error", {message});
    this.cancel();
  }

  /** The page's answer to the event that it was sent last. */
  answer(answer) {
    const {resolve, timer} = this.#question ?? {};
    if (!resolve) return;
    clearTimeout(timer);
    this.#question = null;
    resolve(answer);
  }

  /** Sends the page an event, and waits for its answer for 30 s. */
  #ask(event, send) {
    return new Promise((resolve) => {
      const timer = setTimeout(
        () => this.fail(`Payment Not Completed: the page did not answer ${event} within ${answerMilliseconds / 1000} s.`),
        answerMilliseconds);
      this.#question = {resolve, timer};
      send();
    });
  }

  async #validate() {
    const {gateway, controls} = this.#environment;
    const merchantSession = await this.#ask("validatemerchant", () =>
      queueMicrotask(() => this.#isClosed || this.#page.validateMerchant(gateway.validationURL)));
    try {
      const {grant, displayName, domainName, cards} = await gateway.redeem(merchantSession);
      if (this.#isClosed) return;
      this.#selection.grant = grant;
      this.#selection.admitCards(cards);
      this.#sheet.showMerchant(displayName, domainName);
    } catch (error) {
      this.fail(error.message);
      return;
    }
    this.#selection.chooseCard(controls.card);
    const {cards, card, request} = this.#selection;
    this.#sheet.showCards(cards, cards.indexOf(card));
    if (card) await this.#select("paymentmethodselected", () => this.#page.selectPaymentMethod({type: card.type}));
    if (request.requiredShippingContactFields.includes("postalAddress")) {
      await this.#select("shippingcontactselected",
        () => this.#page.selectShippingContact(redacted(this.#sheet.shipping.contact)));
    }
    if (this.#isClosed) return;
    this.#ready();
    this.#report("ready");
    this.#automate();
  }

  /** Reports a selection to the page and shows its answer. An answer without a total changes nothing. */
  async #select(event, send) {
    if (this.#isClosed) return;
    this.#sheet.wait("Updating…");
    const update = await this.#ask(event, send);
    if (this.#isClosed) return;
    const errors = update?.errors ?? [];
    if (update) this.#selection.apply(update);
    this.#mustCorrect = errors.some((error) => !error.code.startsWith("couponCode"));
    this.#show();
    this.#sheet.showErrors(errors);
  }

  /** Selections run one after the other. */
  #enqueue(event, send) {
    this.#turn = this.#turn.then(async () => {
      await this.#select(event, send);
      if (!this.#isClosed) this.#ready();
    });
  }

  #ready() {
    const {card, cards, request} = this.#selection;
    const status = card ? "Ready to pay."
      : cards.length > 0 ? `The wallet has no card ${this.#environment.controls.card} among those that the request supports.`
        : `The wallet has no card that the request supports: ${request.supportedNetworks.join(", ")}.`;
    this.#sheet.ready(this.#mustCorrect ? "Correct what is marked." : status, card !== null && !this.#mustCorrect);
    if (!card) this.#report("error", {message: status});
  }

  async #pay() {
    const {selection, missing} = {selection: this.#selection, missing: this.#missing()};
    if (missing.length > 0) {
      this.#sheet.showErrors(missing);
      return;
    }
    this.#sheet.showErrors([]);
    this.#sheet.wait("Processing…");
    let token;
    try {
      token = await this.#environment.gateway.mint(selection.mintOrder(this.#defect));
    } catch (error) {
      if (this.#isClosed) return;
      console.error(`Apple Pay (sandbox): ${error.message}`);
      this.#report("error", {message: error.message});
      this.#sheet.showErrors([{code: "unknown", message: error.message}]);
      this.#ready();
      return;
    }
    if (this.#isClosed) return;
    this.#report("token", {token});
    const result = await this.#ask("paymentauthorized", () => this.#page.authorize(this.#authorized(token)));
    if (this.#isClosed) return;
    if (result.isFinal) {
      if (result.status !== 0) this.#report("error", {message: "Payment Not Completed: the page says STATUS_FAILURE."});
      this.close();
      return;
    }
    this.#mustCorrect = result.errors.some((error) => error.contactField);
    this.#sheet.showErrors(result.errors);
    this.#ready();
  }

  #authorized(token) {
    const {version, request} = this.#selection;
    const {requiredShippingContactFields: shipping, requiredBillingContactFields: billing} = request;
    return {
      token,
      ...(billing.length > 0 && {billingContact: disclosed(this.#sheet.billing.contact, billing, version)}),
      ...(shipping.length > 0 && {shippingContact: disclosed(this.#sheet.shipping.contact, shipping, version)}),
    };
  }

  /** The errors of required members that the payer has not given. */
  #missing() {
    const errors = (code, contact, fields) => missingMembers(contact, fields).map(
      (contactField) => ({code, contactField, message: `${contactLabels[contactField]} is required.`}));
    const {requiredShippingContactFields: shipping, requiredBillingContactFields: billing} = this.#selection.request;
    return [
      ...errors("shippingContactInvalid", this.#sheet.shipping.contact, shipping),
      ...errors("billingContactInvalid", this.#sheet.billing.contact, billing),
    ];
  }

  /** Carries out the outcome that a test chose, once. */
  #automate() {
    const {controls} = this.#environment;
    if (controls.outcome === null) return;
    if (controls.outcome === "fail") this.#defect ??= defectOfFailure;
    setTimeout(() => this.#isClosed || this.#sheet.press(controls.outcome === "cancel" ? "cancel" : "pay"), controls.delay);
  }

  #show() {
    const {request, shippingMethodIndex, agreements} = this.#selection;
    this.#sheet.showSummary(request.total, request.lineItems, request.currencyCode);
    this.#sheet.showShippingMethods(request.shippingMethods, shippingMethodIndex, request.currencyCode);
    this.#sheet.showAgreements(agreements);
  }

  #report(type, detail) {
    Controls.report(this.#environment.controls, type, detail);
  }

  #newSheet() {
    const {request} = this.#selection;
    const {controls} = this.#environment;
    const contact = {...defaultContact, ...request.shippingContact, ...controls.contact};
    const changed = (isAddress) => {
      this.#mustCorrect = false;
      if (isAddress && request.requiredShippingContactFields.includes("postalAddress")) {
        this.#enqueue("shippingcontactselected", () => this.#page.selectShippingContact(redacted(this.#sheet.shipping.contact)));
      } else {
        this.#sheet.showErrors([]);
        this.#ready();
      }
    };
    return new Sheet({
      shipping: new ContactForm("shipping", "Shipping contact", request.requiredShippingContactFields, contact,
        {readOnly: request.shippingContactEditingMode === "storePickup", changed}),
      billing: new ContactForm("billing", "Billing contact", request.requiredBillingContactFields,
        {...defaultContact, ...request.billingContact, ...controls.contact, ...controls.billingContact},
        {changed: () => changed(false)}),
      supportsCoupon: request.supportsCouponCode, couponCode: request.couponCode, defect: this.#defect,
      actions: {
        pay: () => this.#pay(),
        cancel: () => this.cancel(),
        chooseCard: (index) => {
          const card = this.#selection.card = this.#selection.cards[index];
          this.#enqueue("paymentmethodselected", () => this.#page.selectPaymentMethod({type: card.type}));
        },
        chooseShippingMethod: (index) => {
          const method = this.#selection.shippingMethod = this.#selection.request.shippingMethods[index];
          this.#enqueue("shippingmethodselected", () => this.#page.selectShippingMethod(method));
        },
        changeCoupon: (code) => this.#enqueue("couponcodechanged", () => this.#page.changeCouponCode(code)),
        chooseDefect: (name) => { this.#defect = name; },
      },
    });
  }
}
