"""Markup, script and control characters in every text that a merchant, a payer or a token can set are shown as text."""

import copy
import json
from urllib.parse import quote

import pytest
from conftest import MERCHANT, Gateway, call
from console import PAGES, Console, Merchant
from playwright.sync_api import expect

PAYLOADS = {
    "script": "<script>window.hacked=1</script>",
    "image": "<img src=x onerror=window.hacked=1>",
    "attribute": "\"'><svg onload=window.hacked=1>",
    "frame": "</textarea></script><iframe srcdoc='<script>parent.hacked=1</script>'>",
    "address": "javascript:window.hacked=1//",
    "template": "${window.hacked=1}{{constructor.constructor('window.hacked=1')()}}",
    "control": "a\u0007\u001b[31m\u0000\u0085b\u2028c",
    "direction": "\u202e\u2066drowssap\u2069\u200b\ufeff",
}

# Members of a request that a merchant fills with its own texts or a payer's, by their paths.
MEMBERS = [
    "apiOperation", "correlationId", "order.amount", "order.currency", "order.reference", "order.description", "order.notificationUrl",
    "order.customerNote", "order.customerReference", "order.invoiceNumber", "order.id", "order.statementDescriptor.name",
    "order.walletProvider", "order.custom.hostile", "order.item.0.name", "order.item.0.description", "order.item.0.sku",
    "transaction.reference", "transaction.merchantNote", "transaction.source", "transaction.acquirer.customData",
    "customer.firstName", "customer.lastName", "customer.email", "customer.phone", "customer.mobilePhone",
    "customer.taxRegistrationId", "billing.address.street", "billing.address.street2", "billing.address.city",
    "billing.address.company", "billing.address.postcodeZip", "billing.address.stateProvince", "billing.address.country",
    "shipping.address.street", "shipping.address.city", "shipping.contact.firstName", "shipping.contact.lastName",
    "shipping.contact.email", "device.browser", "device.ipAddress", "sourceOfFunds.type", "sourceOfFunds.token",
    "sourceOfFunds.provided.card.nameOnCard", "sourceOfFunds.provided.card.number", "sourceOfFunds.provided.card.prefix",
    "sourceOfFunds.provided.card.devicePayment.paymentToken", "posTerminal.location", "partnerSolutionId", "userId", "session.id",
    "unknownMember",
]

# Elements that no page of the console has, with what a payload would add.
INTRUDERS = "main script, main img, main iframe, main svg, main object, main embed, [onload], [onerror], [style]"


def request_with(path: str, payload: str) -> dict:
    """A payment whose member at a path is the payload."""
    request: dict = {
        "apiOperation": "PAY", "order": {"amount": "10.00", "currency": "USD"},
        "sourceOfFunds": {"type": "CARD", "provided": {"card": {
            "number": "5123450000000008", "expiry": {"month": "01", "year": "39"}, "securityCode": "100"}}},
    }
    place: object = request
    names = path.split(".")
    for index, name in enumerate(names[:-1]):
        following: object = [{}] if names[index + 1] == "0" else {}
        if name == "0":
            place = place[0]
        else:
            place = place.setdefault(name, copy.deepcopy(following))
    place[names[-1]] = payload
    return request


def expect_only_text(console: Console, route: str) -> None:
    """Opens a page with all its trees, and looks for what a payload would have done."""
    console.open(route)
    page = console.page
    expect(page.get_by_text("Loading", exact=True)).to_have_count(0)
    for _ in range(6):
        if page.evaluate("[...document.querySelectorAll('details:not([open])')].map((part) => { part.open = true; }).length") == 0:
            break
        page.wait_for_function("true")
    assert page.locator(INTRUDERS).count() == 0, route
    assert page.evaluate("typeof window.hacked") == "undefined", route
    assert page.locator("a[href]:not([href^='#'])").count() == 0, route


