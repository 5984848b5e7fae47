"""Exceptions of ApplePaySession and ApplePayError: names and texts are Safari's.

Each case changes a valid request; the expectations are those of WebKit's layout tests of Apple Pay, written from their outcome.
"""

import pytest
from conftest import Checkout

NOT_SEQUENCE = "TypeError: Value is not a sequence"
TYPE_ERROR = "TypeError: Type error"
NO_AMOUNT = 'TypeError: "" is not a valid amount.'
NO_ERROR = "none"


def required(member: str, kind: str, of: str = "ApplePayPaymentRequest") -> str:
    return f"TypeError: Member {of}.{member} is required and must be an instance of {kind}"


TEXTS = [(f"request.{member} = {value}", f'TypeError: "{shown}" is not a valid {kind} code.')
         for member, kind in [("countryCode", "country"), ("currencyCode", "currency")]
         for value, shown in [("'invalid'", "invalid"), ("''", ""), ("null", "null"), ("7", "7")]]
ABSENT = [(change.format(member), required(member, kind))
          for member, kind in [
              ("countryCode", "DOMString"), ("currencyCode", "DOMString"), ("supportedNetworks", "sequence"),
              ("merchantCapabilities", "sequence"), ("total", "ApplePayLineItem")]
          for change in ["delete request.{}", "request.{} = undefined"]]
SEQUENCES = [(f"request.{member} = {value}", NOT_SEQUENCE)
             for member in [
                 "supportedNetworks", "merchantCapabilities", "lineItems", "requiredBillingContactFields",
                 "requiredShippingContactFields", "shippingMethods", "supportedCountries"]
             for value in ["''", "null", "7"]]
NO_ITERABLES = [(f"request.{member} = {{}}", TYPE_ERROR)
                for member in ["lineItems", "requiredBillingContactFields", "requiredShippingContactFields", "shippingMethods"]]
FIELDS = [(f"request.{member} = {value}", outcome)
          for member in ["requiredBillingContactFields", "requiredShippingContactFields"]
          for value, outcome in [
              ("['']", TYPE_ERROR), ("[null]", TYPE_ERROR), ("[undefined]", TYPE_ERROR), ("[{}]", TYPE_ERROR),
              ("['invalid']", TYPE_ERROR), ("['phoneticName']", 'TypeError: "phoneticName" is not a valid contact field.'),
              ("undefined", NO_ERROR), ("[]", NO_ERROR), ("['email', 'email']", NO_ERROR),
              ("['email', 'name', 'phone', 'postalAddress']", NO_ERROR)]]
CONTACTS = [(f"request.{member} = {value}", outcome)
            for member in ["billingContact", "shippingContact"]
            for value, outcome in [
                ("''", TYPE_ERROR), ("7", TYPE_ERROR), ("null", NO_ERROR), ("undefined", NO_ERROR), ("{}", NO_ERROR),
                ("{subLocality: '', subAdministrativeArea: ''}", NO_ERROR)]]
