/** The payment sheet: a modal dialog in an open shadow root. It shows what it is told and reports what the payer does. */
class Sheet {
  #host = element("div", {"data-testid": "apple-pay-host"});
  #root = this.#host.attachShadow({mode: "open"});
  #status = element("p", {class: "status", role: "status", "data-testid": "apple-pay-status"}, "Validating the merchant…");
  #errors = element("ul", {class: "wrong", role: "alert", "data-testid": "apple-pay-error", hidden: true});
  #merchant = element("p", {"data-testid": "apple-pay-merchant"});
  #summary = element("div", {"data-testid": "apple-pay-summary"});
  #agreements = element("div", {"data-testid": "apple-pay-agreements"});
  #card = element("select", {"data-testid": "apple-pay-card"});
  #shippingMethod = element("select", {"data-testid": "apple-pay-shipping-method"});
  #shippingMethodLabel = element("label", {hidden: true}, "Shipping method", this.#shippingMethod);
  #coupon = element("input", {"data-testid": "apple-pay-coupon", autocomplete: "off", dir: "auto"});
  #couponApply = element("button", {type: "button", "data-testid": "apple-pay-coupon-apply"}, "Apply coupon");
  #defect = element("select", {"data-testid": "apple-pay-defect"});
  #cancel = element("button", {type: "button", "data-testid": "apple-pay-cancel"}, "Cancel");
  #pay = element("button", {type: "button", class: "pay", "data-testid": "apple-pay-pay", disabled: true}, "Pay with Apple Pay");
  #dialog;
  #focused = null;

