"""A shop: its pages, and the server behind them that validates the merchant and authorizes payments."""

import http.server
import json
import pathlib
import threading
import urllib.error
import urllib.request
import uuid

PAGES = pathlib.Path(__file__).resolve().parent / "shop"
MERCHANT_IDENTIFIER = "merchant.local.tollgate.testmerchant"
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript"}


def call(method: str, url: str, body: object = None, **fields: str) -> tuple[int, object]:
    """The status and the JSON of a reply, whatever the status."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(
        url, data, {"Content-Type": "application/json", **{name.replace("_", "-"): text for name, text in fields.items()}},
        method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as reply:
            status, text = reply.status, reply.read()
    except urllib.error.HTTPError as error:
        status, text = error.code, error.read()
    return status, json.loads(text) if text else None


class Shop:
    """Serves from `with` to its end, at a port that the system chose."""

    def __init__(self, gateway_url: str, merchant: str, authorization: str) -> None:
        self.gateway_url = gateway_url
        self.merchant = merchant
        self.authorization = authorization
        #: Whether the pages are under a strict policy.
        self.has_policy = True
        #: What the script's URL gets appended, such as ?auto=pay.
        self.script_query = ""
        #: A merchant session to hand to the page instead of a new one.
        self.merchant_session: object = None
        #: The merchant sessions that the gateway gave, the last one last.
        self.merchant_sessions: list[object] = []
        #: The bodies of the payments that the page posted, the last one last.
        self.payments: list[dict] = []

    def __enter__(self) -> "Shop":
        shop = self

        class Handler(_Handler):
            pass

        Handler.shop = shop
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def port(self) -> int:
        return self._server.server_port

    @property
    def url(self) -> str:
        """The shop's origin: another site than the gateway's."""
        return f"http://localhost:{self.port}"

    @property
    def policy(self) -> str:
        """What the shop's pages may load: of the gateway only its script and its replies."""
        return (
            f"default-src 'none'; script-src 'self' {self.gateway_url}; connect-src 'self' {self.gateway_url}; "
            "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'")

    def validate(self, url: str, domain: str) -> object:
        """Asks the gateway for a merchant session, as a shop's server asks Apple."""
        if self.merchant_session is not None:
            return self.merchant_session
        _, session = call("POST", url, {
            "merchantIdentifier": MERCHANT_IDENTIFIER, "displayName": "Example shop", "initiative": "web",
            "initiativeContext": domain})
        self.merchant_sessions.append(session)
        return session

    def authorize(self, payment: dict) -> dict:
        """AUTHORIZE with the token of a payment."""
        self.payments.append(payment)
        order = f"{self.gateway_url}/api/rest/version/100/merchant/{self.merchant}/order/{uuid.uuid4()}/transaction/1"
        status, reply = call("PUT", order, {
            "apiOperation": "AUTHORIZE",
            "order": {"amount": payment["amount"], "currency": payment["currency"], "walletProvider": "APPLE_PAY"},
            "sourceOfFunds": {"type": "CARD", "provided": {"card": {"devicePayment": {
                "paymentToken": json.dumps(payment["token"]["paymentData"])}}}},
        }, Authorization=self.authorization)
        return {
            "status": status, "result": reply.get("result"), "gatewayCode": reply.get("response", {}).get("gatewayCode"),
            "error": reply.get("error", {}).get("explanation")}


class _Handler(http.server.BaseHTTPRequestHandler):
    shop: Shop

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        name = self.path.split("?")[0].strip("/") or "checkout.html"
        file = PAGES / name
        if "/" in name or not file.is_file():
            self._answer(404, b"", "text/plain")
            return
        script = f"{self.shop.gateway_url}/apple-pay/apple-pay.js{self.shop.script_query}"
        self._answer(200, file.read_text().replace("{script}", script).encode(), TYPES[file.suffix])

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/validate":
            answer = self.shop.validate(body["url"], body["domain"])
        else:
            answer = self.shop.authorize(body)
        self._answer(200, json.dumps(answer).encode(), "application/json")

    def _answer(self, status: int, body: bytes, content_type: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        if self.shop.has_policy:
            self.send_header("Content-Security-Policy", self.shop.policy)
        self.end_headers()
        self.wfile.write(body)
