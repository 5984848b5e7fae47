"""Generates a Python client with openapi-python-client and pays with it."""

import importlib
import pathlib
import shutil
import sys

from gateway import DESCRIPTION, MERCHANT, Gateway, arguments, expect, passed, run

CHECK = "openapi-python-client"
PACKAGE = "tollgate_python"
# The generator writes no code for XML, nor for YAML.
NOT_GENERATED = {
    "/v1.0/stores/": "Unsupported content type text/xml",
    "/_tollgate/openapi.yaml": "Unsupported content_type application/yaml",
}


def generate(folder: pathlib.Path) -> None:
    shutil.rmtree(folder / PACKAGE, ignore_errors=True)
    generator = pathlib.Path(sys.executable).with_name("openapi-python-client")
    output = run(
        CHECK,
        [generator, "generate", "--path", DESCRIPTION, "--meta", "none", "--output-path", folder / PACKAGE],
        120)
    for warning in output.split("\nWARNING ")[1:]:
        subject = warning.split("\n", 1)[0]
        if not any(path in subject and reason in warning for path, reason in NOT_GENERATED.items()):
            raise SystemExit(f"✘ {CHECK} warns of {warning}")
    if "Unable to parse" in output or "ERROR" in output:
        raise SystemExit(f"✘ {CHECK} leaves out what it can't parse:\n{output[-8000:]}")


def import_all(folder: pathlib.Path) -> int:
    """Imports every module, so that none has a syntax error."""
    sys.path.insert(0, str(folder))
    modules = [
        path.relative_to(folder).with_suffix("") for path in sorted((folder / PACKAGE).rglob("*.py"))
    ]
    for module in modules:
        importlib.import_module(".".join(module.parts).removesuffix(".__init__"))
    return len(modules)


def pay(gateway: Gateway) -> None:
    api, models = (lambda name: importlib.import_module(f"{PACKAGE}.api.{name}")), importlib.import_module(
        f"{PACKAGE}.models")
    client = importlib.import_module(f"{PACKAGE}.client")
    merchant = client.AuthenticatedClient(
        base_url=gateway.url, token=gateway.authorization.removeprefix("Basic "), prefix="Basic",
        raise_on_unexpected_status=True)
    control = client.Client(base_url=gateway.url, raise_on_unexpected_status=True)

    def transact(order: str, transaction: str, body: object) -> object:
        reply = api("transaction.transact").sync_detailed(100, MERCHANT, order, transaction, client=merchant, body=body)
        if reply.status_code != 201:
            raise SystemExit(f"✘ {CHECK}: {reply.status_code} {reply.content.decode()}")
        return reply.parsed

    token = api("control.mint_token").sync(
        client=control, body=models.MintRequest(amount="5656.00", currency="USD"))
    wallet = models.CardInRequest(
        device_payment=models.CardInRequestDevicePayment(payment_token=token.payment_token))
    card = models.CardInRequest(
        number="5123450000000008", security_code="100",
        expiry=models.CardInRequestExpiry(month="01", year="39"))
    for order, source, provider in [("token", wallet, "APPLE_PAY"), ("card", card, None)]:
        payment = models.OrderOfPayment(amount="5656.00", currency="USD")
        if provider:
            payment.wallet_provider = models.OrderOfPaymentWalletProviderType1(provider)
        reply = transact(order, "1", models.AuthorizeRequest(
            api_operation="AUTHORIZE", order=payment, source_of_funds=models.SourceOfFundsInRequest(
                type_=models.SourceOfFundsInRequestTypeType1.CARD,
                provided=models.SourceOfFundsInRequestProvided(card=source))))
        expect(CHECK, f"AUTHORIZE by {order}", reply.response.gateway_code, "APPROVED")
        expect(CHECK, f"its status by {order}", reply.order.status, "AUTHORIZED")
    captured = transact("token", "2", models.CaptureRequest(
        api_operation="CAPTURE", transaction=models.TransactionOfCapture(amount="56.00", currency="USD")))
    expect(CHECK, "what was captured", captured.order.total_captured_amount, 56)
    order = api("order.retrieve_order").sync(100, MERCHANT, "token", client=merchant)
    expect(CHECK, "the order's transactions", [each.transaction.id for each in order.transaction], ["1", "2"])
    session = api("session.create_session").sync(
        100, MERCHANT, client=merchant, body=models.CreateSessionRequest())
    stored = api("session.update_session").sync(
        100, MERCHANT, session.session.id, client=merchant, body=models.UpdateSessionRequest(
            source_of_funds=models.SourceOfFundsInRequest(
                provided=models.SourceOfFundsInRequestProvided(card=card))))
    expect(CHECK, "the session's card", stored.source_of_funds.provided.card.number, "512345xxxxxx0008")
    refused = api("order.retrieve_order").sync(100, MERCHANT, "none", client=merchant)
    expect(CHECK, "the cause of a refusal", refused.error.cause, "INVALID_REQUEST")


def main() -> None:
    program, folder = arguments()
    generate(folder)
    count = import_all(folder)
    with Gateway(program) as gateway:
        pay(gateway)
    passed(CHECK, f"{count} modules; AUTHORIZE by an Apple Pay token and by a card, CAPTURE, a session, a refusal")


main()
