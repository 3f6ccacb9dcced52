"""Causes: why something is so, as a code with values; who reads it makes the sentence.

A journal keeps codes and never sentences, so that its bytes last and both languages are whole. A
code is never given another meaning, nor its values another order; a new one gets its words here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from puntobanco.base.words import Words
from puntobanco.rules.cards import CODES, DECKS, name, parse_card

Value: TypeAlias = str | int

_IMPOSSIBLE = {
    "card-of-no-deck": Words("{0} is a card of no deck", "{0} 不屬任何一副牌"),
    "card-of-other-deck": Words(
        "{0} belongs to the {1} deck; this game plays {2} cards", "{0} 不屬本遊戲所用的牌"
    ),
    "shoe-holds-none": Words(
        "{0} ({1}) cannot come: the shoe holds none of them; rescan or correct the card",
        "{1}不可能出現：牌靴內只餘 0 張；請重新掃描或更正",
    ),
    "shoe-holds-only": Words(
        "{0} ({2}) cannot come: the shoe holds only {1} of them; rescan or correct the card",
        "{2}不可能出現：牌靴內只餘 {1} 張；請重新掃描或更正",
    ),
}
"""Why a card cannot be: of its code, then of decks or of how many are left."""

TableCause: TypeAlias = Literal[
    "equipment-checked",
    "cards-checked",
    "round-reviewed",
    "dealer-changes",
    "table-prepared",
    "safety",
    "play-ends",
    "house-decides",
    "another-reason",
]
SessionCause: TypeAlias = Literal[
    "own-request",
    "identity-checked",
    "equipment-checked",
    "round-reviewed",
    "house-decides",
    "another-reason",
]
TABLE_CAUSES: tuple[TableCause, ...] = get_args(TableCause)
"""Why staff stop or close a table, or stop the floor; in the order of a form."""

SESSION_CAUSES: tuple[SessionCause, ...] = get_args(SessionCause)
"""Why staff stop a session."""

OTHER: TableCause = "another-reason"
NO_WORDS = Words("")
"""What a patron is told, too, where an older journal has a text of the staff in place of a cause.
"""

STATED = {
    "equipment-checked": Words("the equipment is being checked", "正在檢查設備"),
    "cards-checked": Words("the cards are being checked", "正在核對牌"),
    "round-reviewed": Words("a round is being reviewed", "正在覆核牌局"),
    "dealer-changes": Words("the dealer changes", "正在更換荷官"),
    "table-prepared": Words("the table is being made ready", "正在整理賭枱"),
    "safety": Words("for everybody's safety", "為保障安全"),
    "play-ends": Words("play ends here for today", "今日營業結束"),
    "house-decides": Words("the house has decided so", "按本場決定"),
    "own-request": Words("at the patron's own request", "按客人本人要求"),
    "identity-checked": Words("an identity is being checked", "正在核對身分"),
    "another-reason": Words("for another reason; please ask the staff", "其他原因，請向職員查詢"),
}
"""What staff choose from when they say why. They may add a note, the only value: it is for staff,
and no sentence here has a place for it.
"""

WORDS = {
    # why a card falls where it does, or that no more comes: of totals, and of player's third card
    "player-first-card": Words("Player's first card", "閒第一張牌"),
    "banker-first-card": Words("Banker's first card", "莊第一張牌"),
    "player-second-card": Words("Player's second card", "閒第二張牌"),
    "banker-second-card": Words("Banker's second card", "莊第二張牌"),
    "player-natural": Words("Player has a natural {}: no more cards", "閒例牌{}點：不補牌"),
    "banker-natural": Words("Banker has a natural {}: no more cards", "莊例牌{}點：不補牌"),
    "both-natural": Words(
        "Player has a natural {} and Banker has a natural {}: no more cards",
        "閒例牌{}點，莊例牌{}點：不補牌",
    ),
    "player-draws": Words("Player has {} and draws", "閒{}點，補牌"),
    "player-stands": Words("Player has {} and stands", "閒{}點，不補牌"),
    "banker-draws-alone": Words(
        "Banker has {} against a Player who stood: draws", "閒不補牌，莊{}點，補牌"
    ),
    "banker-stands-alone": Words(
        "Banker has {} against a Player who stood: stands", "閒不補牌，莊{}點，不補牌"
    ),
    "banker-draws": Words(
        "Banker has {} against Player's third card worth {}: draws", "莊{}點對閒第三張{}點，補牌"
    ),
    "banker-stands": Words(
        "Banker has {} against Player's third card worth {}: stands",
        "莊{}點對閒第三張{}點，不補牌",
    ),
    "both-finished": Words("both hands are finished", "雙方牌已補完"),
    "corrected-from": Words("corrected from {}", "由 {} 更正"),
    **_IMPOSSIBLE,
    # entered again, it is there: a foreign card
    **{
        f"{code}-twice": Words(
            f"{{0}} was entered twice: {said.en}", f"{{0}} 輸入了兩次：{said.zh}"
        )
        for code, said in _IMPOSSIBLE.items()
    },
    # why an incident voids nothing
    "nothing-to-void": Words(
        "no round is in play: nothing to void, earlier results stand",
        "無進行中的牌局：無須作廢，先前結果有效",
    ),
    "nothing-to-void-shoe-changed": Words(
        "no round is in play: nothing to void, earlier results stand, the shoe is changed",
        "無進行中的牌局：無須作廢，先前結果有效，更換牌靴",
    ),
    "nothing-to-void-recorded": Words(
        "no round is in play: nothing to void, earlier results stand, an incident is recorded",
        "無進行中的牌局：無須作廢，先前結果有效，記錄事件",
    ),
    "earlier-round-stands": Words(
        "the earlier round stands; declare it on the round now open",
        "先前一局有效；請就現時牌局申報",
    ),
    "miscounted": Words(
        "cards are missing or too many; the shoe is retired, earlier results stand",
        "牌數短缺或多出；停用此靴，先前結果有效",
    ),
    "miscounted-no-clause": Words(
        "cards are missing or too many; no clause voids a round for it; the shoe is retired",
        "牌數短缺或多出；並無條款據此作廢牌局；停用此靴",
    ),
    "cards-not-had": Words(
        "the cards of the shoe cannot be had; earlier results stand",
        "無法取得牌靴的牌；先前結果有效",
    ),
    "cards-may-be-lost": Words(
        "cards may have been dealt that a recovery has lost; the shoe is retired",
        "復原可能遺失已派的牌；停用此靴",
    ),
    # what happened, where the program itself declares an irregularity
    "cards-counted": Words("{} cards counted, {} expected", "點算 {} 張，應為 {} 張"),
    "virtual-shoe-empty": Words("the virtual shoe has no card left", "虛擬牌靴已無牌"),
    "sealed-cards-missing": Words("the sealed cards of {} are missing", "{} 的密封牌序遺失"),
    "sealed-cards-changed": Words("the sealed cards of {} were changed", "{} 的密封牌序曾被改動"),
    "sealed-cards-not-committed": Words(
        "the sealed cards of {} are not those committed to", "{} 的密封牌序與承諾不符"
    ),
    "sealing-key-not-held": Words(
        "{} is sealed with key {}, which the key ring does not hold",
        "{} 以密鑰 {} 密封，密鑰環沒有此密鑰",
    ),
    "nonce-not-hexadecimal": Words(
        "the nonce revealed is not hexadecimal", "公開的隨機數並非十六進制"
    ),
    "nonce-of-wrong-length": Words(
        "the nonce revealed is of {} bytes; it has {}", "公開的隨機數為 {} 位元組；應為 {}"
    ),
    # why the floor stops a session or a table
    "patron-excluded": Words("the patron may not play", "該客人不得投注"),
    "one-table-at-a-time": Words(
        "you have set yourself limits and play at one table at a time",
        "你已自訂限額，同一時間只可在一張賭枱投注",
    ),
    "house-stream-stopped": Words(
        "the records of the house are being checked; no new round opens", "本場記錄核查中，暫不開局"
    ),
    "clock-set-forward": Words(
        "the clock is being checked; no new round opens", "時鐘核查中，暫不開局"
    ),
    "other-rules": Words(
        "{} is another game in this program: {} was {} and is {} here (definition {}, here {})",
        "本程式的 {} 是另一遊戲：{} 原為 {}，此處為 {}（定義 {}，此處 {}）",
    ),
    "other-digest": Words(
        "{} is another game in this program: its digest is another (definition {}, here {})",
        "本程式的 {} 是另一遊戲：摘要不同（定義 {}，此處 {}）",
    ),
    # why a table does not take what comes from another
    "move-too-late": Words("it took too long; try again", "時間過長；請再試"),
    "move-table-closed": Words("that table is closed", "該賭枱已關閉"),
    "move-table-halted": Words("that table opens no round now", "該賭枱暫不開局"),
    "move-table-full": Words("no seat is free there", "該賭枱沒有空位"),
    "move-time-over": Words("the time you set yourself is over", "你自訂的時間已到"),
    "move-before-recovery": Words(
        "the system was recovered; the cage pays these credits", "系統已復原；餘額由帳房支付"
    ),
    "move-awaits-payment": Words(
        "the system was recovered; your credits there are paid at the cage first",
        "系統已復原；請先到帳房領取你在該處的餘額",
    ),
    "move-not-over": Words("you have only just left it; try again", "你剛離開該賭枱；請再試"),
    "move-other-patron": Words("somebody else plays there", "該處另有客人"),
    # with what a proposal lapses
    "settled": Words("settled", "該局已結算"),
    "void": Words("void", "該局已作廢"),
    "resumed": Words("resumed", "該局已繼續"),
    "reconstructed": Words("reconstructed", "次序已還原"),
    "reopened": Words("reopened", "該局已重開"),
    "corrected": Words("corrected", "該牌已更正"),
    "closed": Words("closed", "賭枱已關閉"),
    "shoe": Words("shoe", "該靴已結束"),
    # why a scheduled change is not made
    "change-replaced": Words("another change is in its place", "已由另一更改取代"),
    "change-withdrawn": Words("it was withdrawn", "已撤回"),
    "table-closed-first": Words("the table was closed first", "賭枱已先關閉"),
    **STATED,
}


@dataclass(frozen=True, slots=True)
class Cause:
    """A code of `WORDS`, and what its sentence names.

    >>> Cause("player-draws", (5,)).words.en
    'Player has 5 and draws'
    """

    code: str
    values: tuple[Value, ...] = ()

    @property
    def words(self) -> Words:
        """In both languages; a code that this program does not know stands for itself."""
        template = WORDS.get(self.code)
        if template is None:
            return Words(self.code)
        told = [_told(value) for value in self.values]
        first = self.values[0] if self.values else ""
        if first in CODES:  # the name of a card comes after the values
            told.append(name(parse_card(str(first))))
        try:
            return template.format(*told)
        except IndexError:  # another version gave it fewer values
            return Words(self.code)

    @property
    def note(self) -> str:
        """What staff wrote beside the cause that they chose, for staff."""
        return str(self.values[0]) if self.code in STATED and self.values else ""


def _told(value: Value) -> Value | Words:
    deck = DECKS.get(str(value))
    return deck.name if deck else value


def words_of(text: str | Cause) -> Words:
    """For staff: what a person wrote, as it stands; or the cause in both languages, with the note
    that somebody added.
    """
    if not isinstance(text, Cause):
        return Words(text)
    if not text.note:
        return text.words
    return Words("{}, “{}”", "{}，「{}」").format(text.words, text.note)


def told_of(text: str | Cause) -> Words:
    """For patrons: the cause in both languages, and never what staff wrote."""
    if isinstance(text, Cause):
        return text.words
    return STATED[OTHER] if text else NO_WORDS
