"""Each defect that the mint can make reaches the shop's server as a token that the gateway refuses."""

import pathlib
import re
import subprocess

import pytest
from conftest import Checkout
from playwright.sync_api import expect

#: Defects of tokens that the sheet does not mint, with the words of the refusal: of version RSA_v1, and with an encrypted PIN.
NOT_MINTED = {
    "wrapped-key-altered": "RSA_v1", "wrapped-key-truncated": "RSA_v1", "wrapped-key-of-32-bytes": "RSA_v1",
    "ephemeral-key": "RSA_v1", "pin-malformed": "PIN",
}

#: Defects that the sandbox's merchant does not look for: it compares amount and currency alone.
NOT_COMPARED = {"application-data-differs", "submerchant-missing", "submerchant-repeated", "submerchant-amount-differs"}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "defect" in metafunc.fixturenames:
        metafunc.parametrize("defect", defects(metafunc.config.getoption("--program").resolve()))


def defects(program: pathlib.Path) -> list[str]:
    """The names that `token mint --list-defects` lists."""
    listed = subprocess.run([program, "token", "mint", "--list-defects"], capture_output=True, text=True, check=True, timeout=60)
    names = re.findall(r"^\s*([a-z][a-z0-9-]+)(?:\s|$)", listed.stdout, re.MULTILINE)
    assert len(names) > 40, listed.stdout
    return names


@pytest.mark.parametrize("name", ["checkout.html", "payment-request.html"])
def test_a_token_with_a_defect_is_judged_by_the_gateway(checkout: Checkout, defect: str, name: str) -> None:
    # A submerchant's entry can only be wrong in a token for several merchants.
    query = "agreement=multiToken" if defect.startswith("submerchant-") else "applicationData=b3JkZXItMQ%3D%3D"
    checkout.open(query, name)
    checkout.page.evaluate("(defect) => { tollgateApplePay.defect = defect; tollgateApplePay.outcome = 'pay' }", defect)
    checkout.press_button()
    if defect in NOT_MINTED:
        expect(checkout.sheet("error")).to_contain_text(NOT_MINTED[defect])
        assert checkout.shop.payments == []
        return
    outcome = checkout.outcome()
    if defect in NOT_COMPARED:
        assert (outcome["status"], outcome["result"]) == (201, "SUCCESS")
    else:
        assert (outcome["status"], outcome["result"]) == (400, "ERROR")
        assert outcome["error"]
    assert len(checkout.shop.payments) == 1


def test_the_sheet_offers_every_defect(checkout: Checkout, request: pytest.FixtureRequest) -> None:
    checkout.start()
    offered = checkout.sheet("defect").locator("option").evaluate_all("(options) => options.map((option) => option.value)")
    assert sorted(offered) == sorted(["", *defects(request.config.getoption("--program").resolve())])
