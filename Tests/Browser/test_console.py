"""Each page of the console from data to effect."""

import re
import pytest
from conftest import MERCHANT, Gateway
from console import Console, Merchant
from playwright.sync_api import Browser, expect


def perform(console: Console, operation: str, amount: str | None = None) -> None:
    """Performs an operation in its dialog, which closes if it succeeds."""
    console.button(operation, "main").click()
    dialog = console.page.locator("dialog")
    if amount is not None:
        dialog.get_by_label("Amount in USD").fill(amount)
    console.button(operation, "dialog").click()
    expect(dialog).to_have_count(0)


def test_a_token_is_minted_paid_seen_live_captured_and_refunded(console: Console, browser: Browser) -> None:
    context = browser.new_context()
    watcher = Console(context.new_page(), console.gateway).open("orders")
    expect(watcher.page.get_by_text("No orders.")).to_be_visible()
    console.mint("20.00")
    console.button("Authorize with it").click()
    expect(console.page.get_by_role("heading", level=1)).to_contain_text("Order console-")
    expect(console.page.get_by_label("Summary")).to_contain_text("AUTHORIZED")
    # The other tab was not reloaded.
    expect(watcher.row("20.00 USD")).to_contain_text("AUTHORIZED")
    perform(console, "Capture", "15.00")
    expect(console.page.get_by_label("Summary")).to_contain_text("PARTIALLY_CAPTURED")
    expect(watcher.row("20.00 USD")).to_contain_text("15.00")
    perform(console, "Refund", "5.00")
    expect(watcher.row("20.00 USD")).to_contain_text("5.00")
    timeline = console.page.get_by_label("Timeline").locator("li > .moment")
    expect(timeline).to_have_count(3)
    for entry, words in zip(timeline.all(), ["Authorization", "Capture", "Refund"]):
        expect(entry).to_contain_text(words)
        expect(entry).to_contain_text("APPROVED")
    watcher.check()
    context.close()


def test_an_operation_that_is_refused_is_explained_and_stays_open(console: Console, merchant: Merchant) -> None:
    merchant.pay("order-1", operation="AUTHORIZE")
    console.open(f"orders/{MERCHANT}/order-1")
    console.button("Capture", "main").click()
    dialog = console.page.locator("dialog")
    expect(dialog.get_by_label("Amount in USD")).to_have_value("10.00")
    dialog.get_by_label("Amount in USD").fill("99.00")
    console.button("Capture", "dialog").click()
    expect(dialog.get_by_role("alert")).not_to_be_empty()
    console.button("Cancel", "dialog").click()
    perform(console, "Void")
    expect(console.page.get_by_label("Summary")).to_contain_text("CANCELLED")


def test_an_authorization_is_updated(console: Console, merchant: Merchant) -> None:
    merchant.pay("order-1", operation="AUTHORIZE")
    console.open(f"orders/{MERCHANT}/order-1")
    perform(console, "Update authorization", "12.00")
    expect(console.page.get_by_label("Summary")).to_contain_text("12.00 USD")


def test_a_transaction_shows_its_request_and_reply(console: Console, merchant: Merchant) -> None:
    merchant.pay("order-1")
    console.open(f"orders/{MERCHANT}/order-1")
    timeline = console.page.get_by_label("Timeline")
    timeline.locator("details > summary", has_text="PUT · 201").click()
    expect(timeline.get_by_label("Request")).to_contain_text('apiOperation: "PAY"')
    expect(timeline.get_by_label("Reply")).to_contain_text('result: "SUCCESS"')
    expect(timeline).not_to_contain_text("5123450000000008")


