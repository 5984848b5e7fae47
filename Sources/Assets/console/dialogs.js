import {button, element, field, message} from "./element.js";

/** Opens a modal dialog, and removes it when it is closed. The browser keeps the focus inside, and gives it back. */
export const openDialog = (title, ...content) => {
  const heading = element("h2", {}, title);
  const dialog = element("dialog", {"aria-label": title}, heading, ...content);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
};

/** Asks for the control port's bearer token until there is one. It is kept for this tab only. */
export const tokenDialog = (wasWrong) => new Promise((resolve) => {
  const input = element("input", {type: "password", name: "token", autocomplete: "off", required: true});
  const form = element("form", {method: "dialog"},
    wasWrong ? message("The gateway refuses this token.", true) : null,
    field("Bearer token of the control port", input, "The file control-token in the gateway's data directory has it."),
    element("div", {class: "actions"}, element("button", {class: "primary"}, "Continue")));
  const dialog = openDialog("This gateway wants a token", form);
  dialog.addEventListener("cancel", (event) => event.preventDefault());
  form.addEventListener("submit", () => resolve(input.value));
});

/** Asks whether to go on. */
export const confirmDialog = (title, text, label) => new Promise((resolve) => {
  let isConfirmed = false;
  const dialog = openDialog(title, element("p", {}, text), element("div", {class: "actions"},
    button("Cancel", () => dialog.close()),
    button(label, () => {
      isConfirmed = true;
      dialog.close();
    }, {class: "danger"})));
  dialog.addEventListener("close", () => resolve(isConfirmed));
});

/** Shows the keys of the console. */
export const keysDialog = () => {
  const keys = [
    ["1 to 5", "open a page"], ["/", "go to the search"], ["↑ ↓", "move in a list"], ["Enter", "open"],
    ["?", "show the keys"],
  ];
  const dialog = openDialog("Keys",
    element("dl", {class: "keys"}, keys.map(([key, effect]) => [
      element("dt", {}, element("kbd", {}, key)), element("dd", {}, effect),
    ])),
    element("div", {class: "actions"}, button("Close", () => dialog.close())));
};
