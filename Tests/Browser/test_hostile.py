"""What pages of other origins get of the gateway and of the payer: nothing.

`port` is another port of the shop's host, `neighbour` another port of the gateway's host, `stranger` a page of another site. The
control API is open to pages of this machine by design, but for the sandbox's password: there the stranger is the attacker.
"""

from collections.abc import Iterator

import pytest
from conftest import MERCHANT, Checkout, Gateway, call
from playwright.sync_api import Page, expect
from shop import Shop

HOSTS = {"port": "localhost", "neighbour": "127.0.0.1", "stranger": "stranger.test"}
# Without a deadline a reply that makes the browser ask for a password would never end.
FETCH = """([url, init]) => fetch(url, {...init, signal: AbortSignal.timeout(5000)}).then(
    async (reply) => ({status: reply.status, type: reply.type, text: await reply.text()}), (error) => ({error: error.name}))"""
JSON = {"Content-Type": "application/json"}


class Attacker:
    """A page of another origin."""

    def __init__(self, page: Page, gateway: Gateway, shop: Shop, site: Shop) -> None:
        self.page = page
        self.gateway = gateway
        self.shop = shop
        self.site = site

    def visit(self, origin: str) -> "Attacker":
        self.page.goto(f"http://{HOSTS[origin]}:{self.site.port}/stranger.html")
        return self

    def fetch(self, path: str, method: str = "GET", body: str | None = None, headers: dict | None = None, **init: str) -> dict:
        """What the page learns of a reply: its status, type and text, or an error."""
        return self.page.evaluate(
            FETCH, [self.gateway.url + path, {"method": method, "body": body, "headers": headers or {}, **init}])

    def post(self, path: str, body: str) -> dict:
        return self.fetch(path, "POST", body, JSON)


@pytest.fixture
def attacker(page: Page, gateway: Gateway, shop: Shop) -> Iterator[Attacker]:
    with Shop(gateway.url, MERCHANT, "") as site:
        site.has_policy = False
        yield Attacker(page, gateway, shop, site)


def expect_nothing(found: dict, gateway: Gateway) -> None:
    """The page can read no success, and no secret in an error."""
    assert "error" in found or found["type"] == "opaque" or found["status"] >= 400, found
    for secret in [gateway.password, '"paymentData"', '"grant"', '"paymentToken"', '"merchantSessionIdentifier"']:
        assert secret not in found.get("text", "")


def offset(gateway: Gateway) -> int:
    """How far the gateway's clock is set, in milliseconds."""
    return call("GET", f"{gateway.url}/_tollgate/clock")[1]["offsetMilliseconds"]


@pytest.mark.parametrize("origin", HOSTS)
def test_reading_the_sandbox(attacker: Attacker, gateway: Gateway, origin: str) -> None:
    attacker.visit(origin)
    for init in [{}, {"mode": "no-cors"}, {"credentials": "include"}]:
        expect_nothing(attacker.fetch("/_tollgate/sandbox", **init), gateway)


@pytest.mark.parametrize(("method", "path", "body"), [
    ("GET", "requests", None), ("GET", "clock", None), ("POST", "tokens", '{"amount":"5656.00","currency":"USD"}'),
    ("POST", "reset", "{}"), ("PUT", "clock", '{"offsetSeconds":3600}'), ("PUT", "seed", "7"),
    ("POST", "outcomes", '{"gatewayCode":"DECLINED"}')])
@pytest.mark.parametrize("kind", [JSON, {"Content-Type": "text/plain"}])
def test_a_stranger_uses_control(
        attacker: Attacker, gateway: Gateway, method: str, path: str, body: str | None, kind: dict) -> None:
    before = offset(gateway)
    attacker.visit("stranger")
    expect_nothing(attacker.fetch(f"/_tollgate/{path}", method, body, kind if body else None), gateway)
    if method != "PUT":
        expect_nothing(attacker.fetch(f"/_tollgate/{path}", method, body, mode="no-cors"), gateway)
    assert offset(gateway) == before