NETWORKS = [
    ("request.supportedNetworks = []", "TypeError: At least one supported network must be provided."),
    ("request.supportedNetworks = ['other']", 'TypeError: "other" is not a valid payment network.'),
    ("request.supportedNetworks = ['other', 'visa']", 'TypeError: "other" is not a valid payment network.'),
    ("request.supportedNetworks = ['visa', 'visa']", NO_ERROR),
    ("request.merchantCapabilities = []", "TypeError: At least one merchant capability must be provided."),
    ("request.merchantCapabilities = ['other']", TYPE_ERROR),
    ("request.merchantCapabilities = ['other', 'supports3DS']", TYPE_ERROR),
    ("request.merchantCapabilities = ['supports3DS', 'supports3DS']", NO_ERROR),
]
TOTALS = [
    ("''", TYPE_ERROR), ("7", TYPE_ERROR), ("null", NO_AMOUNT), ("[]", NO_AMOUNT), ("{}", NO_AMOUNT), ("{label: 'a'}", NO_AMOUNT),
    ("{label: 'a', amount: 'amount'}", 'TypeError: "amount" is not a valid amount.'),
    ("{label: 'a', amount: '1.'}", 'TypeError: "1." is not a valid amount.'),
    ("{amount: '1.00'}", "TypeError: Missing total label."),
    ("{label: 'a', amount: '-10.00'}", "TypeError: Total amount must not be negative."),
    ("{label: 'a', amount: '10000000000.00'}", "TypeError: Total amount is too big."),
    ("{label: 'a', amount: '10.00', type: 'invalid'}", TYPE_ERROR), ("{label: 'a', amount: '10.00', type: 'pending'}", NO_ERROR),
    ("{label: 'a', amount: '0'}", NO_ERROR),
]
LINE_ITEMS = [
    ("undefined", NO_ERROR), ("[]", NO_ERROR), ("[{label: 'a', type: 'pending'}]", NO_ERROR), ("['']", TYPE_ERROR),
    ("[null]", NO_AMOUNT), ("[undefined]", NO_AMOUNT), ("[{}]", NO_AMOUNT), ("[{label: 'a'}]", NO_AMOUNT),
    ("[{label: 'a', amount: ''}]", NO_AMOUNT), ("[{label: 'a', amount: '10.00', type: 'invalid'}]", TYPE_ERROR),
]
SHIPPING_METHODS = [
    ("undefined", NO_ERROR), ("[]", NO_ERROR), ("'invalid'", NOT_SEQUENCE),
    ("[{}]", required("amount", "DOMString", "ApplePayShippingMethod")),
    ("[{amount: ''}]", required("detail", "DOMString", "ApplePayShippingMethod")),
    ("[{amount: '', detail: ''}]", required("identifier", "DOMString", "ApplePayShippingMethod")),
    ("[{amount: '', detail: '', identifier: ''}]", required("label", "DOMString", "ApplePayShippingMethod")),
    ("[{amount: '', detail: '', identifier: '', label: ''}]", NO_AMOUNT),
    ("[{amount: '-1', detail: '', identifier: '', label: ''}]",
     "TypeError: Shipping method amount must be greater than or equal to zero."),
    ("[{amount: '10.00', detail: '', identifier: '', label: ''}]", NO_ERROR),
]
TYPES_OF_SHIPPING = [(f"'{name}'", NO_ERROR) for name in ["shipping", "delivery", "storePickup", "servicePickup"]] + [
    ("undefined", NO_ERROR), ("''", TYPE_ERROR), ("'invalid'", TYPE_ERROR), ("null", TYPE_ERROR), ("7", TYPE_ERROR)]
APPLICATION_DATA = [(value, NO_ERROR) for value in ["undefined", "''", "'invalid'", "7", "null", "{}"]] + [
    ("{toString() { throw new Error('in toString'); }}", "Error: in toString")]
