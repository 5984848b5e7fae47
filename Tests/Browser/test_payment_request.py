"""The same through the Payment Request API, which the script takes over for Apple Pay alone."""

import pytest
from conftest import Checkout, Gateway, call
from playwright.sync_api import expect

PAGE = "payment-request.html"


@pytest.mark.parametrize(("amount", "result", "code"), [
    ("5656.00", "SUCCESS", "APPROVED"), ("5757.00", "FAILURE", "DECLINED"), ("5858.00", "FAILURE", "TIMED_OUT"),
    ("6161.00", "SUCCESS", "PARTIALLY_APPROVED"),
])
def test_a_payment_ends_as_the_acquirer_answers(checkout: Checkout, amount: str, result: str, code: str) -> None:
    checkout.start(f"amount={amount}", PAGE)
    outcome = checkout.pay()
    assert (outcome["status"], outcome["result"], outcome["gatewayCode"]) == (201, result, code)
    assert checkout.events() == ["merchantvalidation", "paymentmethodchange", "response"]
    assert checkout.detail("response")["methodName"] == "https://apple.com/apple-pay"


def test_cancel_rejects_show(checkout: Checkout) -> None:
    checkout.start("", PAGE)
    checkout.sheet("cancel").click()
    assert checkout.outcome()["error"].startswith("AbortError: ")


def test_shipping_changes_the_total(checkout: Checkout) -> None:
    checkout.start("shipping", PAGE)
    assert checkout.events() == ["merchantvalidation", "paymentmethodchange", "shippingaddresschange"]
    redacted = checkout.detail("shippingaddresschange")
    assert (redacted["city"], redacted["addressLine"], redacted["recipient"]) == ("Cupertino", [], "")
    checkout.sheet("shipping-method").select_option("express")
    expect(checkout.sheet("total")).to_contain_text("5666.00 USD")
    assert checkout.detail("shippingoptionchange") == "express"
    assert checkout.pay()["error"] is None
    response = checkout.detail("response")
    assert (response["shippingOption"], response["payerName"]) == ("express", "Tara Gate")
    assert (response["payerEmail"], response["payerPhone"]) == ("tara.gate@example.com", None)
    assert response["shippingAddress"]["addressLine"] == ["1 Sandbox Street"]


def test_an_address_that_is_not_served_shows_the_errors(checkout: Checkout) -> None:
    checkout.start("shipping", PAGE)
    checkout.sheet("shipping-countryCode").fill("DE")
    checkout.sheet("shipping-countryCode").press("Tab")
    expect(checkout.sheet("error")).to_contain_text("We ship within the US only.")
    expect(checkout.sheet("error-shipping-country")).to_have_text("Not served.")
    expect(checkout.sheet("pay")).to_be_disabled()


def test_a_coupon_arrives_as_a_change_of_the_payment_method(checkout: Checkout) -> None:
    checkout.start("coupon", PAGE)
    checkout.sheet("coupon").fill("SAVE")
    checkout.sheet("coupon-apply").click()
    expect(checkout.sheet("total")).to_contain_text("5600.00 USD")
    assert checkout.detail("paymentmethodchange") == {"couponCode": "SAVE"}
    assert checkout.pay()["error"] is None


def test_a_modifier_for_apple_pay_replaces_the_total(checkout: Checkout) -> None:
    checkout.start("modifier", PAGE)
    expect(checkout.sheet("total")).to_contain_text("5600.00 USD")
    expect(checkout.sheet("line-item").last).to_contain_text("Discount")
    assert checkout.pay()["error"] is None


def test_a_retry_shows_its_errors(checkout: Checkout) -> None:
    checkout.start("shipping&retry", PAGE)
    checkout.sheet("pay").click()
    expect(checkout.sheet("error-shipping-locality")).to_have_text("The city is wrong.")
    expect(checkout.sheet("error")).to_contain_text("Try once more.")
    checkout.sheet("cancel").click()
    assert checkout.outcome()["error"].startswith("AbortError: ")


@pytest.mark.parametrize("result", ["success", "fail", "unknown"])
def test_each_completion_closes_the_sheet(checkout: Checkout, result: str) -> None:
    checkout.start(f"complete={result}", PAGE)
    assert checkout.pay()["gatewayCode"] == "APPROVED"


