/** What the payer has selected and what the shop has answered: the state of one payment. */
class Selection {
  card = null;
  grant = null;
  cards = [];

  /** @param request A checked request; its copy changes with the updates. */
  constructor(version, request) {
    this.version = version;
    this.request = {
      lineItems: [], shippingMethods: [], requiredShippingContactFields: [], requiredBillingContactFields: [], ...request,
    };
    this.shippingMethod = Selection.#chosen(this.request.shippingMethods, null);
  }

  /** Keeps the wallet's cards of a network and a type that the request supports. */
  admitCards(cards) {
    const {supportedNetworks, merchantCapabilities} = this.request;
    const networks = supportedNetworks.map((network) => (network === "carteBancaire" ? "cartesBancaires" : network));
    const types = ["Credit", "Debit"].filter((type) => merchantCapabilities.includes(`supports${type}`));
    const isOfType = (card) => types.length === 0 || types.length === 2 || card.type === types[0].toLowerCase();
    this.cards = cards.filter((card) => networks.includes(card.network) && isOfType(card));
  }

  /** Chooses a card by its identifier, network or display name; the first one for null, none if no card has the name. */
  chooseCard(name) {
    this.card = name === null
      ? this.cards[0] ?? null
      : this.cards.find((card) => [card.id, card.network, card.displayName].includes(name)) ?? null;
  }

  /** Takes over an update of the shop. What it does not name stays as it is, but the line items. */
  apply(update) {
    const {request} = this;
    request.total = update.newTotal;
    request.lineItems = update.newLineItems;
    if (update.newShippingMethods) {
      request.shippingMethods = update.newShippingMethods;
      this.shippingMethod = Selection.#chosen(request.shippingMethods, this.shippingMethod);
    }
    const members = ["RecurringPaymentRequest", "AutomaticReloadPaymentRequest", "DeferredPaymentRequest", "MultiTokenContexts"];
    for (const member of members) {
      const value = update[`new${member}`];
      if (value !== undefined) request[member[0].toLowerCase() + member.slice(1)] = value;
    }
  }

  /** The index of the selected shipping method; -1 for none. */
  get shippingMethodIndex() {
    return this.request.shippingMethods.indexOf(this.shippingMethod);
  }

  /** The order of a token for the last total. */
  mintOrder(defect) {
    const {total, currencyCode, countryCode, applicationData, multiTokenContexts} = this.request;
    return {
      grant: this.grant, amount: total.amount, currencyCode, countryCode, card: this.card.id, defect: defect ?? undefined,
      applicationData: applicationData || undefined, multiTokenContexts, recurring: this.isForLater || undefined,
    };
  }

  /** Whether the merchant will charge the card again: then the token has a merchant token's identifier. */
  get isForLater() {
    const {recurringPaymentRequest, automaticReloadPaymentRequest, deferredPaymentRequest} = this.request;
    return Boolean(recurringPaymentRequest ?? automaticReloadPaymentRequest ?? deferredPaymentRequest);
  }

  /** What the sheet says of later payments and of other merchants: the texts of each line. */
  get agreements() {
    const {recurringPaymentRequest: recurring, automaticReloadPaymentRequest: reload} = this.request;
    const {deferredPaymentRequest: deferred, currencyCode, multiTokenContexts = []} = this.request;
    const line = (request, item, words) => [
      request.paymentDescription, item.label, `${item.amount ?? "pending"} ${currencyCode}`, words,
      request.billingAgreement ?? "", request.managementURL,
    ];
    const interval = (item) => `every ${item.recurringPaymentIntervalCount} ${item.recurringPaymentIntervalUnit}`;
    return [
      ...(recurring ? [line(recurring, recurring.regularBilling, interval(recurring.regularBilling))] : []),
      ...(reload ? [line(reload, reload.automaticReloadBilling,
        `below ${reload.automaticReloadBilling.automaticReloadPaymentThresholdAmount} ${currencyCode}`)] : []),
      ...(deferred ? [line(deferred, deferred.deferredBilling, "later")] : []),
      ...multiTokenContexts.map(
        (context) => [context.merchantName, `${context.amount} ${currencyCode}`, context.merchantDomain ?? ""]),
    ];
  }

  static #chosen(methods, before) {
    return methods.find((method) => method.selected)
      ?? methods.find((method) => method.identifier === before?.identifier)
      ?? methods[0] ?? null;
  }
}
