const contactLabels = {
  givenName: "Given name", familyName: "Family name", phoneticGivenName: "Phonetic given name",
  phoneticFamilyName: "Phonetic family name", emailAddress: "Email", phoneNumber: "Phone", addressLines: "Street",
  subLocality: "District", locality: "City", postalCode: "Postal code", subAdministrativeArea: "County",
  administrativeArea: "State or region", country: "Country", countryCode: "Country code",
};

/** The input that shows the errors of a contact field that has no input of its own name. */
const inputsOfErrors = {name: "givenName", phoneticName: "phoneticGivenName", postalAddress: "addressLines"};

const autocompletions = {
  givenName: "given-name", familyName: "family-name", emailAddress: "email", phoneNumber: "tel", addressLines: "street-address",
  locality: "address-level2", postalCode: "postal-code", administrativeArea: "address-level1", country: "country-name",
  countryCode: "country",
};

/** The fields of one contact in the sheet, with the errors at each. */
class ContactForm {
  #contact;
  #inputs = new Map();
  #wrongs = new Map();
  #shown = {};

  /**
   * @param kind "shipping" or "billing": part of the test ids, such as apple-pay-shipping-postalCode.
   * @param fields The contact fields that the request requires.
   * @param contact The payer's contact before it is edited.
   * @param changed Called with true after a part of the postal address changed, with false after another member.
   */
  constructor(kind, title, fields, contact, {readOnly = false, changed = () => {}} = {}) {
    this.#contact = {...contact};
    const members = fields.flatMap((field) => contactMembers[field]);
    this.section = element("section", {"aria-label": title, hidden: members.length === 0}, element("h3", {}, title));
    for (const member of new Set(members)) this.#add(kind, member, readOnly, changed);
  }

  /** The contact with what the payer edited. What was not edited is unchanged, hidden characters included. */
  get contact() {
    const edited = Object.fromEntries(
      Array.from(this.#inputs, ([member, input]) => [member, input.value])
        .filter(([member, value]) => value !== this.#shown[member]));
    if (edited.addressLines !== undefined) edited.addressLines = edited.addressLines.split(", ");
    return {...this.#contact, ...edited};
  }

  set disabled(disabled) {
    for (const input of this.#inputs.values()) input.disabled = disabled;
  }

  clearErrors() {
    for (const [member, wrong] of this.#wrongs) {
      wrong.replaceChildren();
      wrong.hidden = true;
      this.#inputs.get(member).removeAttribute("aria-invalid");
    }
  }

  /** Shows a text at the input of a contact field. */
  showError(contactField, text) {
    const member = inputsOfErrors[contactField] ?? contactField;
    const wrong = this.#wrongs.get(member);
    if (!wrong) return;
    wrong.append(element("span", {}, isolated(text)));
    wrong.hidden = false;
    this.#inputs.get(member).setAttribute("aria-invalid", "true");
  }

  #add(kind, member, readOnly, changed) {
    const name = `${kind}-${member}`;
    const value = member === "addressLines" ? this.#contact.addressLines.join(", ") : this.#contact[member];
    const input = element("input", {
      "data-testid": `apple-pay-${name}`, "aria-describedby": `wrong-${name}`, autocomplete: autocompletions[member] ?? "off",
      readonly: readOnly, dir: "auto",
    });
    input.value = visible(value);
    this.#shown[member] = input.value;
    input.addEventListener("change", () => changed(contactMembers.postalAddress.includes(member)));
    const wrong = element("p", {id: `wrong-${name}`, class: "wrong", "data-testid": `apple-pay-error-${name}`, hidden: true});
    this.#inputs.set(member, input);
    this.#wrongs.set(member, wrong);
    this.section.append(element("label", {}, contactLabels[member], input), wrong);
  }
}