@pytest.mark.parametrize(("name", "value", "found"), [
    ("order", "order-2", ["order-2"]), ("order", "order", []), ("amount", "5757", ["order-2"]), ("merchant", "NOBODY", []),
    ("lastFour", "0008", ["order-3", "order-2", "order-1"]), ("lastFour", "1111", []), ("status", "FAILED", ["order-2"]),
    ("wallet", "APPLE_PAY", []),
])
def test_orders_are_searched(console: Console, merchant: Merchant, name: str, value: str, found: list[str]) -> None:
    for order, amount in [("order-1", "10.00"), ("order-2", "5757.00"), ("order-3", "12.00")]:
        merchant.pay(order, amount)
    console.open("orders")
    expect(console.page.locator("tbody tr")).to_have_count(3)
    control = console.page.locator(f"main [name={name}]")
    if name in ("status", "wallet"):
        control.select_option(value)
    else:
        control.fill(value)
    expect(console.page.locator("tbody tr")).to_have_count(len(found))
    assert console.page.locator("tbody tr a").all_inner_texts() == found
    # The search is part of the address, so it survives a reload.
    console.page.reload()
    expect(console.page.locator("tbody tr")).to_have_count(len(found))
    expect(console.page.locator(f"main [name={name}]")).to_have_value(value)


def test_a_search_that_is_malformed_is_explained(console: Console) -> None:
    console.open("orders")
    console.label("Amount").fill("twelve")
    expect(console.page.get_by_role("alert")).to_contain_text("amount: ")


def test_more_orders_are_listed_page_by_page_and_saved(console: Console, merchant: Merchant) -> None:
    for number in range(60):
        merchant.pay(f"order-{number}")
    console.open("orders")
    expect(console.page.locator("tbody tr")).to_have_count(50)
    console.button("More").click()
    expect(console.page.locator("tbody tr")).to_have_count(60)
    merchant.pay("order-60")
    expect(console.page.locator("tbody tr")).to_have_count(61)
    assert console.page.locator("tbody tr a").all_inner_texts() == [f"order-{number}" for number in range(60, -1, -1)]
    with console.page.expect_download() as download:
        console.button("Download CSV").click()
    lines = download.value.path().read_bytes().decode().split("\r\n")
    assert lines[0].startswith("merchant,order,status,amount,currency,")
    assert lines[1].startswith(f"{MERCHANT},order-60,CAPTURED,10.00,USD,")
    assert len(lines) == 63 and lines[-1] == ""


def test_requests_are_seen_live_filtered_and_explained(console: Console, merchant: Merchant) -> None:
    console.open("requests")
    merchant.pay("order-1", "5757.00")
    expect(console.row("order-1")).to_contain_text("DECLINED")
    merchant.send("order-2", "1", {"apiOperation": "PAY", "order": {"amount": "x", "currency": "USD"}})
    expect(console.row("order-2")).to_contain_text("order.amount: ")
    console.label("Status").select_option("4xx")
    expect(console.page.locator("tbody tr")).to_have_count(1)
    merchant.pay("order-3")
    merchant.send("order-4", "1", {"apiOperation": "PAY"})
    expect(console.page.locator("tbody tr")).to_have_count(2)
    console.label("Status").select_option("")
    console.label("Outcome").fill("DECLINED")
    expect(console.page.locator("tbody tr")).to_have_count(1)
    console.label("Outcome").fill("")
    console.row("order-2").get_by_role("link").click()
    detail = console.page.get_by_label("Request", exact=True).first
    expect(detail).to_contain_text("INVALID_REQUEST at order.amount")
    console.button("Copy as curl").click()
    expect(console.button("Copied")).to_be_visible()
    command = console.page.evaluate("navigator.clipboard.readText()")
    assert command.startswith(f"curl -X 'PUT' '{console.gateway.url}/api/rest/version/100/merchant/{MERCHANT}/order/order-2")
    assert "-u 'merchant.TESTMERCHANT:PASSWORD'" in command and '"apiOperation":"PAY"' in command


def test_a_busy_list_of_requests_changes_twice_a_second(console: Console, merchant: Merchant) -> None:
    page = console.page
    page.clock.install()
    console.open("requests")
    expect(page.locator("#connection[data-state=live]")).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="0 requests")).to_be_visible()
    page.evaluate("""() => {
      window.changes = 0;
      new MutationObserver(() => { window.changes += 1; }).observe(document.querySelector("tbody"), {childList: true});
    }""")
    page.clock.pause_at(page.evaluate("Date.now()") + 1_000)
    for number in range(1, 21):
        merchant.pay(f"order-{number}")
        page.clock.run_for(20)
    expect(page.locator("tbody tr")).to_have_count(1)
    page.clock.resume()
    expect(page.locator("tbody tr")).to_have_count(20)
    assert page.evaluate("window.changes") <= 4