  /**
   * @param shipping The form of the shipping contact.
   * @param billing The form of the billing contact.
   * @param actions Functions that the payer's actions call: pay, cancel, chooseCard(index), chooseShippingMethod(index),
   *   changeCoupon(code), chooseDefect(name or null).
   */
  constructor({shipping, billing, supportsCoupon, couponCode, defect, actions}) {
    this.shipping = shipping;
    this.billing = billing;
    this.#coupon.value = visible(couponCode ?? "");
    this.#defect.append(...["", ...mintDefects].map((name) => element("option", {value: name}, name || "none: a valid token")));
    this.#defect.value = defect ?? "";
    const coupon = element("section", {"aria-label": "Coupon", hidden: !supportsCoupon},
      element("label", {}, "Coupon code", this.#coupon), this.#couponApply);
    this.#dialog = element("dialog", {"data-testid": "apple-pay-sheet", "aria-labelledby": "title", lang: "en", dir: "ltr"},
      element("header", {}, element("h2", {id: "title", tabindex: "-1", autofocus: true}, "Apple Pay (sandbox)"), this.#cancel),
      this.#merchant, this.#status, this.#errors, element("label", {}, "Card", this.#card), billing.section, shipping.section,
      this.#shippingMethodLabel, coupon, this.#summary, this.#agreements, this.#pay,
      element("details", {}, element("summary", {}, "Sandbox"), element("label", {}, "Defect of the token", this.#defect)));
    this.#root.adoptedStyleSheets = [sheetStyle];
    this.#root.append(this.#dialog);
    this.#listen(actions);
  }

  open() {
    document.body.append(this.#host);
    this.#dialog.showModal();
  }

  close() {
    this.#dialog.close();
    this.#host.remove();
  }

  /** What the sheet is doing; the payer can only cancel. */
  wait(status) {
    this.#focused ??= this.#root.activeElement;
    this.#status.textContent = status;
    this.#disable(true);
  }

  /** The payer can act, and pay unless `mayPay` is false. */
  ready(status, mayPay) {
    this.#status.textContent = status;
    this.#disable(false);
    this.#pay.disabled = !mayPay;
    if (!this.#root.activeElement && this.#focused?.isConnected) this.#focused.focus();
    this.#focused = null;
  }

  showMerchant(displayName, domainName) {
    this.#merchant.replaceChildren(isolated(displayName), " · ", isolated(domainName));
  }

  /** Amounts are shown as the request writes them, so that a test finds them. */
  showSummary(total, items, currencyCode) {
    const row = (item, attributes) => element("div", {class: "row", ...attributes}, isolated(item.label ?? ""),
      element("span", {}, item.type === "pending" && item.amount === undefined ? "pending" : `${item.amount} ${currencyCode}`));
    this.#summary.replaceChildren(
      ...items.map((item) => row(item, {"data-testid": "apple-pay-line-item"})),
      row(total, {class: "row total", "data-testid": "apple-pay-total"}));
  }

  /** Recurring, automatic reload and deferred payments and the other merchants, one line each. */
  showAgreements(lines) {
    this.#agreements.replaceChildren(
      ...lines.map((texts) =>
        element("p", {"data-testid": "apple-pay-agreement"}, ...texts.flatMap((text) => [isolated(text), " "]))));
  }

  showCards(cards, selected) {
    this.#card.replaceChildren(...cards.map((card) => element("option", {value: card.id}, visible(card.displayName))));
    this.#card.selectedIndex = selected;
  }

  showShippingMethods(methods, selected, currencyCode) {
    this.#shippingMethodLabel.hidden = methods.length === 0;
    this.#shippingMethod.replaceChildren(...methods.map((method) => element("option", {value: method.identifier, dir: "auto"},
      visible(`${method.label}, ${method.amount} ${currencyCode}${method.detail ? `, ${method.detail}` : ""}`))));
    this.#shippingMethod.selectedIndex = selected;
  }

  /** @param errors `{code, contactField, message}` each; none removes those shown. */
  showErrors(errors) {
    this.shipping.clearErrors();
    this.billing.clearErrors();
    this.#errors.replaceChildren(...errors.map((error) => element("li", {}, isolated(error.message || Sheet.#text(error)))));
    this.#errors.hidden = errors.length === 0;
    for (const error of errors.filter((error) => error.contactField)) {
      const form = error.code === "billingContactInvalid" ? this.billing : this.shipping;
      form.showError(error.contactField, error.message || Sheet.#text(error));
    }
    this.#coupon.toggleAttribute("aria-invalid", false);
    if (errors.some((error) => error.code.startsWith("couponCode"))) this.#coupon.setAttribute("aria-invalid", "true");
  }

  /** Presses the button that a payer would, if it can be pressed. */
  press(name) {
    (name === "cancel" ? this.#cancel : this.#pay).click();
  }

  static #text({code, contactField}) {
    const texts = {
      shippingContactInvalid: "The shop refuses the shipping contact.",
      billingContactInvalid: "The shop refuses the billing contact.",
      addressUnserviceable: "The shop does not ship to this address.", couponCodeInvalid: "The coupon code is invalid.",
      couponCodeExpired: "The coupon code has expired.",
    };
    const text = texts[code] ?? "The shop refuses the payment without a reason.";
    return contactField ? `${text} (${contactField})` : text;
  }

  #disable(disabled) {
    for (const control of [this.#card, this.#shippingMethod, this.#coupon, this.#couponApply, this.#defect, this.#pay]) {
      control.disabled = disabled;
    }
    this.shipping.disabled = disabled;
    this.billing.disabled = disabled;
    this.#dialog.setAttribute("aria-busy", `${disabled}`);
  }

  #listen(actions) {
    this.#pay.addEventListener("click", () => actions.pay());
    this.#cancel.addEventListener("click", () => actions.cancel());
    this.#dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      actions.cancel();
    });
    // Chromium closes a dialog whose cancel event was prevented before.
    this.#dialog.addEventListener("close", () => actions.cancel());
    this.#card.addEventListener("change", () => actions.chooseCard(this.#card.selectedIndex));
    this.#shippingMethod.addEventListener("change", () => actions.chooseShippingMethod(this.#shippingMethod.selectedIndex));
    this.#couponApply.addEventListener("click", () => actions.changeCoupon(this.#coupon.value));
    this.#coupon.addEventListener("keydown", (event) => {
      if (event.key === "Enter") actions.changeCoupon(this.#coupon.value);
    });
    this.#defect.addEventListener("change", () => actions.chooseDefect(this.#defect.value || null));
  }
}
