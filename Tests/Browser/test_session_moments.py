"""What Safari allows at which moment: one session, each answer once, within 30 s and within a user's gesture."""

import pytest
from conftest import Checkout
from playwright.sync_api import expect

ACCESS = "InvalidAccessError: The object does not support the operation or argument."


def log(checkout: Checkout) -> list[str]:
    return checkout.page.locator("#log li").all_inner_texts()


def start(checkout: Checkout, scenario: str) -> None:
    checkout.open(f"scenario={scenario}", "moments.html")
    checkout.press_button()


@pytest.mark.parametrize(("scenario", "expected"), [
    ("begin-twice", ["begin: InvalidAccessError: Payment session is already active."]),
    ("two-sessions", ["begin: InvalidAccessError: Page already has an active payment session."]),
    ("complete-before-begin", [f"{name}: {ACCESS}" for name in [
        "completeMerchantValidation", "completePaymentMethodSelection", "completeShippingContactSelection",
        "completeShippingMethodSelection", "completeCouponCodeChange", "completePayment", "abort"]]),
    ("merchant-validation-twice", ["validatemerchant", f"completeMerchantValidation: {ACCESS}"]),
    ("merchant-validation-without-object", ["validatemerchant", "completeMerchantValidation: TypeError: Type error"]),
    ("update-without-total", ["validatemerchant", "paymentmethodselected",
                              "completePaymentMethodSelection: TypeError: Member ApplePayPaymentMethodUpdate.newTotal is "
                              "required and must be an instance of ApplePayLineItem"]),
    ("update-twice", ["validatemerchant", "paymentmethodselected", f"completePaymentMethodSelection: {ACCESS}"]),
    ("other-update", ["validatemerchant", "paymentmethodselected", f"completeShippingMethodSelection: {ACCESS}"]),
    ("abort", ["validatemerchant", f"abort: {ACCESS}", f"completeMerchantValidation: {ACCESS}"]),
])
def test_a_call_at_the_wrong_moment_throws(checkout: Checkout, scenario: str, expected: list[str]) -> None:
    start(checkout, scenario)
    expect(checkout.page.locator("#log li")).to_have_count(len(expected))
    assert log(checkout) == expected


def test_a_session_needs_a_gesture(checkout: Checkout) -> None:
    checkout.open("scenario=without-gesture", "moments.html")
    expect(checkout.page.locator("#log li")).to_have_text(
        "new: InvalidAccessError: Must create a new ApplePaySession from a user gesture handler.")


def test_a_session_needs_a_secure_context(checkout: Checkout) -> None:
    checkout.open("", host="stranger.test")
    insecure = "InvalidAccessError: Trying to start an Apple Pay session from an insecure document."
    for call in ["supportsVersion(3)", "canMakePayments()"]:
        assert checkout.page.evaluate(
            f"() => {{ try {{ ApplePaySession.{call}; return 'none' }} catch (error) {{ "
            "return `${error.name}: ${error.message}` } }") == insecure


def test_payments_complete_once(checkout: Checkout) -> None:
    start(checkout, "complete-twice")
    checkout.sheet("pay").click()
    expect(checkout.page.locator("#log li").last).to_have_text(f"completePayment: {ACCESS}")
    expect(checkout.sheet()).to_have_count(0)


def test_a_failure_without_errors_ends_the_session(checkout: Checkout) -> None:
    start(checkout, "failure")
    checkout.sheet("pay").click()
    expect(checkout.sheet()).to_have_count(0)
    assert log(checkout)[-1] == "paymentauthorized"


@pytest.mark.parametrize(("scenario", "text", "field"), [
    ("failure-with-errors", "The city is wrong.", "shipping-locality"),
    ("status-3", "The shop refuses the shipping contact. (postalAddress)", "shipping-addressLines"),
])
def test_a_failure_with_errors_shows_them_and_keeps_the_sheet(
        checkout: Checkout, scenario: str, text: str, field: str) -> None:
    start(checkout, scenario)
    checkout.sheet("pay").click()
    expect(checkout.sheet(f"error-{field}")).to_have_text(text)
    expect(checkout.sheet("pay")).to_be_disabled()
    checkout.sheet(field).fill("Corrected")
    checkout.sheet(field).press("Tab")
    expect(checkout.sheet("pay")).to_be_enabled()
    # Unlike Safari, which would authorize a second time.
    checkout.sheet("pay").click()
    expect(checkout.sheet("error")).to_contain_text("good for one token")


def test_events_without_a_listener_change_nothing(checkout: Checkout) -> None:
    start(checkout, "no-listeners")
    expect(checkout.sheet("pay")).to_be_enabled()
    expect(checkout.sheet("total")).to_contain_text("10.00 USD")


@pytest.mark.parametrize(("scenario", "event", "needs_click"), [
    ("no-answer-to-validation", "validatemerchant", False), ("no-answer-to-method", "paymentmethodselected", False),
    ("no-answer-to-payment", "paymentauthorized", True)])
def test_an_answer_that_takes_30_seconds_ends_the_payment(
        checkout: Checkout, scenario: str, event: str, needs_click: bool) -> None:
    checkout.page.clock.install()
    start(checkout, scenario)
    if needs_click:
        checkout.sheet("pay").click()
    expect(checkout.page.locator("#log li").last).to_have_text(event)
    checkout.page.clock.fast_forward(29_000)
    expect(checkout.sheet()).to_be_visible()
    checkout.page.clock.fast_forward(2_000)
    expect(checkout.sheet()).to_have_count(0)
    assert log(checkout)[-1] == "cancel unknown"
    assert any(f"did not answer {event} within 30 s" in line for line in checkout.console)