def test_requests_are_paused(console: Console, merchant: Merchant) -> None:
    console.open("requests")
    console.button("Pause").click()
    merchant.pay("order-1")
    expect(console.page.get_by_text("0 requests, paused")).to_be_visible()
    console.button("Go on").click()
    expect(console.row("order-1")).to_be_visible()


def test_a_broken_token_is_explained(console: Console) -> None:
    console.mint("10.00", defect="signature-altered")
    console.button("Pay with it").click()
    expect(console.page.get_by_label("Minted token").get_by_role("alert")).to_contain_text("step 'signature'")
    console.page.get_by_role("link", name="Reports of refused tokens").click()
    expect(console.row("signature")).to_have_count(1)
    console.row("signature").get_by_role("link").click()
    step = console.row("Treat the token as forged")
    expect(step).to_contain_text("failed")
    expect(console.page.get_by_label("Verdict")).to_contain_text("rejected")


def test_a_token_is_inspected_as_text_and_as_a_file(console: Console, merchant: Merchant) -> None:
    console.mint("10.00")
    token = console.label("paymentToken").input_value()
    console.button("Inspect it").click()
    expect(console.label("Token")).to_have_value(token)
    console.button("Inspect").click()
    expect(console.page.get_by_label("Verdict")).to_contain_text("accepted")
    console.button("Clear").click()
    expect(console.page.get_by_label("Verdict")).to_have_count(0)
    broken = merchant.control("POST", "tokens", {"amount": "1.00", "currency": "USD", "defect": "stale"})["paymentToken"]
    console.label("File").set_input_files({"name": "token.json", "mimeType": "application/json", "buffer": broken.encode()})
    expect(console.label("Token")).to_have_value(broken)
    console.button("Inspect").click()
    expect(console.page.get_by_label("Verdict")).to_contain_text("rejected")


def test_every_defect_can_be_chosen_and_is_described(console: Console, merchant: Merchant) -> None:
    defects = merchant.control("GET", "tokens")["defects"]
    console.open("tokens/mint")
    control = console.page.locator("main [name=defect]")
    expect(control.locator("option")).to_have_count(len(defects) + 1)
    for defect in defects:
        control.select_option(defect["name"])
        expect(control).to_have_accessible_description(re.compile(re.escape(defect["summary"])))


def test_an_option_that_is_refused_is_named_and_has_the_focus(console: Console) -> None:
    console.open("tokens/mint")
    console.page.get_by_text("More options").click()
    console.label("Expiry").fill("tomorrow")
    console.button("Mint").click()
    expect(console.page.get_by_role("alert")).to_contain_text("expiry: ")
    expect(console.label("Expiry")).to_be_focused()


def test_a_scripted_decline_stays_until_it_is_removed(console: Console, merchant: Merchant) -> None:
    console.open("outcomes")
    expect(console.page.locator(".amounts")).to_contain_text(re.compile(r"5757\s*DECLINED"))
    console.label("Outcome").select_option("DECLINED")
    console.label("Operation").select_option("PAY")
    console.page.locator("main [name=amount]").fill("10.00")
    console.page.locator("main [name=count]").fill("0")
    console.button("Script it").click()
    expect(console.row("all, until removed")).to_contain_text("Pay of 10")
    for order in ["order-1", "order-2"]:
        assert merchant.pay(order)[1]["response"]["gatewayCode"] == "DECLINED"
    assert merchant.pay("order-3", "11.00")[1]["response"]["gatewayCode"] == "APPROVED"
    console.page.get_by_role("button", name=re.compile("^Remove")).click()
    expect(console.page.get_by_text("No outcome waits.")).to_be_visible()
    assert merchant.pay("order-4")[1]["response"]["gatewayCode"] == "APPROVED"


def test_an_outcome_that_is_used_disappears(console: Console, merchant: Merchant) -> None:
    merchant.control("POST", "outcomes", {"gatewayCode": "EXPIRED_CARD"})
    console.open("outcomes")
    expect(console.row("EXPIRED_CARD")).to_contain_text("next 1")
    merchant.pay("order-1")
    expect(console.page.get_by_text("No outcome waits.")).to_be_visible()


