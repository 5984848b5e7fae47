"""A test chooses what a person would: by the script's URL and by `window.tollgateApplePay`."""

import pytest
from conftest import Checkout
from playwright.sync_api import expect


def controls(checkout: Checkout, script: str) -> None:
    """Sets the controls as soon as the script is loaded, before the payer acts."""
    checkout.page.evaluate(f"() => {{ {script} }}")


@pytest.mark.parametrize(("auto", "expected"), [
    ("pay", ("gatewayCode", "APPROVED")), ("cancel", ("cancelled", "unknown")), ("fail", ("result", "ERROR"))])
def test_the_url_of_the_script_chooses_the_outcome(checkout: Checkout, auto: str, expected: tuple[str, str]) -> None:
    checkout.shop.script_query = f"?auto={auto}"
    checkout.open("shipping&coupon")
    checkout.press_button()
    member, value = expected
    assert checkout.outcome()[member] == value


def test_an_unknown_outcome_is_refused(page, shop) -> None:
    checkout = Checkout(page, shop)
    shop.script_query = "?auto=win"
    checkout.open()
    assert any('"win" is not an outcome' in error for error in checkout.errors)


@pytest.mark.parametrize("setting", ["card = 'masterCard'", "card = 'visa'", "card = 'amex'"])
def test_a_test_chooses_the_card(checkout: Checkout, setting: str) -> None:
    checkout.open()
    controls(checkout, f"tollgateApplePay.{setting}; tollgateApplePay.outcome = 'pay'")
    checkout.press_button()
    checkout.outcome()
    method = checkout.detail("paymentauthorized")["method"]
    assert method["network"].lower() in setting.lower()


def test_a_card_that_is_missing_is_named(checkout: Checkout) -> None:
    checkout.open()
    controls(checkout, "tollgateApplePay.card = 'Visa 9999'")
    checkout.press_button()
    expect(checkout.sheet("status")).to_contain_text("Visa 9999")
    expect(checkout.sheet("pay")).to_be_disabled()


def test_a_test_chooses_the_contact(checkout: Checkout) -> None:
    checkout.open("shipping&billing")
    controls(checkout, "tollgateApplePay.contact = {givenName: 'Ada', postalCode: '12345'};"
             "tollgateApplePay.billingContact = {familyName: 'Bill'}; tollgateApplePay.mode = 'pay'")
    checkout.press_button()
    checkout.outcome()
    authorized = checkout.detail("paymentauthorized")
    assert authorized["shippingContact"]["givenName"] == "Ada"
    assert authorized["shippingContact"]["familyName"] == "Gate"
    assert authorized["billingContact"]["familyName"] == "Bill"
    assert checkout.detail("shippingcontactselected")["postalCode"] == "12345"


def test_settings_before_the_script_are_taken_over(checkout: Checkout) -> None:
    checkout.page.add_init_script("window.tollgateApplePay = {outcome: 'cancel', delay: 10}")
    checkout.open()
    checkout.press_button()
    assert checkout.outcome() == {"cancelled": "unknown"}


def test_the_outcome_waits_for_the_delay(checkout: Checkout) -> None:
    checkout.page.clock.install()
    checkout.open()
    controls(checkout, "tollgateApplePay.delay = 5000; tollgateApplePay.outcome = 'pay'")
    checkout.press_button()
    expect(checkout.sheet("pay")).to_be_enabled()
    checkout.page.clock.fast_forward(4_000)
    assert "paymentauthorized" not in checkout.events()
    checkout.page.clock.fast_forward(2_000)
    assert checkout.outcome()["gatewayCode"] == "APPROVED"


def test_events_are_reported(checkout: Checkout) -> None:
    checkout.open("shipping")
    controls(checkout, "window.seen = []; for (const type of ['open', 'validatemerchant', 'paymentmethodselected', 'ready', "
             "'token', 'paymentauthorized', 'close']) tollgateApplePay.on(type, (event) => seen.push(event.type));"
             "tollgateApplePay.on('open', () => {})(); tollgateApplePay.outcome = 'pay'")
    checkout.press_button()
    checkout.outcome()
    assert checkout.page.evaluate("() => seen") == [
        "open", "validatemerchant", "paymentmethodselected", "ready", "token", "paymentauthorized", "close"]


def test_an_error_is_reported_with_the_gateway_s_words(checkout: Checkout) -> None:
    checkout.open("domain=other.example.com")
    controls(checkout, "window.seen = []; tollgateApplePay.on('error', (event) => seen.push(event.message))")
    checkout.press_button()
    checkout.outcome()
    assert "for another domain" in checkout.page.evaluate("() => seen[0]")


@pytest.mark.parametrize(("setting", "name"), [
    ("outcome = 'win'", "TypeError"), ("defect = 'rust'", "TypeError"), ("delay = -1", "TypeError"),
    ("contact = 'Ada'", "TypeError")])
def test_a_wrong_setting_is_refused(checkout: Checkout, setting: str, name: str) -> None:
    checkout.open()
    assert checkout.page.evaluate(
        f"() => {{ try {{ tollgateApplePay.{setting}; return 'none' }} catch (error) {{ return error.name }} }}") == name


def test_a_person_chooses_the_defect_on_the_sheet(checkout: Checkout) -> None:
    checkout.start()
    checkout.sheet("sheet").locator("summary").click()
    checkout.sheet("defect").select_option("signature-altered")
    assert checkout.pay()["status"] == 400