def test_submitting_a_form_to_control(attacker: Attacker, gateway: Gateway) -> None:
    call("PUT", f"{gateway.url}/_tollgate/clock", {"offsetSeconds": 60})
    attacker.visit("stranger")
    attacker.page.evaluate(
        """(url) => { const form = document.createElement('form'); form.method = 'POST'; form.enctype = 'text/plain';
        form.action = url; document.body.append(form); form.submit(); }""", f"{gateway.url}/_tollgate/reset")
    attacker.page.wait_for_url(f"{gateway.url}/**")
    assert offset(gateway) == 60_000, "a reset would restore the clock"


@pytest.mark.parametrize("name", ["script", "img", "iframe", "link"])
def test_embedding_the_sandbox(attacker: Attacker, gateway: Gateway, name: str) -> None:
    attacker.visit("stranger")
    found = attacker.page.evaluate(
        """([name, url]) => new Promise((resolve) => { const element = document.createElement(name);
        element.onerror = () => resolve('error'); element.onload = () => {
            let text; try { text = element.contentDocument?.body.innerText ?? null } catch { text = null } resolve(text) };
        if (name === 'link') { element.rel = 'stylesheet'; element.href = url } else element.src = url;
        document.body.append(element); })""", [name, f"{gateway.url}/_tollgate/sandbox"])
    assert found in ("error", None)


@pytest.mark.parametrize("origin", HOSTS)
def test_asking_for_a_merchant_session_from_a_page(attacker: Attacker, gateway: Gateway, origin: str) -> None:
    attacker.visit(origin)
    body = ('{"merchantIdentifier":"merchant.local.tollgate.testmerchant","displayName":"Shop","initiative":"web",'
            f'"initiativeContext":"{HOSTS[origin]}"}}')
    for path in ["/paymentservices/paymentSession", "/paymentservices/startSession"]:
        expect_nothing(attacker.post(path, body), gateway)
        expect_nothing(attacker.fetch(path, "POST", body, mode="no-cors"), gateway)


@pytest.mark.parametrize("session", [
    "{}", "null", '{"merchantSessionIdentifier":"SSH0"}', '{"merchantSessionIdentifier":"SSH0","domainName":"localhost"}'])
def test_redeeming_a_made_up_merchant_session(attacker: Attacker, gateway: Gateway, session: str) -> None:
    attacker.visit("port")
    expect_nothing(attacker.post("/apple-pay/redeem", f'{{"merchantSession":{session}}}'), gateway)


@pytest.mark.parametrize("origin", ["neighbour", "stranger"])
def test_redeeming_the_session_of_another_domain(attacker: Attacker, gateway: Gateway, origin: str) -> None:
    session = attacker.shop.validate(f"{gateway.url}/paymentservices/paymentSession", "localhost")
    attacker.visit(origin)
    for stolen in [session, {**session, "domainName": HOSTS[origin]}]:
        found = attacker.page.evaluate(FETCH, [f"{gateway.url}/apple-pay/redeem", {
            "method": "POST", "headers": JSON, "body": attacker.page.evaluate("JSON.stringify", {"merchantSession": stolen})}])
        expect_nothing(found, gateway)


@pytest.mark.parametrize("origin", HOSTS)
@pytest.mark.parametrize("grant", ["", '"grant":"",', '"grant":null,', '"grant":"AAAAAAAAAAAAAAAAAAAAAA",'])
def test_minting_without_a_grant(attacker: Attacker, gateway: Gateway, origin: str, grant: str) -> None:
    attacker.visit(origin)
    expect_nothing(attacker.post(
        "/apple-pay/token", f'{{{grant}"amount":"5656.00","currencyCode":"USD","countryCode":"US","card":"visa"}}'), gateway)