def test_clock_and_seed_are_set(console: Console, merchant: Merchant) -> None:
    console.open("outcomes")
    console.label("Clock").fill("2031-02-03T04:05:06Z")
    console.form("Clock").get_by_role("button", name="Set").click()
    expect(console.page.get_by_text("It is 2031-02-03T04:05:0")).to_be_visible()
    assert merchant.control("GET", "clock")["instant"].startswith("2031-02-03T04:05:")
    console.button("As at the start").click()
    expect(console.page.get_by_text("0 s off the system's clock")).to_be_visible()
    console.label("Seed of numbers and identifiers").fill("seven")
    console.form("Seed of numbers and identifiers").get_by_role("button", name="Set").click()
    expect(console.page.get_by_role("alert")).to_be_visible()
    console.label("Seed of numbers and identifiers").fill("7")
    console.form("Seed of numbers and identifiers").get_by_role("button", name="Set").click()
    expect(console.page.get_by_text("The seed is 7.")).to_be_visible()


def test_one_merchant_is_reset_after_a_question(console: Console, merchant: Merchant) -> None:
    merchant.pay("order-1")
    console.open("outcomes")
    choice = console.label("Reset")
    expect(choice.locator(f"option[value={MERCHANT}]")).to_have_count(1)
    choice.select_option(MERCHANT)
    console.button("Reset", "main").click()
    console.button("Cancel", "dialog").click()
    expect(console.page.get_by_text("Nothing was reset.")).to_be_visible()
    assert len(merchant.control("GET", "orders")["orders"]) == 1
    console.button("Reset", "main").click()
    console.button("Reset", "dialog").click()
    expect(console.page.get_by_text(f"{MERCHANT} was reset.")).to_be_visible()
    assert merchant.control("GET", "orders")["orders"] == []


def test_an_open_list_follows_a_reset(console: Console, merchant: Merchant) -> None:
    merchant.pay("order-1")
    console.open("orders")
    expect(console.row("order-1")).to_be_visible()
    merchant.control("POST", "reset", {"merchant": MERCHANT})
    expect(console.page.get_by_text("No orders.")).to_be_visible()


def test_merchants_have_their_keys_and_requests_that_work(console: Console, gateway: Gateway) -> None:
    console.open("merchants")
    section = console.page.get_by_label(MERCHANT)
    expect(section).to_contain_text("merchant.local.tollgate.testmerchant")
    expect(section.locator("tbody tr")).to_have_count(2)
    snippets = section.locator("pre").all_inner_texts()
    assert len(snippets) == 3
    for snippet in snippets:
        assert gateway.password in snippet and gateway.url in snippet
    exec(snippets[1].replace("print(", "_ = ("), {})
    console.open("orders")
    expect(console.row("order-1")).to_contain_text("AUTHORIZED")


def test_the_root_leads_a_browser_to_the_console(console: Console) -> None:
    console.page.goto(console.gateway.url + "/")
    assert console.page.url == console.base
    expect(console.page.get_by_role("heading", level=1)).to_have_text("Orders")


def test_a_hidden_page_follows_nothing_and_catches_up(console: Console, merchant: Merchant) -> None:
    page = console.open("requests").page
    # Playwright shows every page, so the page is told that it is hidden.
    page.evaluate("""() => {
      Object.defineProperty(document, "hidden", {configurable: true, get: () => window.isHidden});
      window.setHidden = (isHidden) => { window.isHidden = isHidden; document.dispatchEvent(new Event("visibilitychange")); };
      window.setHidden(true);
    }""")
    expect(page.locator("#connection")).to_have_text("connecting")
    merchant.pay("order-1")
    expect(page.locator("tbody tr")).to_have_count(0)
    page.evaluate("window.setHidden(false)")
    expect(page.locator("#connection")).to_have_text("live")
    expect(console.row("order-1")).to_be_visible()


def test_an_order_that_is_not_there_is_said_to_be_missing(console: Console) -> None:
    console.open(f"orders/{MERCHANT}/none")
    expect(console.page.get_by_role("alert")).to_contain_text("has no order none")