VERSION_2 = [
    ("request", NO_ERROR), ("request = {}", required("countryCode", "DOMString")), *ABSENT, *TEXTS,
    *[case for case in SEQUENCES if "supportedCountries" not in case[0]], *NO_ITERABLES, *FIELDS, *CONTACTS, *NETWORKS,
    *[(f"request.total = {value}", outcome) for value, outcome in TOTALS],
    *[(f"request.lineItems = {value}", outcome) for value, outcome in LINE_ITEMS],
    *[(f"request.shippingMethods = {value}", outcome) for value, outcome in SHIPPING_METHODS],
    *[(f"request.shippingType = {value}", outcome) for value, outcome in TYPES_OF_SHIPPING],
    *[(f"request.applicationData = {value}", outcome) for value, outcome in APPLICATION_DATA],
]
COUNTRY = 'TypeError: "{}" is not a valid country code.'
VERSION_3 = [
    *[case for case in SEQUENCES if "supportedCountries" in case[0]],
    ("request.supportedCountries = ['invalid']", COUNTRY.format("invalid")),
    ("request.supportedCountries = ['US', 'invalid']", COUNTRY.format("invalid")),
    ("request.supportedCountries = ['US', 7]", COUNTRY.format("7")),
    ("request.supportedCountries = ['EU']", COUNTRY.format("EU")), ("request.supportedCountries = ['SU']", COUNTRY.format("SU")),
    ("request.supportedCountries = undefined", NO_ERROR), ("request.supportedCountries = []", NO_ERROR),
    ("request.supportedCountries = ['US', 'US']", NO_ERROR),
    ("request.requiredShippingContactFields = ['phoneticName']", NO_ERROR),
]
BILLING = "{label: 'a', amount: '1.00', paymentTiming: '%s'}"
RECURRING = "{paymentDescription: 'a', managementURL: 'https://a.example', regularBilling: %s%s}"
RELOAD = ("{paymentDescription: 'a', managementURL: 'https://a.example', automaticReloadBilling: "
          "{label: 'a', amount: '1.00', paymentTiming: 'automaticReload'%s}}")
DEFERRED = "{paymentDescription: '%s', managementURL: 'https://a.example', deferredBilling: " + BILLING % "deferred" + "%s}"
VERSION_14 = [
    ("request.recurringPaymentRequest = " + RECURRING % (BILLING % "recurring", ""), NO_ERROR),
    ("request.recurringPaymentRequest = " + RECURRING % (BILLING % "deferred", ""),
     "TypeError: 'regularBilling' must be a 'recurring' line item."),
    ("request.recurringPaymentRequest = " + RECURRING % ("{amount: '1.00', paymentTiming: 'recurring'}", ""),
     "TypeError: Missing label for 'regularBilling'."),
    ("request.recurringPaymentRequest = " + RECURRING % ("{label: 'a', paymentTiming: 'recurring'}", ""), NO_AMOUNT),
    ("request.recurringPaymentRequest = " + RECURRING % (BILLING % "recurring", ", trialBilling: " + BILLING % "immediate"),
     "TypeError: 'trialBilling' must be a 'recurring' line item."),
    ("request.recurringPaymentRequest = " + (RECURRING % (BILLING % "recurring", "")).replace("https://a.example", "a"),
     'TypeError: "a" is not a valid URL.'),
    ("request.recurringPaymentRequest = " + RECURRING % (BILLING % "recurring", ", tokenNotificationURL: 'b'"),
     'TypeError: "b" is not a valid URL.'),
    ("request.recurringPaymentRequest = {}", required("managementURL", "DOMString", "ApplePayRecurringPaymentRequest")),
    ("request.automaticReloadPaymentRequest = " + RELOAD % ", automaticReloadPaymentThresholdAmount: '1.00'", NO_ERROR),
    ("request.automaticReloadPaymentRequest = " + RELOAD % "",
     'TypeError: "" is not a valid automaticReloadPaymentThresholdAmount.'),
    ("request.deferredPaymentRequest = " + DEFERRED % ("a", ""), NO_ERROR),
    ("request.deferredPaymentRequest = " + DEFERRED % ("", ""), "TypeError: Missing 'paymentDescription'."),
    ("request.deferredPaymentRequest = " + DEFERRED % ("a", ", freeCancellationDateTimeZone: 'UTC'"),
     "TypeError: Unexpected 'freeCancellationDateTimeZone' when 'freeCancellationDate' is not set."),
    ("request.deferredPaymentRequest = " + DEFERRED % ("a", ", freeCancellationDate: new Date()"),
     "TypeError: Missing 'freeCancellationDateTimeZone' when 'freeCancellationDate' is set."),
    ("request.deferredPaymentRequest = "
     + DEFERRED % ("a", ", freeCancellationDate: new Date(), freeCancellationDateTimeZone: 'x'"),
     'TypeError: "x" is not a valid time zone.'),
    ("request.multiTokenContexts = [{merchantIdentifier: 'a', externalIdentifier: 'a', merchantName: 'a', amount: 'x'}]",
     'TypeError: "x" is not a valid amount.'),
]

