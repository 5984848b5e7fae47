const tokenKey = "tollgate-control-token";

/** The base of all paths. */
const base = new URL("../", import.meta.url);

/** A refusal by the control API, or a gateway that can't be reached. */
export class Refusal extends Error {
  constructor(status, explanation, field) {
    super(field ? `${field}: ${explanation}` : explanation);
    this.status = status;
    this.field = field;
  }
}

/** The control API of the gateway that served this page. */
export class Control {
  #askForToken;
  #asking = null;

  /** @param askForToken Asks for the bearer token; its argument is whether the last one was wrong. */
  constructor(askForToken) { this.#askForToken = askForToken; }

  /** The origin of this page. */
  static get origin() { return base.origin; }

  /** The address of the control API. */
  static get base() { return base.href; }

  /** Whether the gateway wants a bearer token. */
  static get hasToken() { return sessionStorage.getItem(tokenKey) !== null; }

  /**
   * Sends a request, with the bearer token if the gateway wants one.
   *
   * @throws {Refusal} Unless the status is 2xx.
   */
  async fetch(method, path, {body, headers = {}, signal} = {}) {
    for (;;) {
      const token = sessionStorage.getItem(tokenKey);
      const response = await this.#send(method, path, body, {
        ...headers, ...(token ? {Authorization: `Bearer ${token}`} : {}),
      }, signal);
      if (response.ok) return response;
      if (response.status !== 401) throw await Control.#refusal(response);
      await this.#newToken(token);
    }
  }

  async #send(method, path, body, headers, signal) {
    const content = body === undefined ? {} : {body: JSON.stringify(body)};
    if (body !== undefined) headers["Content-Type"] = "application/json";
    try {
      return await fetch(new URL(path, base), {
        method, headers, signal, ...content, cache: "no-store", credentials: "omit", redirect: "error",
        referrerPolicy: "no-referrer",
      });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Refusal(0, "The gateway can't be reached");
    }
  }

  /** Asks for a token, once for all requests that need one. */
  async #newToken(refused) {
    if (sessionStorage.getItem(tokenKey) !== refused) return;
    this.#asking ??= this.#askForToken(refused !== null).finally(() => { this.#asking = null; });
    sessionStorage.setItem(tokenKey, await this.#asking);
  }

  static async #refusal(response) {
    try {
      const {error} = await response.json();
      return new Refusal(response.status, error.explanation ?? `Status ${response.status}`, error.field);
    } catch {
      return new Refusal(response.status, `Status ${response.status}`);
    }
  }

  /** The JSON of a path with query parameters; empty parameters are left out. */
  async get(path, parameters = {}) {
    const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== "" && value !== undefined));
    return (await this.fetch("GET", query.size > 0 ? `${path}?${query}` : path)).json();
  }

  async post(path, body = {}) { return (await this.fetch("POST", path, {body})).json(); }
  async put(path, body) { return (await this.fetch("PUT", path, {body})).json(); }
  async remove(path) { return (await this.fetch("DELETE", path)).json(); }
}

/** A path of segments, each percent-encoded. */
export const path = (...segments) => segments.map(encodeURIComponent).join("/");
