/** The longest time between two attempts to connect, in milliseconds. */
const delayMax = 10_000;

/**
 * The gateway's events. Each is dispatched under its kind (`request`, `order`, `outcomes`, `reset`, `missed`) with its data as
 * `detail`; `state` tells whether the stream is connected.
 */
export class Events extends EventTarget {
  #control;
  #lastID = null;

  constructor(control) {
    super();
    this.#control = control;
  }

  /**
   * Follows the events for as long as the page is open. Connects again whenever the stream ends.
   *
   * A hidden page follows nothing, since a browser has only six connections to a gateway without TLS. It catches up when it is
   * shown.
   */
  async follow() {
    let delay = 500;
    for (;;) {
      await shown();
      const stop = new AbortController();
      const stopIfHidden = () => { if (document.hidden) stop.abort(); };
      document.addEventListener("visibilitychange", stopIfHidden);
      try {
        const headers = this.#lastID === null ? {} : {"Last-Event-ID": this.#lastID};
        const response = await this.#control.fetch("GET", "events", {headers, signal: stop.signal});
        this.#dispatch("state", "live");
        delay = 500;
        await this.#read(response.body);
      } catch {
        delay = Math.min(delay * 2, delayMax);
      }
      document.removeEventListener("visibilitychange", stopIfHidden);
      this.#dispatch("state", "waiting");
      if (!document.hidden) await new Promise((resume) => { setTimeout(resume, delay); });
    }
  }

  async #read(body) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const {done, value} = await reader.read();
      if (done) return;
      const blocks = (text + value).split("\n\n");
      text = blocks.pop();
      for (const block of blocks) this.#receive(block);
    }
  }

  /** Handles the lines of one event (WHATWG HTML §9.2.6). */
  #receive(block) {
    const fields = new Map();
    for (const line of block.split("\n")) {
      const colon = line.indexOf(": ");
      if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 2));
    }
    if (fields.has("id")) this.#lastID = fields.get("id");
    if (fields.has("event")) this.#dispatch(fields.get("event"), JSON.parse(fields.get("data") ?? "{}"));
  }

  #dispatch(kind, detail) { this.dispatchEvent(new CustomEvent(kind, {detail})); }
}

/** Waits until the page is shown. */
const shown = () => new Promise((resume) => {
  const check = () => {
    if (document.hidden) return;
    document.removeEventListener("visibilitychange", check);
    resume();
  };
  document.addEventListener("visibilitychange", check);
  check();
});

/**
 * Calls a function soon after a change, at most once in an interval, and never twice at the same time.
 *
 * @param {Function} update May be asynchronous; its errors are its own concern.
 */
export const throttled = (update, milliseconds = 500) => {
  let isDue = false;
  let isRunning = false;
  const run = async () => {
    isRunning = true;
    while (isDue) {
      isDue = false;
      await update();
      await new Promise((resume) => { setTimeout(resume, milliseconds); });
    }
    isRunning = false;
  };
  return () => {
    isDue = true;
    if (!isRunning) run();
  };
};

/**
 * Collects values and passes them on together: the first at once, later ones at most once in an interval, since each call lays
 * out the page again. A page that falls behind keeps only the latest values.
 */
export const batched = (countMax, receive) => {
  let values = [];
  const pass = throttled(() => {
    const ready = values;
    values = [];
    receive(ready);
  });
  return (value) => {
    values.push(value);
    if (values.length > countMax * 2) values = values.slice(-countMax);
    pass();
  };
};
