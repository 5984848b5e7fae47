/**
 * The dictionaries of the Payment Request API, with Safari's texts.
 * Source: W3C, Payment Request API; WebKit, PaymentRequest.cpp.
 */
const paymentDictionaries = (() => {
  const {string, boolean, enumeration, sequence, dictionary} = conversion;
  const stringRequired = {required: "DOMString"};
  const amount = ["amount",
    dictionary("PaymentCurrencyAmount", [["currency", string, stringRequired], ["value", string, stringRequired]]),
    {required: "PaymentCurrencyAmount"}];
  const item = dictionary("PaymentItem", [amount, ["label", string, stringRequired], ["pending", boolean, {initial: false}]]);
  const shippingOption = dictionary("PaymentShippingOption",
    [amount, ["id", string, stringRequired], ["label", string, stringRequired], ["selected", boolean, {initial: false}]]);
  // The data of a modifier is read again for each update, as in WebKit, which keeps its JSON.
  const modifier = dictionary("PaymentDetailsModifier", [
    ["additionalDisplayItems", sequence(item), {initial: []}],
    ["data", (data) => JSON.parse(JSON.stringify(data))],
    ["supportedMethods", string, stringRequired],
    ["total", item],
  ]);
  const base = [
    ["displayItems", sequence(item)], ["modifiers", sequence(modifier)], ["shippingOptions", sequence(shippingOption)],
  ];
  const contactErrors = (name, members) => dictionary(name, members.map((member) => [member, string]));
  const addressErrors = contactErrors("AddressErrors", [
    "addressLine", "city", "country", "dependentLocality", "organization", "phone", "postalCode", "recipient", "region",
    "sortingCode",
  ]);
  const payerErrors = contactErrors("PayerErrorFields", ["email", "name", "phone"]);
  const methodErrors = sequence(conversion.instance(ApplePayError));

  return {
    methods: sequence(dictionary("PaymentMethodData", [["data", (data) => data], ["supportedMethods", string, stringRequired]])),
    initial: dictionary("PaymentDetailsInit", [...base, ["id", string], ["total", item, {required: "PaymentItem"}]]),
    update: dictionary("PaymentDetailsUpdate", [
      ...base, ["error", string], ["payerErrors", payerErrors], ["paymentMethodErrors", methodErrors],
      ["shippingAddressErrors", addressErrors], ["total", item],
    ]),
    retry: dictionary("PaymentValidationErrors", [
      ["error", string], ["payer", payerErrors], ["paymentMethod", methodErrors], ["shippingAddress", addressErrors],
    ]),
    options: dictionary("PaymentOptions", [
      ...["requestPayerEmail", "requestPayerName", "requestPayerPhone", "requestShipping"].map((n) => [n, boolean]),
      ["shippingType", enumeration("shipping", "delivery", "pickup"), {initial: "shipping"}],
    ]),
    completion: enumeration("fail", "success", "unknown"),
  };
})();

/** Checks of payment details that need no Apple Pay. */
const paymentDetails = {
  /** @throws RangeError for a currency that is not three letters, TypeError for a value that is no decimal. */
  amount(amount) {
    if (!/^[A-Za-z]{3}$/.test(amount.currency)) throw new RangeError(`"${amount.currency}" is not a valid currency code.`);
    amount.currency = amount.currency.toUpperCase();
    if (!isAmount(amount.value)) throw new TypeError(`"${amount.value}" is not a valid decimal monetary value.`);
  },

  total(item) {
    this.amount(item.amount);
    if (item.amount.value.startsWith("-")) throw new TypeError("Total currency values cannot be negative.");
  },

  /** Details of the constructor or of an update. */
  check(details) {
    if (details.total) this.total(details.total);
    for (const item of details.displayItems ?? []) this.amount(item.amount);
    for (const option of details.shippingOptions ?? []) this.amount(option.amount);
    const ids = (details.shippingOptions ?? []).map((option) => option.id);
    if (new Set(ids).size < ids.length) throw new TypeError("Shipping option IDs must be unique.");
    for (const modifier of details.modifiers ?? []) {
      if (modifier.total) this.total(modifier.total);
      for (const item of modifier.additionalDisplayItems) this.amount(item.amount);
    }
  },

  /** The amount's value, which must be in the expected currency. */
  value(amount, currency) {
    if (amount.currency === currency) return amount.value;
    throw new TypeError(`"${amount.currency}" does not match the expected currency of "${currency}". Apple Pay requires all ` +
      "PaymentCurrencyAmounts to use the same currency code.");
  },

  lineItem(item, currency) {
    return {amount: this.value(item.amount, currency), label: item.label, type: item.pending ? "pending" : "final"};
  },

  shippingMethod(option, currency, selected) {
    return {
      amount: this.value(option.amount, currency), detail: "", identifier: option.id, label: option.label,
      selected: option.id === selected,
    };
  },

  /** The errors of an update or a retry at the fields of Apple Pay's contact. */
  errors({error, address, payer, method}) {
    const addressFields = {
      addressLine: "addressLines", city: "locality", country: "country", dependentLocality: "subLocality", phone: "phoneNumber",
      postalCode: "postalCode", recipient: "name", region: "administrativeArea",
    };
    const payerFields = {name: "name", email: "emailAddress", phone: "phoneNumber"};
    const at = (fields, texts = {}) => Object.entries(fields)
      .filter(([member]) => texts[member] !== undefined)
      .map(([member, field]) => new ApplePayError("shippingContactInvalid", field, texts[member]));
    return [
      ...(error ? [new ApplePayError("shippingContactInvalid", undefined, error)] : []),
      ...at(addressFields, address), ...at(payerFields, payer), ...(method ?? []),
    ];
  },
};