def test_a_merchant_session_for_another_domain_aborts(checkout: Checkout) -> None:
    checkout.open("domain=other.example.com", PAGE)
    checkout.press_button()
    assert checkout.outcome()["error"].startswith("AbortError: ")


def test_a_merchant_session_is_good_once(checkout: Checkout) -> None:
    checkout.start("", PAGE)
    checkout.pay()
    checkout.shop.merchant_session = checkout.shop.merchant_sessions[-1]
    checkout.open("", PAGE)
    checkout.press_button()
    assert checkout.outcome()["error"].startswith("AbortError: ")
    assert len(checkout.shop.payments) == 1


def test_a_merchant_session_expires_after_five_minutes(checkout: Checkout, gateway: Gateway) -> None:
    checkout.shop.merchant_session = checkout.shop.validate(f"{gateway.url}/paymentservices/paymentSession", "localhost")
    assert call("PUT", f"{gateway.url}/_tollgate/clock", {"offsetSeconds": 301})[0] == 200
    checkout.open("", PAGE)
    checkout.press_button()
    assert checkout.outcome()["error"].startswith("AbortError: ")


APPLE = """const data = {version: 3, merchantIdentifier: 'a', merchantCapabilities: ['supports3DS'], supportedNetworks: ['visa'],
    countryCode: 'US'}; const method = {supportedMethods: 'https://apple.com/apple-pay', data};
    const usd = (value) => ({currency: 'USD', value}); const details = {total: {label: 'Shop', amount: usd('1.00')}};"""
OF_SEQUENCES = [(f"data.{member} = {value}", "TypeError: Value is not a sequence")
                for member in ["supportedNetworks", "merchantCapabilities", "requiredBillingContactFields"]
                for value in ["''", "null", "7"]]
ABSENT = [(f"delete data.{member}", f"TypeError: Member ApplePayRequest.{member} is required and must be an instance of {kind}")
          for member, kind in [
              ("countryCode", "DOMString"), ("supportedNetworks", "sequence"), ("merchantCapabilities", "sequence")]]
ITEM = "TypeError: Member PaymentItem.amount is required and must be an instance of PaymentCurrencyAmount"
CONSTRUCTION = [
    ("details", "none"), *ABSENT, *OF_SEQUENCES, ("data.merchantCapabilities = ['other']", "TypeError: Type error"),
    ("data.requiredShippingContactFields = ['']", "TypeError: Type error"), ("data.billingContact = ''", "TypeError: Type error"),
    ("data.shippingContact = 7", "TypeError: Type error"),
    ("delete details.total", "TypeError: Member PaymentDetailsInit.total is required and must be an instance of PaymentItem"),
    ("details.total = ''", "TypeError: Type error"), ("details.total = 7", "TypeError: Type error"),
    ("details.total = null", ITEM), ("details.total = []", ITEM), ("details.total = {label: 'a'}", ITEM),
    ("details.total.amount = 'amount'", "TypeError: Type error"),
    ("details.total.amount.currency = ''", 'RangeError: "" is not a valid currency code.'),
    ("details.total.amount = usd('-10.00')", "TypeError: Total currency values cannot be negative."),
    ("details.displayItems = ''", "TypeError: Value is not a sequence"), ("details.displayItems = {}", "TypeError: Type error"),
    ("details.displayItems = [null]", ITEM), ("details.displayItems = [{label: 'a'}]", ITEM),
    ("details.displayItems = [{label: 'a', amount: ''}]", "TypeError: Type error"),
    ("details.shippingOptions = 'a'", "TypeError: Value is not a sequence"),
    ("details.shippingOptions = [{}]",
     "TypeError: Member PaymentShippingOption.amount is required and must be an instance of PaymentCurrencyAmount"),
    ("options.shippingType = ''", "TypeError: Type error"), ("options.shippingType = null", "TypeError: Type error"),
]
SHOWING = [
    *[(f"data.version = {version}", f'InvalidAccessError: "{version}" is not a supported version.') for version in [0, 1000]],
    *[(f"data.countryCode = {value}", f'TypeError: "{shown}" is not a valid country code.')
      for value, shown in [("'invalid'", "invalid"), ("''", ""), ("null", "null"), ("7", "7")]],
    ("data.supportedNetworks = []", "TypeError: At least one supported network must be provided."),
    ("data.supportedNetworks = ['other']", 'TypeError: "other" is not a valid payment network.'),
    ("data.merchantCapabilities = []", "TypeError: At least one merchant capability must be provided."),
    ("details.total.amount = usd('10000000000.00')", "TypeError: Total amount is too big."),
    ("details.displayItems = [{label: 'a', amount: {currency: 'EUR', value: '1.00'}}]",
     'TypeError: "EUR" does not match the expected currency of "USD". Apple Pay requires all PaymentCurrencyAmounts to use the '
     "same currency code."),
]


