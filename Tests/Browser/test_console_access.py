"""The console by keyboard alone, on a narrow screen, for screen readers, and behind a bearer token."""

import pathlib

import pytest
from conftest import MERCHANT, Gateway
from console import PAGES, Console, Merchant
from playwright.sync_api import Browser, Page, expect

# The contrast of each text with what is behind it (WCAG 2.2, 1.4.3), as "ratio text" where it is below 4.5.
CONTRAST = """() => {
  const channels = (text) => text.match(/[\\d.]+/g).map(Number);
  const luminance = ([red, green, blue]) => [red, green, blue].map((value) => value / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
    .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0);
  const paper = (element) => {
    for (let place = element; place; place = place.parentElement) {
      const color = channels(getComputedStyle(place).backgroundColor);
      if ((color[3] ?? 1) > 0) return color;
    }
    return [255, 255, 255];
  };
  const found = [];
  for (const element of document.querySelectorAll("body *")) {
    const text = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim()).join("");
    const style = getComputedStyle(element);
    if (text === "" || element.matches("option, noscript") || element.disabled || !element.checkVisibility()) continue;
    const [one, other] = [luminance(channels(style.color)), luminance(paper(element))].sort((a, b) => b - a);
    const ratio = (one + 0.05) / (other + 0.05);
    if (ratio < 4.5) found.push(`${ratio.toFixed(2)} ${text}`);
  }
  return found;
}"""

# Controls without an accessible name, and identifiers that occur twice.
UNNAMED = """() => [...document.querySelectorAll("input, select, textarea, button, a")].filter((control) =>
  control.checkVisibility() && !control.getAttribute("aria-label") && !control.textContent.trim()
  && !(control.labels && [...control.labels].some((label) => label.textContent.trim()))).map((control) => control.outerHTML)"""


@pytest.fixture
def pages(merchant: Merchant) -> list[str]:
    """Every page, with data on it."""
    for number, amount in enumerate(["10.00", "5757.00", "12.50"]):
        merchant.pay(f"order-{number}", amount)
    merchant.send("order-3", "1", {"apiOperation": "PAY"})
    merchant.control("POST", "outcomes", {"gatewayCode": "DECLINED", "count": 0, "order": "nobody"})
    token = merchant.control("POST", "tokens", {"amount": "1.00", "currency": "USD", "defect": "tag-altered", "request": "PAY"})
    merchant.send("order-4", "1", token["request"])
    report = merchant.control("GET", "reports")["reports"][0]["id"]
    request = merchant.control("GET", "requests")["requests"][-1]["id"]
    return [*PAGES, f"orders/{MERCHANT}/order-0", f"requests/{request}", f"tokens/reports/{report}"]