@pytest.mark.parametrize("name", PAYLOADS)
def test_a_payload_in_every_member_is_text(console: Console, merchant: Merchant, gateway: Gateway, name: str) -> None:
    payload = PAYLOADS[name]
    for number, member in enumerate(MEMBERS):
        merchant.send(f"order-{number}", "1", request_with(member, payload))
    # A member may have any name, and a path any segment.
    merchant.send("order-names", "1", {"apiOperation": "PAY", payload: {payload: payload}})
    merchant.send("x" * 60, payload, {"apiOperation": "PAY"})
    merchant.pay(payload[:40])
    merchant.pay(f"order-{payload[:30]}")
    token = merchant.control("POST", "tokens", {"amount": "1.00", "currency": "USD", "name": "Ada", "request": "PAY"})["request"]
    part = token["sourceOfFunds"]["provided"]["card"]["devicePayment"]
    for member in ["version", "data", "signature", "header"]:
        broken = json.loads(part["paymentToken"])
        broken[member] = payload
        part_of = copy.deepcopy(token)
        part_of["sourceOfFunds"]["provided"]["card"]["devicePayment"]["paymentToken"] = json.dumps(broken)
        merchant.send(f"token-{member}", "1", part_of)
    requests = merchant.control("GET", "requests")["requests"]
    orders = merchant.control("GET", "orders?limit=100")["orders"]
    reports = merchant.control("GET", "reports")["reports"]
    assert len(requests) >= len(MEMBERS) and orders and reports
    for route in PAGES:
        expect_only_text(console, route)
    for request in requests:
        expect_only_text(console, f"requests/{request['id']}")
    for order in orders:
        expect_only_text(console, f"orders/{MERCHANT}/{quote(order['order'], safe='')}")
    for report in reports:
        expect_only_text(console, f"tokens/reports/{report['id']}")


@pytest.mark.parametrize("name", PAYLOADS)
def test_a_payload_is_shown_as_it_was_sent(console: Console, merchant: Merchant, name: str) -> None:
    merchant.pay("order-1", description=PAYLOADS[name])
    shown = merchant.control("GET", "requests")["requests"][-1]
    console.open(f"requests/{shown['id']}")
    tree = console.page.get_by_label("Request", exact=True).last
    sent = shown["request"]["order"]["description"]
    expect(tree.locator("li", has_text="description: ").last).to_have_text(f"description: {json.dumps(sent, ensure_ascii=False)}")


@pytest.mark.parametrize("name", PAYLOADS)
def test_a_payload_that_is_typed_is_text(console: Console, name: str) -> None:
    payload = PAYLOADS[name].replace("\u0000", "")
    page = console.open("tokens/inspect").page
    console.label("Token").fill(payload)
    console.button("Inspect").click()
    expect(page.get_by_role("alert").or_(page.get_by_label("Verdict"))).to_be_visible()
    for route, field in [("orders", "order"), ("orders", "merchant"), ("requests", "order"), ("requests", "outcome"),
                         ("outcomes", "order"), ("outcomes", "amount")]:
        console.open(route)
        page.locator(f"main [name={field}]").fill(payload)
        page.locator(f"main [name={field}]").press("Enter")
        assert page.locator(INTRUDERS).count() == 0
    for route in ["orders/%3Cimg%20src%3Dx%20onerror%3Dhacked%3D1%3E/x", "requests/%3Cimg%3E", "tokens/reports/%3Csvg%3E", "%3Cscript%3E"]:
        expect_only_text(console, route)


def test_a_page_of_another_site_can_not_frame_or_load_the_console(console: Console, gateway: Gateway) -> None:
    status, reply = call("GET", f"{gateway.url}/_tollgate/health")
    assert status == 200 and reply["status"] == "READY"
    page = console.page
    page.goto(f"{gateway.url}/_tollgate/")
    headers = page.request.get(f"{gateway.url}/_tollgate/").headers
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert "require-trusted-types-for 'script'" in headers["content-security-policy"]
    assert headers["referrer-policy"] == "no-referrer"
    assert page.evaluate("""() => {
      try { document.body.innerHTML = "<p>"; return "allowed"; } catch (error) { return error.name; }
    }""") == "TypeError"
    console.errors.clear()