def grant_of(checkout: Checkout) -> dict:
    """Pays at the shop and returns the order that the script minted a token with."""
    with checkout.page.expect_request("**/apple-pay/token") as minted:
        checkout.start()
        checkout.pay()
    return minted.value.post_data_json


def test_minting_twice_with_one_grant(checkout: Checkout, gateway: Gateway) -> None:
    order = grant_of(checkout)
    found = checkout.page.evaluate(FETCH, [f"{gateway.url}/apple-pay/token", {
        "method": "POST", "headers": JSON, "body": checkout.page.evaluate("JSON.stringify", order)}])
    expect_nothing(found, gateway)


@pytest.mark.parametrize("origin", ["neighbour", "stranger"])
def test_using_the_grant_of_another_domain(attacker: Attacker, gateway: Gateway, origin: str) -> None:
    checkout = Checkout(attacker.page, attacker.shop)
    with attacker.page.expect_response("**/apple-pay/redeem") as redeemed:
        checkout.start()
    grant = redeemed.value.json()["grant"]
    card = redeemed.value.json()["cards"][0]["id"]
    attacker.visit(origin)
    found = attacker.page.evaluate(FETCH, [f"{gateway.url}/apple-pay/token", {"method": "POST", "headers": JSON, "body":
        f'{{"grant":"{grant}","amount":"5656.00","currencyCode":"USD","countryCode":"US","card":"{card}"}}'}])
    expect_nothing(found, gateway)


@pytest.mark.parametrize("origin", HOSTS)
@pytest.mark.parametrize(("method", "path"), [
    ("GET", "order/1"), ("PUT", "order/1/transaction/1"), ("POST", "session"), ("GET", "order/1/transaction/1")])
def test_using_the_merchants_api_from_a_page(
        attacker: Attacker, gateway: Gateway, origin: str, method: str, path: str) -> None:
    attacker.visit(origin)
    url = f"/api/rest/version/100/merchant/{MERCHANT}/{path}"
    body = None if method == "GET" else '{"apiOperation":"AUTHORIZE"}'
    expect_nothing(attacker.fetch(url, method, body, {**JSON, "Authorization": gateway.authorization}), gateway)
    expect_nothing(attacker.fetch(url, method, body, credentials="omit"), gateway)


@pytest.mark.parametrize("origin", HOSTS)
def test_framing_the_checkout(attacker: Attacker, origin: str) -> None:
    attacker.visit(origin)
    attacker.page.evaluate(
        """(url) => { const frame = document.createElement('iframe'); frame.name = 'shop'; frame.src = url;
        document.body.append(frame); }""", f"{attacker.shop.url}/moments.html?scenario=abort")
    framed = attacker.page.frame_locator("iframe")
    framed.locator("#apple-pay").click()
    expect(framed.get_by_test_id("apple-pay-sheet")).to_have_count(0)
    assert attacker.page.frame("shop").evaluate(
        "() => { try { ApplePaySession.canMakePayments(); return 'none' } catch (error) { return error.name } }"
    ) == "SecurityError"


def test_reading_the_sheet_of_a_window(attacker: Attacker) -> None:
    attacker.visit("stranger")
    with attacker.page.expect_popup() as opened:
        attacker.page.evaluate("(url) => { window.shop = window.open(url) }", f"{attacker.shop.url}/checkout.html")
    checkout = Checkout(opened.value, attacker.shop)
    checkout.press_button()
    expect(checkout.sheet("pay")).to_be_enabled()
    for member in ["document", "tollgateApplePay", "ApplePaySession"]:
        assert attacker.page.evaluate(
            f"() => {{ try {{ return String(window.shop.{member}) }} catch (error) {{ return error.name }} }}") == "SecurityError"
    attacker.page.evaluate("() => window.shop.postMessage({outcome: 'pay'}, '*')")
    expect(checkout.sheet("pay")).to_be_enabled()
    assert attacker.shop.payments == []
