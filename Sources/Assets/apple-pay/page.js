/**
 * Throws unless the page may use Apple Pay: its frame must have the permission `payment`, and its context must be secure.
 * Source: WebKit, PaymentSession::canCreateSession. Unlike Safari, plain HTTP is allowed on loopback addresses.
 */
function requirePaymentPermission() {
  if (document.featurePolicy?.allowsFeature("payment") === false) {
    throw new DOMException(
      "Third-party iframes are not allowed to request payments unless explicitly allowed via Feature-Policy (payment)",
      "SecurityError");
  }
  if (!isSecureContext) throw invalidAccess("Trying to start an Apple Pay session from an insecure document.");
}

/** Whether the payer has just clicked or pressed a key. */
function isUserGesture() {
  return navigator.userActivation?.isActive ?? true;
}

/** An event with read-only members. */
function eventWith(type, members) {
  const event = new Event(type);
  for (const [name, value] of Object.entries(members)) Object.defineProperty(event, name, {value, enumerable: true});
  return event;
}

/** An EventTarget with attributes `on…`, which knows whether anybody listens to an event. */
class ListenedTarget extends EventTarget {
  #listeners = new Map();
  #handlers = new Map();

  addEventListener(type, listener, options) {
    super.addEventListener(type, listener, options);
    if (!listener) return;
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(listener));
    options?.signal?.addEventListener("abort", () => listeners.delete(listener));
    if (options?.once) super.addEventListener(type, () => listeners.delete(listener), {once: true});
  }

  removeEventListener(type, listener, options) {
    super.removeEventListener(type, listener, options);
    this.#listeners.get(type)?.delete(listener);
  }

  /** Whether a type of event has a listener or a handler. */
  static hears(target, type) {
    return (target.#listeners.get(type)?.size ?? 0) > 0;
  }

  /** Declares the attributes `on…` of a class. One that is set again keeps its place among the listeners. */
  static defineHandlers(type, events) {
    for (const event of events) {
      Object.defineProperty(type.prototype, `on${event}`, {
        configurable: true,
        enumerable: true,
        get() { return this.#handlers.get(event)?.handler ?? null; },
        set(handler) { this.#setHandler(event, typeof handler === "function" ? handler : null); },
      });
    }
  }

  #setHandler(event, handler) {
    const known = this.#handlers.get(event);
    if (handler === null) {
      if (known) this.removeEventListener(event, known.call);
      this.#handlers.delete(event);
    } else if (known) {
      known.handler = handler;
    } else {
      const made = {handler, call: (occurred) => made.handler.call(this, occurred)};
      this.#handlers.set(event, made);
      this.addEventListener(event, made.call);
    }
  }
}
