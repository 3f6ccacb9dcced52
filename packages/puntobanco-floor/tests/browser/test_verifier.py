"""verify.html in a browser: from the disk, with the network off, by hand and in both languages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from puntobanco_proof import verifier
from puntobanco_proof.verifier import verify
from tests.verifier.made import played, policy, receipt, shoe_played

PAGE = Path(verify.__file__).with_name("verify.html")


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Offline; a request that it makes, or a word on its console, fails the test."""
    context = browser.new_context(offline=True)
    found = context.new_page()
    wrong = list[str]()
    found.on("console", lambda message: wrong.append(message.text))
    found.on("pageerror", lambda error: wrong.append(str(error)))
    found.on(
        "request",
        lambda request: None if request.url.startswith("file:") else wrong.append(request.url),
    )
    found.goto(PAGE.as_uri())
    yield found
    context.close()
    assert not wrong


def a_round() -> bytes:
    journal, what, places = played()
    return receipt(what, journal.proven(places))


def give(page: Page, name: str, data: bytes) -> None:
    suffix = "json" if name == "receipt" else "txt"
    kind = "application/octet-stream"
    page.set_input_files(
        f"#{name}-file", {"name": f"{name}.{suffix}", "mimeType": kind, "buffer": data}
    )


def code(page: Page) -> str:
    page.wait_for_selector(".out:not([hidden])")
    return page.get_attribute(".out", "data-code") or ""


def test_it_says_what_verify_py_says(page: Page) -> None:
    own = policy()
    journal, what, places = shoe_played()
    for data in (a_round(), receipt(what, journal.proven(places))):
        give(page, "policy", own.encode())
        give(page, "receipt", data)
        verdict = verify.verify(data, own)
        page.wait_for_selector(f".facts li:nth-child({len(verdict.facts)})")
        assert code(page) == "0"
        assert page.locator(".checks span").all_text_contents() == [
            line.text for line in verdict.lines
        ]


def test_without_a_policy_it_is_not_proven_and_a_changed_byte_is_refused(page: Page) -> None:
    data = a_round()
    give(page, "receipt", data)
    assert code(page) == "2"
    give(page, "receipt", data.replace(b"10000", b"10001", 1))
    page.wait_for_selector(".out[data-code='1']")
    assert page.locator(".no").count() == 1


def test_pasted_text_and_chinese(page: Page) -> None:
    page.fill("#receipt", a_round().decode() + "\n")
    page.fill("#policy", policy())
    page.wait_for_selector(".out[data-code='0']")
    page.click("[data-lang=zh]")
    assert page.inner_text("h1") == "收據驗證"
    assert "見證人" in page.inner_text(".checks")


def test_files_are_dropped_anywhere(page: Page) -> None:
    drop = """([receipt, policy]) => {
      const files = new DataTransfer();
      files.items.add(new File([policy], "policy.txt"));
      files.items.add(new File([receipt], "receipt.json"));
      dispatchEvent(Object.assign(new Event("drop", { cancelable: true }), { dataTransfer: files }));
    }"""
    page.evaluate(drop, [a_round().decode(), policy()])
    page.wait_for_selector(".out[data-code='0']")


def test_a_browser_without_ed25519_is_told_so(browser: Browser) -> None:
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.add_init_script(
        "crypto.subtle.importKey = () => Promise.reject(new DOMException('', 'NotSupportedError'))"
    )
    page.goto(PAGE.as_uri())
    give(page, "policy", policy().encode())
    give(page, "receipt", a_round())
    page.wait_for_selector(".out[data-code='2'] .open")
    assert "Ed25519" in page.inner_text(".checks")
    context.close()


def test_nothing_in_it_may_load_or_send() -> None:
    text = verifier.read_verifier("verify.html").decode()
    assert "default-src 'none'" in text
    for word in ("http:", "https:", "src=", "href=", "fetch(", "XMLHttp", "import(", "eval("):
        assert word not in text
