/** The payer, unless a test or the request chooses another. */
const defaultContact = Object.freeze({
  givenName: "Tara", familyName: "Gate", phoneticGivenName: "Tara", phoneticFamilyName: "Gate",
  emailAddress: "tara.gate@example.com", phoneNumber: "+1 408 555 0100",
  addressLines: Object.freeze(["1 Sandbox Street"]), subLocality: "", locality: "Cupertino", postalCode: "95014",
  subAdministrativeArea: "", administrativeArea: "CA", country: "United States", countryCode: "US",
});

/** The members of a contact that each field of a request stands for. */
const contactMembers = {
  name: ["givenName", "familyName"],
  phoneticName: ["phoneticGivenName", "phoneticFamilyName"],
  email: ["emailAddress"],
  phone: ["phoneNumber"],
  postalAddress: [
    "addressLines", "subLocality", "locality", "postalCode", "subAdministrativeArea", "administrativeArea", "country",
    "countryCode",
  ],
};

/** The members that a payer may leave empty. */
const optionalContactMembers = ["subLocality", "subAdministrativeArea", "administrativeArea", "postalCode", "country"];

/** What the page learns of a postal address before the payer has authorized the payment. */
function redacted(contact) {
  const {locality, administrativeArea, postalCode, countryCode} = contact;
  return {locality, administrativeArea, postalCode, countryCode};
}

/** What the page learns of a contact with the payment: the members of the fields that it requires. */
function disclosed(contact, fields, version) {
  const names = fields
    .filter((field) => field !== "phoneticName" || version >= 3)
    .flatMap((field) => contactMembers[field]);
  return Object.fromEntries(names.map((name) => [name, contact[name]]));
}

/** The names of the contact's members that the request requires and the payer has not given. */
function missingMembers(contact, fields) {
  return fields
    .flatMap((field) => contactMembers[field])
    .filter((name) => !optionalContactMembers.includes(name))
    .filter((name) => (name === "addressLines" ? contact.addressLines.join("") : contact[name]).trim() === "");
}

/** The payer's name as one text. */
function fullName(contact) {
  return [contact.givenName, contact.familyName].filter(Boolean).join(" ");
}
