import {Control} from "./control.js";

const version = 100;

/** The body that mints a token together with the request that pays with it. */
const mint = (merchant) => ({amount: "5656.00", currency: "USD", merchant, request: "AUTHORIZE"});

/** An AUTHORIZE by card, for a gateway that mints no tokens. The number is left to the reader. */
const byCard = {
  apiOperation: "AUTHORIZE", order: {amount: "5656.00", currency: "USD"},
  sourceOfFunds: {
    provided: {card: {expiry: {month: "01", year: "39"}, number: "CARD_NUMBER", securityCode: "100"}}, type: "CARD",
  },
};

const curl = ({url, user, tokens, merchant, bearer}) => {
  const put = `curl -X PUT '${url}' \\\n  -u '${user}' \\\n  -H 'Content-Type: application/json' \\\n  `;
  if (tokens === null) return `${put}-d '${JSON.stringify(byCard)}'`;
  const header = bearer ? " \\\n  -H 'Authorization: Bearer CONTROL_TOKEN'" : "";
  const request = "python3 -c 'import json, sys; print(json.dumps(json.load(sys.stdin)[\"request\"]))'";
  const post = `curl -s '${tokens}'${header} \\\n  -d '${JSON.stringify(mint(merchant))}'`;
  return `${post} \\\n  | ${request} \\\n  | ${put}--data-binary @-`;
};

const python = ({url, user, tokens, merchant, bearer}) => {
  const fetched = tokens === null ? [`request = json.loads('''${JSON.stringify(byCard, null, 2)}''')`] : [
    `minted = call("POST", "${tokens}", ${JSON.stringify(mint(merchant))}, ${bearer ? "\"Bearer CONTROL_TOKEN\"" : "\"\""})`,
    "request = minted[\"request\"]",
  ];
  return [
    "import base64, json, urllib.request", "", "def call(method, url, body, authorization):",
    "    fields = {\"Authorization\": authorization, \"Content-Type\": \"application/json\"}",
    "    request = urllib.request.Request(url, json.dumps(body).encode(), fields, method=method)",
    "    return json.load(urllib.request.urlopen(request))", "",
    ...fetched, `credentials = base64.b64encode(b"${user}").decode()`,
    `print(call("PUT", "${url}", request, f"Basic {credentials}"))`,
  ].join("\n");
};

const node = ({url, user, tokens, merchant, bearer}) => {
  const fetched = tokens === null ? [`const request = ${JSON.stringify(byCard, null, 2)};`] : [
    `const {request} = await call("POST", "${tokens}", ${JSON.stringify(mint(merchant))},`,
    `  ${bearer ? "\"Bearer CONTROL_TOKEN\"" : "\"\""});`,
  ];
  return [
    "const call = async (method, url, body, authorization) => (await fetch(url, {", "  method, body: JSON.stringify(body),",
    "  headers: {Authorization: authorization, \"Content-Type\": \"application/json\"},", "})).json();", "",
    ...fetched, `const credentials = Buffer.from("${user}").toString("base64");`,
    `console.log(await call("PUT", "${url}", request, "Basic " + credentials));`,
  ].join("\n");
};

/**
 * Requests that authorize 5656.00 USD, in three languages, with a merchant's own values.
 *
 * @returns {Array} Pairs of language and text.
 */
export const snippets = ({merchant, baseUrl, password, canMint}) => {
  const values = {
    merchant, user: `merchant.${merchant}:${password}`, bearer: Control.hasToken,
    tokens: canMint ? `${Control.base}tokens` : null,
    url: `${baseUrl}/api/rest/version/${version}/merchant/${merchant}/order/order-1/transaction/1`,
  };
  return [["curl", curl(values)], ["Python", python(values)], ["Node", node(values)]];
};
