const errorCodes = [
  "unknown", "shippingContactInvalid", "billingContactInvalid", "addressUnserviceable", "couponCodeInvalid", "couponCodeExpired",
];
const errorContactFields = [
  "phoneNumber", "emailAddress", "name", "phoneticName", "postalAddress", "addressLines", "subLocality", "locality", "postalCode",
  "subAdministrativeArea", "administrativeArea", "country", "countryCode",
];

/** What is wrong with a contact or a coupon, for the payer to correct. */
class ApplePayError {
  /**
   * @param code One of `errorCodes`.
   * @param contactField One of `errorContactFields`; undefined for none.
   * @param message What the sheet shows.
   */
  constructor(code, contactField, message = "") {
    requireArguments(arguments, 1);
    this.code = ApplePayError.#member(code, errorCodes, "1 ('errorCode')");
    this.contactField =
      contactField === undefined ? undefined : ApplePayError.#member(contactField, errorContactFields, "2 ('contactField')");
    this.message = `${message}`;
  }

  static #member(value, values, argument) {
    const text = `${value}`;
    if (values.includes(text)) return text;
    const list = values.map((known) => `"${known}"`).join(", ");
    throw new TypeError(`Argument ${argument} to the ApplePayError constructor must be one of: ${list}`);
  }
}
