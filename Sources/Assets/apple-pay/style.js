/** The style of the sheet. It is adopted by the shadow root, so that the shop's policy for styles does not concern it. */
const sheetStyle = new CSSStyleSheet();
sheetStyle.replaceSync(`
  :host {
    --ink: #1d1d1f; --paper: #fff; --faint: #6e6e73; --line: #d2d2d7; --field: #f5f5f7; --wrong: #b3261e; --action: #0058b0;
    color-scheme: light dark;
  }
  @media (prefers-color-scheme: dark) {
    :host {
      --ink: #f5f5f7; --paper: #1c1c1e; --faint: #a1a1a6; --line: #48484a; --field: #2c2c2e; --wrong: #ff8a80; --action: #6cb2ff;
    }
  }
  dialog {
    box-sizing: border-box; width: min(30rem, 100vw); max-height: 92vh; padding: 1.25rem; overflow: auto;
    border: 1px solid var(--line); border-radius: 14px; background: var(--paper); color: var(--ink);
    font: 1rem/1.4 system-ui, sans-serif; text-align: start;
  }
  dialog::backdrop { background: rgb(0 0 0 / 45%); }
  header { display: flex; align-items: center; justify-content: space-between; gap: 1rem; }
  h2 { margin: 0; font-size: 1.15rem; }
  h3 { margin: 1rem 0 .25rem; font-size: .85rem; color: var(--faint); }
  p { margin: .25rem 0; }
  label { display: block; margin: .5rem 0; font-size: .85rem; color: var(--faint); }
  input, select {
    box-sizing: border-box; display: block; width: 100%; padding: .5rem; border: 1px solid var(--line); border-radius: 8px;
    background: var(--field); color: var(--ink); font: inherit;
  }
  [aria-invalid="true"] { border-color: var(--wrong); }
  .wrong { color: var(--wrong); }
  ul { margin: .5rem 0; padding-inline-start: 1.25rem; }
  .row { display: flex; justify-content: space-between; gap: 1rem; overflow-wrap: anywhere; }
  .total { margin-top: .5rem; padding-top: .5rem; border-top: 1px solid var(--line); font-size: 1.15rem; font-weight: 600; }
  .status { min-height: 1.4em; color: var(--faint); }
  button { padding: .6rem 1rem; border: 1px solid var(--line); border-radius: 10px; background: var(--field); color: var(--ink);
    font: inherit; cursor: pointer; }
  button.pay {
    width: 100%; margin-top: .75rem; border-color: transparent; background: var(--ink); color: var(--paper); font-weight: 600;
  }
  button:disabled { opacity: .5; cursor: not-allowed; }
  :focus-visible { outline: 3px solid var(--action); outline-offset: 2px; }
  details { margin-top: 1rem; color: var(--faint); font-size: .85rem; }
  [hidden] { display: none; }
`);
