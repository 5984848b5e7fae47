"""The sheet: by keyboard alone, for a screen reader, light and dark, and with texts that try to be more than text."""

import re

import pytest
from conftest import Checkout
from playwright.sync_api import expect


def active(checkout: Checkout) -> str | None:
    """The test id of the focused element of the sheet."""
    return checkout.page.evaluate(
        "() => document.activeElement?.shadowRoot?.activeElement?.dataset.testid ?? null")


def tab_to(checkout: Checkout, part: str) -> None:
    for _ in range(40):
        if active(checkout) == f"apple-pay-{part}":
            return
        checkout.page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not reach {part}")


def test_a_payment_needs_no_mouse(checkout: Checkout) -> None:
    checkout.open("shipping&coupon")
    checkout.page.keyboard.press("Tab")
    checkout.page.keyboard.press("Enter")
    expect(checkout.sheet("pay")).to_be_enabled()
    tab_to(checkout, "coupon")
    checkout.page.keyboard.type("SAVE")
    checkout.page.keyboard.press("Enter")
    expect(checkout.sheet("total")).to_contain_text("5600.00 USD")
    expect(checkout.sheet("pay")).to_be_enabled()
    assert active(checkout) == "apple-pay-coupon", "an update keeps the focus"
    tab_to(checkout, "shipping-method")
    checkout.page.keyboard.press("ArrowDown")
    expect(checkout.sheet("total")).to_contain_text("5666.00 USD")
    expect(checkout.sheet("pay")).to_be_enabled()
    tab_to(checkout, "pay")
    checkout.page.keyboard.press("Enter")
    assert checkout.outcome()["error"] is None


def test_escape_cancels(checkout: Checkout) -> None:
    checkout.start()
    checkout.page.keyboard.press("Escape")
    assert checkout.outcome() == {"cancelled": "unknown"}


def test_the_focus_stays_in_the_sheet_and_returns_to_the_button(checkout: Checkout) -> None:
    checkout.start()
    for _ in range(12):
        checkout.page.keyboard.press("Tab")
        assert checkout.page.evaluate("() => document.activeElement.id") != "apple-pay"
    checkout.sheet("cancel").click()
    checkout.outcome()
    assert checkout.page.evaluate("() => document.activeElement.id") == "apple-pay"


def test_a_screen_reader_finds_names_and_news(checkout: Checkout) -> None:
    checkout.start("shipping&billing&coupon")
    dialog = checkout.page.get_by_role("dialog", name="Apple Pay (sandbox)")
    expect(dialog).to_be_visible()
    for name in ["Cancel", "Pay with Apple Pay", "Apply coupon"]:
        expect(dialog.get_by_role("button", name=name)).to_be_visible()
    for name in ["Card", "Shipping method"]:
        expect(dialog.get_by_role("combobox", name=name)).to_be_visible()
    expect(dialog.get_by_role("region", name="Shipping contact").get_by_role("textbox", name="Postal code")).to_be_visible()
    expect(dialog.get_by_role("region", name="Billing contact").get_by_role("textbox", name="Given name")).to_be_visible()
    expect(dialog.get_by_role("status")).to_have_text("Ready to pay.")
    unnamed = checkout.page.evaluate(
        "() => Array.from(document.querySelector('[data-testid=apple-pay-host]').shadowRoot.querySelectorAll('input, select'))"
        ".filter((control) => control.labels.length === 0).length")
    assert unnamed == 0
    checkout.sheet("coupon").fill("WRONG")
    checkout.sheet("coupon-apply").click()
    expect(dialog.get_by_role("alert")).to_have_text("There is no such coupon.")


def luminance(color: str) -> float:
    channels = [int(text) / 255 for text in re.findall(r"\d+", color)[:3]]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    """The contrast ratio of two colours. Source: WCAG 2.2."""
    bright, dark = sorted([luminance(first), luminance(second)], reverse=True)
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_have_the_contrast_of_wcag(checkout: Checkout, scheme: str) -> None:
    checkout.page.emulate_media(color_scheme=scheme)
    checkout.start("shipping")
    checkout.sheet("shipping-countryCode").fill("DE")
    checkout.sheet("shipping-countryCode").press("Tab")
    expect(checkout.sheet("error")).to_be_visible()
    paper = checkout.sheet().evaluate("(sheet) => getComputedStyle(sheet).backgroundColor")
    assert (luminance(paper) > 0.5) == (scheme == "light")
    for part in ["sheet", "status", "total", "error", "error-shipping-countryCode"]:
        ink = checkout.sheet(part).evaluate("(part) => getComputedStyle(part).color")
        assert contrast(ink, paper) >= 4.5, part
    field = checkout.sheet("coupon").evaluate("(part) => [getComputedStyle(part).color, getComputedStyle(part).backgroundColor]")
    assert contrast(*field) >= 4.5


HOSTILE = "<img src=x onerror=alert(1)>\u202e\u0007 shop"
SHOWN = "<img src=x onerror=alert(1)>⟨U+202E⟩⟨U+0007⟩ shop"


def test_texts_of_the_merchant_are_text(checkout: Checkout) -> None:
    dialogs = []
    checkout.page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    checkout.page.route("**/checkout.js", lambda route: route.fulfill(
        body=route.fetch().text().replace("Example shop", HOSTILE).replace("There is no such coupon.", HOSTILE)
        .replace('"Standard"', repr(HOSTILE)), content_type="text/javascript"))
    checkout.start("shipping&coupon")
    expect(checkout.sheet("total")).to_contain_text(SHOWN)
    assert checkout.sheet("total").locator("bdi").count() == 1
    expect(checkout.sheet("shipping-method").locator("option").first).to_contain_text(SHOWN)
    checkout.sheet("coupon").fill("WRONG")
    checkout.sheet("coupon-apply").click()
    expect(checkout.sheet("error").locator("bdi")).to_have_text(SHOWN)
    assert checkout.sheet().locator("img").count() == 0
    assert dialogs == []


def test_script_in_a_contact_s_name_is_text(checkout: Checkout) -> None:
    checkout.open("shipping")
    checkout.page.evaluate("(name) => { tollgateApplePay.contact = {givenName: name} }", HOSTILE)
    checkout.press_button()
    expect(checkout.sheet("shipping-givenName")).to_have_value(SHOWN)
    assert checkout.sheet().locator("img").count() == 0
    expect(checkout.sheet("pay")).to_be_enabled()
    checkout.pay()
    assert checkout.detail("paymentauthorized")["shippingContact"]["givenName"] == HOSTILE, "the shop gets what the payer gave"


def test_the_button_shows_its_type(checkout: Checkout) -> None:
    checkout.open()
    button = checkout.page.get_by_role("button", name="Buy with Apple Pay")
    expect(button).to_be_visible()
    checkout.page.evaluate("() => document.querySelector('#apple-pay').setAttribute('type', 'donate')")
    expect(checkout.page.get_by_role("button", name="Donate with Apple Pay")).to_be_visible()
    checkout.page.evaluate("() => document.querySelector('#apple-pay').setAttribute('buttonstyle', 'white')")
    assert button.or_(checkout.page.get_by_role("button", name="Donate with Apple Pay")).evaluate(
        "(button) => getComputedStyle(button).backgroundColor") == "rgb(255, 255, 255)"
