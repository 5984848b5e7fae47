import {openDialog} from "./dialogs.js";
import {button, element, field, message, select} from "./element.js";
import {decimals, words} from "./format.js";

/** The amount that an operation has by default: the rest that can be captured or refunded. */
const rest = (operation, order) => {
  const number = (name) => Number(order[name] ?? 0);
  const value = operation === "CAPTURE" ? number("totalAuthorizedAmount") - number("totalCapturedAmount")
    : operation === "REFUND" ? number("totalCapturedAmount") - number("totalRefundedAmount") : number("totalAuthorizedAmount");
  return Math.max(value, 0).toFixed(decimals(order.currency));
};

/** The fields of an operation on an order, each with the member of `transaction` that it sets. */
const fields = (operation, order) => {
  if (operation === "VOID") {
    const ids = (order.transaction ?? []).map((transaction) => transaction.transaction?.id).filter(Boolean).reverse();
    return [field("Transaction to void", select("targetTransactionId", ids))];
  }
  return [
    field(`Amount in ${order.currency}`, element("input", {
      name: "amount", inputmode: "decimal", required: true, value: rest(operation, order), autocomplete: "off",
    })),
  ];
};

/** Why an operation had no success, in the words of the merchants' API. */
const failure = ({status, reply}) => {
  if (reply === undefined) return "The reply was cut: look at the order.";
  if (status >= 400) return reply.error?.field ? `${reply.error.field}: ${reply.error.explanation}` : reply.error?.explanation;
  return reply.result === "SUCCESS" ? null : `${reply.result}: ${reply.response?.gatewayCode}`;
};

/**
 * Asks for an operation's amount or target, and performs it.
 *
 * @param perform Sends a request of Mastercard's API; its result is `{status, reply}`.
 */
export const operationDialog = (operation, order, perform) => {
  const problem = element("div");
  const submit = element("button", {class: "primary"}, words(operation));
  const form = element("form", {}, fields(operation, order), problem,
    element("div", {class: "actions"}, button("Cancel", () => dialog.close()), submit));
  const dialog = openDialog(`${words(operation)} order ${order.id}`, form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    submit.disabled = true;
    const values = Object.fromEntries(new FormData(form));
    const transaction = operation === "VOID" ? values : {...values, currency: order.currency};
    try {
      const explanation = failure(await perform({apiOperation: operation, transaction}));
      if (explanation === null) return dialog.close();
      problem.replaceChildren(message(explanation, true));
    } catch (error) {
      problem.replaceChildren(message(error.message, true));
    }
    submit.disabled = false;
  });
};