def settle(console: Console) -> None:
    expect(console.page.get_by_text("Loading", exact=True)).to_have_count(0)
    expect(console.page.get_by_role("heading", level=1)).to_have_count(1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_has_contrast(console: Console, pages: list[str], scheme: str) -> None:
    # A colour that changes gradually has no contrast of its own.
    console.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    for route in pages:
        console.open(route)
        settle(console)
        assert console.page.evaluate(CONTRAST) == [], route


def test_every_control_has_a_name(console: Console, pages: list[str]) -> None:
    for route in pages:
        console.open(route)
        settle(console)
        assert console.page.evaluate(UNNAMED) == [], route
        assert console.page.locator("table").count() == console.page.locator("table > caption").count()
        assert console.page.locator("nav:not([aria-label])").count() == 0
    console.page.keyboard.press("?")
    expect(console.page.get_by_role("dialog", name="Keys")).to_be_visible()
    assert console.page.evaluate(UNNAMED) == []


@pytest.mark.parametrize("width", [360, 700, 1024])
def test_no_page_is_wider_than_the_screen(console: Console, pages: list[str], width: int) -> None:
    console.page.set_viewport_size({"width": width, "height": 740})
    for route in pages:
        console.open(route)
        settle(console)
        assert console.page.evaluate("document.documentElement.scrollWidth") <= width, route


def test_a_payment_on_a_narrow_screen(console: Console) -> None:
    console.page.set_viewport_size({"width": 360, "height": 740})
    console.mint("30.00")
    console.button("Pay with it").click()
    console.button("Refund", "main").click()
    console.button("Refund", "dialog").click()
    expect(console.page.get_by_label("Summary")).to_contain_text("REFUNDED")


def tab_to(page: Page, name: str, tag: str = "*") -> None:
    """Presses Tab until the focus is on the control with a name."""
    for _ in range(60):
        page.keyboard.press("Tab")
        found = page.evaluate(
            "() => [document.activeElement.tagName, document.activeElement.getAttribute('aria-label')"
            " ?? document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent]")
        if found[1] == name and tag in ("*", found[0]):
            # The focus must be seen.
            assert page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle") != "none"
            return
    raise AssertionError(f"Tab does not reach {name}")


def test_a_payment_by_keyboard_alone(console: Console) -> None:
    page = console.open("orders").page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("3")
    expect(page.get_by_role("heading", level=1)).to_have_text("Tokens")
    # The focus is on the new page.
    assert page.evaluate("document.activeElement.id") == "main"
    tab_to(page, "Mint", "A")
    page.keyboard.press("Enter")
    tab_to(page, "Amount")
    page.keyboard.press("Control+A")
    page.keyboard.type("40.00")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Minted token")).to_be_visible()
    tab_to(page, "Authorize with it")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Summary")).to_contain_text("AUTHORIZED")
    tab_to(page, "Capture")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    tab_to(page, "Capture")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Summary")).to_contain_text("CAPTURED")
    # The dialog gives the focus back.
    assert page.evaluate("document.activeElement.textContent") == "Capture"


def test_a_list_is_walked_by_arrows_and_searched_by_a_slash(console: Console, merchant: Merchant) -> None:
    for number in range(3):
        merchant.pay(f"order-{number}")
    page = console.open("orders").page
    expect(page.locator("tbody tr")).to_have_count(3)
    names = []
    for key in ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp"]:
        page.keyboard.press(key)
        names.append(page.evaluate("document.activeElement.textContent"))
    assert names == ["order-2", "order-1", "order-0", "order-0", "order-1"]
    # A row that changes keeps the focus.
    merchant.send("order-1", "2", {"apiOperation": "REFUND", "transaction": {"amount": "1.00", "currency": "USD"}})
    expect(console.row("order-1")).to_contain_text("PARTIALLY_REFUNDED")
    assert page.evaluate("document.activeElement.textContent") == "order-1"
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Order order-1")
    page.go_back()
    expect(page.locator("tbody tr")).to_have_count(3)
    page.keyboard.press("/")
    page.keyboard.type("order-2")
    expect(page.locator("tbody tr")).to_have_count(1)


def test_a_dialog_is_left_by_escape(console: Console, merchant: Merchant) -> None:
    merchant.pay("order-1")
    page = console.open(f"orders/{MERCHANT}/order-1").page
    console.button("Refund", "main").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_bearer_token_is_asked_for_once_and_kept_out_of_addresses(request: pytest.FixtureRequest, browser: Browser) -> None:
    program = request.config.getoption("--program").resolve()
    with Gateway(program, options=("--control-port", "0")) as gateway:
        token = pathlib.Path(gateway.folder / "data/control-token").read_text().strip()
        context = browser.new_context()
        page = context.new_page()
        console = Console(page, gateway, gateway.control_url)
        urls: list[str] = []
        page.on("request", lambda sent: urls.append(sent.url))
        page.goto(console.base)
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Bearer token").fill("wrong")
        dialog.get_by_role("button").click()
        expect(page.get_by_text("The gateway refuses this token.")).to_be_visible()
        page.get_by_role("dialog").get_by_label("Bearer token").fill(token)
        page.get_by_role("dialog").get_by_role("button").click()
        expect(page.locator("#connection")).to_have_text("live")
        expect(page.get_by_text("No orders.")).to_be_visible()
        page.reload()
        expect(page.get_by_text("No orders.")).to_be_visible()
        expect(page.get_by_role("dialog")).to_have_count(0)
        assert not [url for url in urls if token in url]
        assert page.evaluate("Object.keys(localStorage).length + document.cookie.length") == 0
        # Another tab of its own knows nothing.
        other = context.new_page()
        other.goto(console.base)
        expect(other.get_by_role("dialog")).to_be_visible()
        console.check()
        context.close()
