/** The gateway that stands in for Apple: where merchants are validated and tokens are minted. */
class Gateway {
  /** @param origin Such as http://127.0.0.1:8080. */
  constructor(origin) {
    this.origin = origin;
  }

  /** Where the shop's server gets its merchant session. */
  get validationURL() {
    return `${this.origin}/paymentservices/paymentSession`;
  }

  /**
   * Uses a merchant session up.
   *
   * @returns `{grant, merchantIdentifier, displayName, domainName, cards: [{id, network, displayName, type}]}`.
   * @throws Error with the gateway's statusMessage.
   */
  redeem(merchantSession) {
    return this.#post("/apple-pay/redeem", {merchantSession});
  }

  /**
   * Mints a token.
   *
   * @returns `{paymentData, paymentMethod, transactionIdentifier}`.
   * @throws Error with the gateway's statusMessage.
   */
  async mint(order) {
    const {token} = await this.#post("/apple-pay/token", order);
    return token;
  }

  async #post(path, body) {
    let response;
    let answer;
    try {
      response = await fetch(this.origin + path, {
        method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body), credentials: "omit",
        cache: "no-store", referrerPolicy: "no-referrer",
      });
      answer = await response.json();
    } catch {
      throw new Error(response
        ? `${this.origin}${path} answered ${response.status} without JSON: is it a Tollgate sandbox?`
        : `${this.origin}${path} can't be reached: check that the gateway runs and that the page's ` +
          "Content-Security-Policy allows it in connect-src.");
    }
    if (!response.ok) throw new Error(answer?.statusMessage ?? `${this.origin}${path} answered ${response.status}`);
    return answer;
  }
}