EXCEPTION = "(() => {{ try {{ {}; return 'none'; }} catch (error) {{ return `${{error.name}}: ${{error.message}}`; }} }})()"
REQUEST = """let request = {countryCode: 'US', currencyCode: 'USD', supportedNetworks: ['visa', 'masterCard'],
    merchantCapabilities: ['supports3DS'], total: {label: 'Shop', amount: '10.00'}}"""


def exception(checkout: Checkout, code: str) -> str:
    return checkout.page.evaluate(EXCEPTION.format(code))


@pytest.mark.parametrize(("version", "cases"), [(2, VERSION_2), (3, VERSION_3), (14, VERSION_14)])
def test_an_invalid_request_throws_as_in_safari(checkout: Checkout, version: int, cases: list[tuple[str, str]]) -> None:
    checkout.open()
    differences = []
    for change, expected in cases:
        found = exception(checkout, f"{REQUEST}; {change}; new ApplePaySession({version}, request)")
        if found != expected:
            differences.append((change, found, expected))
    assert differences == []


@pytest.mark.parametrize(("code", "expected"), [
    ("new ApplePaySession()", "TypeError: Not enough arguments"),
    ("new ApplePaySession(3)", "TypeError: Not enough arguments"),
    ("new ApplePaySession(0, request)", 'InvalidAccessError: "0" is not a supported version.'),
    ("new ApplePaySession(15, request)", 'InvalidAccessError: "15" is not a supported version.'),
    ("ApplePaySession.supportsVersion(0)", "InvalidAccessError: The object does not support the operation or argument."),
    ("new ApplePayError()", "TypeError: Not enough arguments"),
    ("new ApplePayError('unknown', 'phoneNumber')", NO_ERROR),
    ("request.supportedNetworks = ['jcb']; new ApplePaySession(1, request)", 'TypeError: "jcb" is not a valid payment network.'),
    ("request.supportedNetworks = ['jcb']; new ApplePaySession(2, request)", NO_ERROR),
    ("request.supportedNetworks = ['VISA']; new ApplePaySession(2, request)", NO_ERROR),
    ("new ApplePaySession(3, request).abort()", "InvalidAccessError: The object does not support the operation or argument."),
])
def test_a_wrong_call_throws_as_in_safari(checkout: Checkout, code: str, expected: str) -> None:
    checkout.open()
    assert exception(checkout, f"{REQUEST}; {code}") == expected


@pytest.mark.parametrize(("call", "member"), [("new ApplePayError('')", "Argument 1 ('errorCode')"),
                                              ("new ApplePayError([])", "Argument 1 ('errorCode')"),
                                              ("new ApplePayError('unknown', '')", "Argument 2 ('contactField')"),
                                              ("new ApplePayError('unknown', [])", "Argument 2 ('contactField')")])
def test_an_error_needs_a_known_code_and_field(checkout: Checkout, call: str, member: str) -> None:
    checkout.open()
    assert exception(checkout, call).startswith(f"TypeError: {member} to the ApplePayError constructor must be one of: ")


def test_every_version_is_supported(checkout: Checkout) -> None:
    checkout.open()
    assert checkout.page.evaluate("Array.from({length: 15}, (_, n) => ApplePaySession.supportsVersion(n + 1))") == [
        *[True] * 14, False]


def test_a_member_of_a_later_version_is_warned_of(checkout: Checkout) -> None:
    checkout.start("version=3&coupon&agreement=recurring")
    warnings = [line for line in checkout.console if "version 3 ignores" in line]
    assert len(warnings) == 2
    assert "supportsCouponCode needs version 12" in warnings[0]
    assert "recurringPaymentRequest needs version 14" in warnings[1]