def test_an_invalid_request_throws_as_in_safari(checkout: Checkout) -> None:
    checkout.open("", PAGE)
    differences = []
    for change, expected in CONSTRUCTION:
        found = checkout.page.evaluate(
            f"() => {{ const options = {{requestShipping: true}}; {APPLE} {change}; try {{ new PaymentRequest([method], details, "
            "options); return 'none' } catch (error) { return `${error.name}: ${error.message}` } }")
        if found != expected:
            differences.append((change, found, expected))
    assert differences == []


def test_an_invalid_request_rejects_show_as_in_safari(checkout: Checkout) -> None:
    checkout.open("", PAGE)
    differences = []
    for change, expected in SHOWING:
        found = checkout.page.evaluate(
            f"() => {{ {APPLE} {change}; return new PaymentRequest([method], details).show().then(() => 'none', "
            "(error) => `${error.name}: ${error.message}`) }")
        if found != expected:
            differences.append((change, found, expected))
    assert differences == []


@pytest.mark.parametrize(("code", "expected"), [
    ("request.show().catch(() => {}); await request.show()", "InvalidStateError"),
    ("request.show().catch(() => {}); await new PaymentRequest([method], details).show()", "AbortError"),
    ("const shown = request.show(); await request.abort(); await shown", "AbortError"),
    ("request.show().catch(() => {}); await request.abort(); await request.show()", "InvalidStateError"),
    ("request.show().catch(() => {}); await request.canMakePayment()", "InvalidStateError"),
    ("await request.abort()", "InvalidStateError"),
    ("await request.show(Promise.reject())", "AbortError"),
    ("await request.show({total: {label: 'Shop', amount: usd('x')}})", "TypeError"),
    ("request.onmerchantvalidation = (event) => event.complete(Promise.reject()); await request.show()", "AbortError"),
    ("request.onmerchantvalidation = (event) => event.complete(7); await request.show()", "TypeError"),
    ("request.onmerchantvalidation = (event) => event.complete(null); await request.show()", "TypeError"),
    ("let found; request.onmerchantvalidation = (event) => { event.complete({}); try { event.complete({}) } "
     "catch (error) { found = error } request.abort() }; await request.show().catch(() => {}); throw found", "InvalidStateError"),
    ("let found; request.onmerchantvalidation = (event) => { request.abort(); try { event.complete({}) } "
     "catch (error) { found = error } }; await request.show().catch(() => {}); throw found", "InvalidStateError"),
])
def test_a_call_in_the_wrong_state_rejects_as_in_safari(checkout: Checkout, code: str, expected: str) -> None:
    checkout.open("", PAGE)
    assert checkout.page.evaluate(
        f"async () => {{ {APPLE} const request = new PaymentRequest([method], details); "
        f"try {{ {code}; return 'none' }} catch (error) {{ return error.name }} }}") == expected


def test_requests_for_other_methods_stay_with_the_browser(checkout: Checkout) -> None:
    checkout.open("", PAGE)
    assert checkout.page.evaluate(
        f"() => {{ {APPLE} const other = new PaymentRequest([{{supportedMethods: 'example-pay'}}], details); "
        "return [other instanceof PaymentRequest, Function.prototype.toString.call(other.show).includes('[native code]')] }"
    ) == [True, True]


def test_a_request_for_apple_pay_looks_like_one_of_the_browser(checkout: Checkout) -> None:
    checkout.open("", PAGE)
    assert checkout.page.evaluate(
        f"async () => {{ {APPLE} const request = new PaymentRequest([method], details); "
        "return [request instanceof PaymentRequest, request instanceof EventTarget, "
        "await request.canMakePayment(), request.id.length > 0, request.shippingAddress] }"
    ) == [True, True, True, True, None]
