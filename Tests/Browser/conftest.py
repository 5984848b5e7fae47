"""The gateway, the shop and the browser of the tests."""

import json
import pathlib
import sys
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Clients"))

from gateway import MERCHANT, Gateway  # noqa: E402
from console import console, merchant  # noqa: E402, F401
from shop import Shop, call  # noqa: E402


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--program", type=pathlib.Path, required=True, help="the built tollgate")


class Checkout:
    """The shop's page in the browser, with the sheet over it."""

    def __init__(self, page: Page, shop: Shop) -> None:
        self.page = page
        self.shop = shop
        self.console: list[str] = []
        self.errors: list[str] = []
        page.on("console", lambda message: self.console.append(message.text))
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def sheet(self, part: str = "sheet") -> Locator:
        """An element of the sheet by its test id, without `apple-pay-`."""
        return self.page.get_by_test_id(f"apple-pay-{part}")

    def open(self, query: str = "", name: str = "checkout.html", host: str = "localhost") -> None:
        self.page.goto(f"http://{host}:{self.shop.port}/{name}?{query}")

    def press_button(self) -> None:
        self.page.locator("#apple-pay").click()

    def start(self, query: str = "", name: str = "checkout.html") -> None:
        """Opens the page and its sheet, and waits until the payer can pay."""
        self.open(query, name)
        self.press_button()
        expect(self.sheet("pay")).to_be_enabled()

    def pay(self) -> dict:
        self.sheet("pay").click()
        return self.outcome()

    def outcome(self) -> dict:
        """What the page says of the payment in the end; the sheet is closed then."""
        outcome = self.page.locator("#outcome")
        expect(outcome).not_to_be_empty()
        expect(self.sheet()).to_have_count(0)
        return json.loads(outcome.inner_text())

    def events(self) -> list[str]:
        return [event for event, *_ in self.notes()]

    def notes(self) -> list[list]:
        """The events that the page got, each with what it noted."""
        return json.loads(self.page.locator("#events").inner_text())

    def detail(self, event: str) -> object:
        """What the page noted of the last event of a type."""
        return next(note[1] for note in reversed(self.notes()) if note[0] == event)


@pytest.fixture(scope="session")
def gateway(request: pytest.FixtureRequest) -> Iterator[Gateway]:
    with Gateway(request.config.getoption("--program").resolve()) as gateway:
        yield gateway


@pytest.fixture
def shop(gateway: Gateway) -> Iterator[Shop]:
    with Shop(gateway.url, MERCHANT, gateway.authorization) as shop:
        yield shop
    assert call("PUT", f"{gateway.url}/_tollgate/clock", {"offsetSeconds": 0})[0] == 200


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        # Only this browser finds stranger.test, a page of no loopback name.
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium",
            args=["--no-sandbox", "--host-resolver-rules=MAP stranger.test 127.0.0.1"])
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    context.set_default_timeout(10_000)
    yield context.new_page()
    context.close()


@pytest.fixture
def checkout(page: Page, shop: Shop) -> Iterator[Checkout]:
    checkout = Checkout(page, shop)
    yield checkout
    assert checkout.errors == []
    # The shop's policy allows the gateway's script and replies, and no other: nothing of the sheet needs more.
    assert [line for line in checkout.console if "Content Security Policy" in line or "Trusted" in line] == []
