"""The console in a browser, and what its tests prepare."""

import json
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from gateway import MERCHANT, Gateway
from shop import call
from playwright.sync_api import Locator, Page, expect

PAGES = ["orders", "requests", "tokens/inspect", "tokens/mint", "tokens/reports", "outcomes", "merchants"]


class Console:
    """One tab of the console. Its errors and its requests to other places fail the test."""

    def __init__(self, page: Page, gateway: Gateway, base: str | None = None) -> None:
        self.page = page
        self.gateway = gateway
        self.base = base or f"{gateway.url}/_tollgate/"
        self.errors: list[str] = []
        self.origins: set[str] = set()
        page.on("console", lambda message: self._note(message.type, message.text))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("dialog", lambda dialog: self.errors.append(f"dialog: {dialog.message}"))
        page.on("request", lambda request: self.origins.add("/".join(request.url.split("/")[:3])))

    def _note(self, kind: str, text: str) -> None:
        # Chromium reports every reply with an error status, which the pages show themselves.
        if kind in ("error", "warning") and "Failed to load resource" not in text:
            self.errors.append(text)

    def open(self, route: str = "orders") -> "Console":
        self.page.goto(f"{self.base}#/{route}")
        expect(self.page.locator("#connection")).to_have_text("live")
        return self

    def row(self, text: str) -> Locator:
        return self.page.locator("tbody tr", has_text=text)

    def label(self, text: str) -> Locator:
        """The control with a label."""
        return self.page.get_by_label(text, exact=True)

    def form(self, label: str) -> Locator:
        """The form of the control with a label."""
        return self.page.locator("form", has=self.label(label))

    def button(self, text: str, scope: str = "body") -> Locator:
        return self.page.locator(scope).get_by_role("button", name=text, exact=True)

    def mint(self, amount: str = "5656.00", **selected: str) -> None:
        """Mints a token on its page."""
        self.open("tokens/mint")
        self.label("Amount").fill(amount)
        for name, value in selected.items():
            control = self.page.locator(f"main [name={name}]")
            expect(control.locator(f"option[value='{value}']")).to_have_count(1)
            control.select_option(value)
        self.button("Mint").click()
        expect(self.page.get_by_label("Minted token")).to_be_visible()

    def check(self) -> None:
        assert self.errors == []
        assert self.origins == {"/".join(self.base.split("/")[:3])}


class Merchant:
    """Pays at the merchants' API."""

    def __init__(self, gateway: Gateway) -> None:
        self.gateway = gateway

    def send(self, order: str, transaction: str, request: dict) -> tuple[int, dict]:
        order, transaction = quote(order, safe=""), quote(transaction, safe="")
        path = f"/api/rest/version/100/merchant/{MERCHANT}/order/{order}/transaction/{transaction}"
        return call("PUT", self.gateway.url + path, request, Authorization=self.gateway.authorization)

    def pay(self, order: str, amount: str = "10.00", operation: str = "PAY", **members: str) -> tuple[int, dict]:
        """Pays by card; further members are the order's."""
        card = {"number": "5123450000000008", "expiry": {"month": "01", "year": "39"}, "securityCode": "100"}
        return self.send(order, "1", {
            "apiOperation": operation, "order": {"amount": amount, "currency": "USD", **members},
            "sourceOfFunds": {"type": "CARD", "provided": {"card": card}}})

    def control(self, method: str, path: str, body: object = None) -> dict:
        status, reply = call(method, f"{self.gateway.url}/_tollgate/{path}", body)
        assert status < 300, json.dumps(reply)
        return reply


@pytest.fixture
def merchant(gateway: Gateway) -> Iterator[Merchant]:
    merchant = Merchant(gateway)
    merchant.control("POST", "reset", {})
    yield merchant
    merchant.control("POST", "reset", {})


@pytest.fixture
def console(page: Page, gateway: Gateway, merchant: Merchant) -> Iterator[Console]:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    console = Console(page, gateway)
    yield console
    console.check()
