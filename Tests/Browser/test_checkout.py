"""A checkout written for Safari, unchanged but for the script tag, pays in Chromium."""

import pytest
from conftest import Checkout, Gateway, call
from playwright.sync_api import Page, expect
from shop import Shop

FULL_ORDER = ["validatemerchant", "paymentmethodselected", "shippingcontactselected"]


@pytest.mark.parametrize(("amount", "result", "code"), [
    ("5656.00", "SUCCESS", "APPROVED"), ("5757.00", "FAILURE", "DECLINED"), ("5858.00", "FAILURE", "TIMED_OUT"),
    ("6161.00", "SUCCESS", "PARTIALLY_APPROVED"),
])
def test_a_payment_ends_as_the_acquirer_answers(checkout: Checkout, amount: str, result: str, code: str) -> None:
    checkout.start(f"amount={amount}")
    outcome = checkout.pay()
    assert (outcome["status"], outcome["result"], outcome["gatewayCode"]) == (201, result, code)
    assert checkout.events() == ["validatemerchant", "paymentmethodselected", "paymentauthorized"]


def test_cancel_closes_the_sheet(checkout: Checkout) -> None:
    checkout.start()
    checkout.sheet("cancel").click()
    assert checkout.outcome() == {"cancelled": "unknown"}
    assert checkout.detail("cancel") == {"code": "unknown", "info": {}}
    assert checkout.shop.payments == []


def test_the_payer_can_pay_again_after_a_cancel(checkout: Checkout) -> None:
    checkout.start()
    checkout.sheet("cancel").click()
    checkout.outcome()
    checkout.start()
    assert checkout.pay()["gatewayCode"] == "APPROVED"


def test_another_shipping_method_changes_the_total(checkout: Checkout) -> None:
    checkout.start("shipping")
    assert checkout.events() == FULL_ORDER
    checkout.sheet("shipping-method").select_option("express")
    expect(checkout.sheet("total")).to_contain_text("5666.00 USD")
    expect(checkout.sheet("pay")).to_be_enabled()
    assert checkout.detail("shippingmethodselected")["label"] == "Express"
    checkout.sheet("shipping-method").select_option("standard")
    expect(checkout.sheet("total")).to_contain_text("5656.00 USD")
    assert checkout.pay()["gatewayCode"] == "APPROVED"
    assert checkout.shop.payments[-1]["amount"] == "5656.00"


def test_the_token_is_for_the_last_total(checkout: Checkout) -> None:
    checkout.start("shipping")
    checkout.sheet("shipping-method").select_option("express")
    expect(checkout.sheet("total")).to_contain_text("5666.00 USD")
    # The gateway compares the token's amount with the order's: an approval or a decline by amount, but no error.
    assert checkout.pay()["error"] is None


def test_the_page_learns_the_address_redacted_until_the_payment_is_authorized(checkout: Checkout) -> None:
    checkout.start("shipping&billing")
    assert checkout.detail("shippingcontactselected") == {
        "locality": "Cupertino", "administrativeArea": "CA", "postalCode": "95014", "countryCode": "US"}
    assert checkout.detail("paymentmethodselected") == {"type": checkout.detail("paymentmethodselected")["type"]}
    checkout.pay()
    authorized = checkout.detail("paymentauthorized")
    assert authorized["shippingContact"]["addressLines"] == ["1 Sandbox Street"]
    assert authorized["shippingContact"]["emailAddress"] == "tara.gate@example.com"
    assert authorized["billingContact"]["familyName"] == "Gate"
    assert "emailAddress" not in authorized["billingContact"]
    assert set(authorized["method"]) >= {"displayName", "network", "type"}
    assert len(authorized["identifier"]) == 64


def test_contacts_that_are_not_required_stay_with_the_payer(checkout: Checkout) -> None:
    checkout.start()
    checkout.pay()
    assert not {"shippingContact", "billingContact"} & set(checkout.detail("paymentauthorized"))


def test_an_address_that_is_not_served_shows_the_error_at_its_field(checkout: Checkout) -> None:
    checkout.start("shipping")
    field = checkout.sheet("shipping-countryCode")
    field.fill("DE")
    field.press("Tab")
    expect(checkout.sheet("error-shipping-countryCode")).to_have_text("We ship within the US only.")
    expect(checkout.sheet("error")).to_have_text("We ship within the US only.")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(checkout.sheet("pay")).to_be_disabled()
    field.fill("US")
    field.press("Tab")
    expect(checkout.sheet("pay")).to_be_enabled()
    expect(checkout.sheet("error")).to_be_hidden()
    assert checkout.pay()["gatewayCode"] == "APPROVED"


