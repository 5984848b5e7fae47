/** What the button says; the names are those of the attribute `type`. Source: Apple, ApplePayButtonType. */
const buttonTexts = {
  "add-money": "Add money with Apple Pay", book: "Book with Apple Pay", buy: "Buy with Apple Pay",
  "check-out": "Check out with Apple Pay", continue: "Continue with Apple Pay", contribute: "Contribute with Apple Pay",
  donate: "Donate with Apple Pay", order: "Order with Apple Pay", pay: "Pay with Apple Pay", plain: "Apple Pay",
  reload: "Reload with Apple Pay", rent: "Rent with Apple Pay", "set-up": "Set up Apple Pay",
  subscribe: "Subscribe with Apple Pay", support: "Support with Apple Pay", tip: "Tip with Apple Pay",
  "top-up": "Top up with Apple Pay",
};

const buttonStyle = new CSSStyleSheet();
buttonStyle.replaceSync(`
  :host { display: inline-block; }
  :host([hidden]) { display: none; }
  button {
    box-sizing: border-box; min-width: 140px; width: var(--apple-pay-button-width, auto); white-space: nowrap;
    height: var(--apple-pay-button-height, 40px);
    padding: var(--apple-pay-button-padding, 0 10px); border: 1px solid #000;
    border-radius: var(--apple-pay-button-border-radius, 6px);
    background: #000; color: #fff; font: 600 1rem system-ui, sans-serif; cursor: pointer;
  }
  :host([buttonstyle^="white"]) button { border-color: #fff; background: #fff; color: #000; }
  :host([buttonstyle="white-outline"]) button { border-color: #000; }
  button:focus-visible { outline: 3px solid #0058b0; outline-offset: 2px; }
`);

/** `<apple-pay-button buttonstyle type locale>`: a button whose clicks reach the page as those of the element. */
class ApplePayButton extends HTMLElement {
  static observedAttributes = ["type", "locale"];

  #button = element("button", {type: "button", part: "button"});

  constructor() {
    super();
    const root = this.attachShadow({mode: "open", delegatesFocus: true});
    root.adoptedStyleSheets = [buttonStyle];
    root.append(this.#button);
    this.#show();
  }

  attributeChangedCallback() {
    this.#show();
  }

  #show() {
    this.#button.textContent = buttonTexts[this.getAttribute("type")] ?? buttonTexts.plain;
    this.#button.lang = "en";
  }
}
