/** Regions that the browser can name and that are not ISO 3166 countries. */
const regionsThatAreNoCountries = ["EU", "EZ", "QO", "UN", "XA", "XB", "ZZ"];
const regionNames = new Intl.DisplayNames(["en"], {type: "region", fallback: "none"});

/** Whether a text is the code of a country: two capital letters, neither withdrawn nor a group of countries. */
function isCountryCode(code) {
  if (!/^[A-Z]{2}$/.test(code) || regionsThatAreNoCountries.includes(code)) return false;
  return new Intl.Locale(`und-${code}`).region === code && regionNames.of(code) !== undefined;
}

const currencyCodes = new Set(Intl.supportedValuesOf("currency"));

/** Whether a text is the code of a currency: three capital letters. */
function isCurrencyCode(code) {
  return currencyCodes.has(code);
}

/**
 * Whether a text is a decimal amount: digits, possibly a sign before them and a fraction behind them.
 * Source: Payment Request API, "valid decimal monetary value".
 */
function isAmount(text) {
  return typeof text === "string" && /^-?[0-9]+(\.[0-9]+)?$/.test(text);
}

/** Whether a text is an absolute URL. */
function isURL(text) {
  return URL.canParse(text);
}

function isTimeZone(text) {
  try {
    new Intl.DateTimeFormat("en", {timeZone: text});
    return true;
  } catch {
    return false;
  }
}

/** The payment networks, each with the version of Apple Pay on the Web that brought it. */
const networkVersions = {
  amex: 1, bancomat: 14, bancontact: 14, carteBancaire: 3, cartesBancaires: 4, chinaUnionPay: 1, dankort: 13, discover: 1,
  eftpos: 4, electron: 4, elo: 5, girocard: 11, interac: 1, jcb: 2, mada: 5, maestro: 4, masterCard: 1, meeza: 14, mir: 11,
  myDebit: 14, nanaco: 14, napas: 14, pagoBancomat: 14, postFinance: 14, privateLabel: 1, tmoney: 14, vPay: 4, visa: 1,
  waon: 14,
};

/**
 * The name of a payment network as the wallet writes it, whichever its case; undefined if a session of this version has none of
 * that name. Only jcb and carteBancaire depend on the version.
 */
function paymentNetwork(name, version) {
  const known = Object.keys(networkVersions).find((network) => network.toLowerCase() === name.toLowerCase());
  if ((known === "jcb" && version < 2) || (known === "carteBancaire" && version < 3)) return undefined;
  return known;
}

/** The highest version of Apple Pay on the Web. */
const highestVersion = 14;

/**
 * Members of a request and the version that brought each. Safari doesn't look at the version of the session for these: it uses
 * what the device knows, and a device of an earlier version ignores them.
 * Source: Apple Pay on the Web, release notes of versions 3 to 14.
 */
const memberVersions = {
  supportedCountries: 3, supportsCouponCode: 12, couponCode: 12, shippingContactEditingMode: 12, recurringPaymentRequest: 14,
  automaticReloadPaymentRequest: 14, multiTokenContexts: 14, deferredPaymentRequest: 14,
};

/** What a request has that a device of the session's version would ignore or refuse, one sentence each. */
function newerThan(version, request) {
  const members = Object.entries(memberVersions)
    .filter(([member, since]) => request[member] !== undefined && since > version)
    .map(([member, since]) => `${member} needs version ${since}: a device of version ${version} ignores it.`);
  const networks = (request.supportedNetworks ?? [])
    .filter((network) => networkVersions[network] > version)
    .map((network) => `Network ${network} needs version ${networkVersions[network]}: a device of version ${version} refuses it.`);
  const zero = request.total !== undefined && Number(request.total.amount) === 0 && version < 4
    ? ["A total of zero needs version 4: an earlier device refuses it."] : [];
  return [...members, ...networks, ...zero];
}
