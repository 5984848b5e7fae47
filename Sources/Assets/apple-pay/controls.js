/** The defects that a token can be minted with; MintDefect is their source, and a test compares both. */
const mintDefects = [
  "no-leaf-marker", "no-intermediate-marker", "sandbox-signer", "other-version-signer", "self-signed-intermediate",
  "third-certificate-signer", "leaf-expired", "stray-certificate", "digest-altered", "signature-altered", "ciphertext-altered",
  "transaction-id-altered", "application-data-added", "application-data-removed", "stale", "future", "wrong-public-key-hash",
  "off-curve-key", "wrapped-key-altered", "wrapped-key-truncated", "wrapped-key-of-32-bytes", "tag-altered",
  "wrong-merchant-identifier", "plaintext-truncated", "detail-of-other-type", "unknown-payment-data-type", "pin-malformed",
  "amount-differs", "currency-differs", "application-data-differs", "submerchant-missing", "submerchant-repeated",
  "submerchant-amount-differs", "wrapped-key", "ephemeral-key", "unknown-version", "invalid-base64", "url-alphabet",
  "truncated-cms", "trailing-bytes", "second-signer", "no-signed-attributes", "unsigned-attributes", "repeated-attribute",
];

/** The token's defect when a payment shall fail and no other defect is chosen. */
const defectOfFailure = "signature-altered";

/** What a test chooses instead of a person: `window.tollgateApplePay`. */
class Controls {
  #card = null;
  #contact = null;
  #billingContact = null;
  #outcome = null;
  #defect = null;
  #delay = 0;
  #listeners = new Map();

  /** The identifier, network or display name of the card to pay with; null for the first one that the request supports. */
  get card() { return this.#card; }
  set card(card) { this.#card = card === null ? null : `${card}`; }

  /** Members of the payer's contact, which replace those of the default; null for the request's or the default. */
  get contact() { return this.#contact; }
  set contact(contact) { this.#contact = contact === null ? null : dictionaries.contact(contact); }

  /** The same of the billing contact; null for the payer's contact. */
  get billingContact() { return this.#billingContact; }
  set billingContact(contact) { this.#billingContact = contact === null ? null : dictionaries.contact(contact); }

  /** What the sheet does without a click: "pay", "cancel", or "fail" with a token that the gateway refuses; null to wait. */
  get outcome() { return this.#outcome; }
  set outcome(outcome) {
    if (outcome !== null && !["pay", "cancel", "fail"].includes(outcome)) {
      throw new TypeError(`"${outcome}" is not an outcome: use "pay", "cancel", "fail" or null.`);
    }
    this.#outcome = outcome;
  }

  /** Another name of `outcome`. */
  get mode() { return this.outcome; }
  set mode(outcome) { this.outcome = outcome; }

  /** The token's defect; null for a valid token. */
  get defect() { return this.#defect; }
  set defect(defect) {
    if (defect !== null && !mintDefects.includes(defect)) {
      throw new TypeError(`"${defect}" is not a defect: use null or one of ${mintDefects.join(", ")}.`);
    }
    this.#defect = defect;
  }

  /** Milliseconds before the outcome is carried out. */
  get delay() { return this.#delay; }
  set delay(milliseconds) {
    if (!(milliseconds >= 0)) throw new TypeError("The delay is a number of milliseconds, 0 or more.");
    this.#delay = Number(milliseconds);
  }

  /**
   * Calls `listener` with `{type, …}` of each event: "open", "ready", "token", "close", "warning" and "error" of the sheet, and
   * those that the page gets by their own names.
   *
   * @returns A function that ends it.
   */
  on(type, listener) {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  /** Reports an event. What a listener throws does not reach the payment. */
  static report(controls, type, detail = {}) {
    for (const listener of controls.#listeners.get(type) ?? []) {
      try {
        listener({type, ...detail});
      } catch (error) {
        reportError(error);
      }
    }
  }
}