def test_a_contact_without_a_required_member_can_not_pay(checkout: Checkout) -> None:
    checkout.start("shipping")
    checkout.sheet("shipping-emailAddress").fill("")
    checkout.sheet("pay").click()
    expect(checkout.sheet("error-shipping-emailAddress")).to_have_text("Email is required.")
    assert "paymentauthorized" not in checkout.events()


def test_a_coupon_changes_the_total(checkout: Checkout) -> None:
    checkout.start("coupon")
    checkout.sheet("coupon").fill("WRONG")
    checkout.sheet("coupon-apply").click()
    expect(checkout.sheet("error")).to_have_text("There is no such coupon.")
    checkout.sheet("coupon").fill("SAVE")
    checkout.sheet("coupon").press("Enter")
    expect(checkout.sheet("total")).to_contain_text("5600.00 USD")
    expect(checkout.sheet("error")).to_be_hidden()
    assert checkout.pay()["error"] is None
    assert checkout.events() == [
        "validatemerchant", "paymentmethodselected", "couponcodechanged", "couponcodechanged", "paymentauthorized"]


def test_another_card_is_selected(checkout: Checkout) -> None:
    checkout.start("networks=visa,masterCard")
    options = checkout.sheet("card").locator("option")
    assert options.count() == 2
    checkout.sheet("card").select_option(index=1)
    expect(checkout.sheet("pay")).to_be_enabled()
    assert checkout.events().count("paymentmethodselected") == 2
    checkout.pay()


def test_a_wallet_without_a_supported_card_can_not_pay(checkout: Checkout) -> None:
    checkout.open("networks=girocard")
    checkout.press_button()
    expect(checkout.sheet("status")).to_have_text("The wallet has no card that the request supports: girocard.")
    expect(checkout.sheet("pay")).to_be_disabled()


@pytest.mark.parametrize("agreement", ["recurring", "automaticReload", "deferred"])
def test_a_later_payment_is_agreed_to(checkout: Checkout, agreement: str) -> None:
    checkout.start(f"agreement={agreement}")
    expect(checkout.sheet("agreement")).to_contain_text("https://shop.example.com/")
    assert checkout.pay()["gatewayCode"] == "APPROVED"


def test_several_merchants_are_paid(checkout: Checkout) -> None:
    checkout.start("agreement=multiToken")
    expect(checkout.sheet("agreement")).to_have_count(2)
    expect(checkout.sheet("agreement").first).to_contain_text("Air 56.00 USD")
    assert checkout.pay()["error"] is None


def test_application_data_is_bound_to_the_token(checkout: Checkout) -> None:
    checkout.start("applicationData=b3JkZXItMQ%3D%3D")
    checkout.pay()
    header = checkout.shop.payments[-1]["token"]["paymentData"]["header"]
    assert len(header["applicationData"]) == 64


def test_a_merchant_session_for_another_domain_ends_the_payment(checkout: Checkout) -> None:
    checkout.open("domain=other.example.com")
    checkout.press_button()
    assert checkout.outcome() == {"cancelled": "unknown"}
    assert checkout.events() == ["validatemerchant", "cancel"]
    assert any("for another domain" in line for line in checkout.console)


def test_a_merchant_session_is_good_once(checkout: Checkout) -> None:
    checkout.start()
    checkout.pay()
    checkout.shop.merchant_session = checkout.shop.merchant_sessions[-1]
    checkout.open()
    checkout.press_button()
    assert checkout.outcome() == {"cancelled": "unknown"}
    assert len(checkout.shop.payments) == 1


def test_a_merchant_session_expires_after_five_minutes(checkout: Checkout, gateway: Gateway) -> None:
    session = checkout.shop.validate(f"{gateway.url}/paymentservices/paymentSession", "localhost")
    checkout.shop.merchant_session = session
    assert call("PUT", f"{gateway.url}/_tollgate/clock", {"offsetSeconds": 301})[0] == 200
    checkout.open()
    checkout.press_button()
    assert checkout.outcome() == {"cancelled": "unknown"}
    assert checkout.shop.payments == []


def test_the_script_alone_opens_no_sheet(page: Page, shop: Shop) -> None:
    checkout = Checkout(page, shop)
    checkout.open()
    expect(checkout.sheet()).to_have_count(0)
    assert page.evaluate("ApplePaySession.canMakePayments()")
