"""What may be wrong with an installed program: codes for the journal, and their words.

It imports no package of others: the check of a program runs before any of them is trusted.
"""

from __future__ import annotations

from puntobanco.base.words import Words

FAULTS = {
    "missing": Words("{} is missing", "缺少 {}"),
    "changed": Words("{} is not the file of the release", "{} 並非此版本的檔案"),
    "added": Words("{} does not belong to the release", "{} 不屬於此版本"),
    "shadowed": Words("{} is imported from another folder", "{} 從其他資料夾載入"),
    "unlisted": Words(
        "{} has no list of its files: pip did not install it", "{} 沒有檔案清單：並非由安裝程式安裝"
    ),
    "signed-missing": Words("{} of the signed list is missing", "缺少已簽署清單中的 {}"),
    "signed-changed": Words("{} is not the file of the signed list", "{} 並非已簽署清單中的檔案"),
    "signed-added": Words("{} is not in the signed list of the release", "{} 不在已簽署清單中"),
    "signed-list": Words("the signed list {} cannot be used", "已簽署清單 {} 不能使用"),
    "checkout": Words("this is a checkout, and not the signed release", "此為源碼，並非已簽署版本"),
    "not-accepted": Words("digest {} was not accepted", "摘要 {} 未獲接受"),
}
"""By code; a code that is added here needs no other program to know it."""


def coded(code: str, file: str = "") -> str:
    """Return a fault as the journal has it."""
    assert code in FAULTS, code
    return f"{code}:{file}"


def fault_words(fault: str) -> Words:
    """An entry from before codes has a sentence, and a code that is not known here is shown as it
    is.

    >>> fault_words("missing:puntobanco/base/cache.py").en, fault_words("cache.py is missing").en
    ('puntobanco/base/cache.py is missing', 'cache.py is missing')
    """
    code, _, file = fault.partition(":")
    if code in FAULTS:
        return FAULTS[code].format(file)
    return Words(fault)
