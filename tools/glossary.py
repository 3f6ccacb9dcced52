"""Glossary: one word for one thing, in English and Traditional Chinese, and what is not said
instead.

Every text that a person reads keeps to it: screens, refusals, events, rules pages, documents
(`tests/lint/test_glossary.py`). `docs/reference/glossary.md` is made of it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Term:
    """A thing, its word in each language, and words that must not be used instead of it.

    A word that must not be used is a regular expression. Where it is another term's own word, it
    is wrong only beside English that speaks of this one: 點數 for credits, not for points.
    """

    id: str
    en: str
    zh: str
    means: str
    not_en: tuple[str, ...] = ()
    not_zh: tuple[str, ...] = ()


TERMS = (
    # People
    Term(
        "patron",
        "patron",
        "客人",
        "a person who plays; `Player` and 閒 are a hand",
        not_en=("players", "customers?", "gamblers?", "punters?"),
        not_zh=("閒家", "玩家", "賭客", "顧客"),
    ),
    Term(
        "dealer",
        "dealer",
        "荷官",
        "deals and enters cards",
        not_en=("croupiers?",),
        not_zh=("莊荷",),
    ),
    Term(
        "supervisor",
        "supervisor",
        "主任",
        "decides on rounds, and is the second person",
        not_en=("pit boss",),
        not_zh=("主管", "監督"),
    ),
    Term("staff", "staff", "職員", "whoever works here", not_en=("employees?",), not_zh=("員工",)),
    Term(
        "administrator",
        "administrator",
        "管理員",
        "sets up tables, staff and terminals",
        not_zh=("系統員",),
    ),
    Term("house", "house", "本場", "who runs the floor", not_zh=("場方", "場所", "場內")),
    # Places
    Term("table", "table", "賭枱", "where a game is played", not_zh=("(?<!賭)枱", "桌", "賭台")),
    Term("terminal", "terminal", "終端機", "a patron's screen", not_zh=("終端(?!機)",)),
    Term("cage", "cage", "帳房", "where cash is taken and paid", not_zh=("賬房", "櫃枱")),
    Term("spot", "spot", "注區", "the place of a bet on the felt", not_zh=("注位",)),
    # Money
    Term(
        "credits",
        "credits",
        "餘額",
        "what a session has to play with; never 點數, which is what a hand counts",
        not_zh=("點數", "分數", "購點", "加點"),
    ),
    Term("points", "points", "點數", "what a hand counts, from 0 to 9"),
    Term("buy-in", "buy-in", "買入", "cash for credits", not_zh=("購買",)),
    Term("load", "load", "存入", "credits that the staff give for cash", not_zh=("增值",)),
    Term("cash-out", "cash out", "兌現", "credits for cash or a voucher"),
    Term(
        "voucher",
        "voucher",
        "票券",
        "credits on paper, with a number",
        not_en=("tickets?",),
        not_zh=("(?<!票)券", "彩票"),
    ),
    Term("hand-pay", "hand pay", "人手支付", "a payment by two of the staff", not_zh=("手工支付",)),
    Term("adjustment", "adjustment", "補付", "what a ruling on a past round pays a patron"),
    Term("stake", "stake", "注額", "how much lies on a bet", not_zh=("注碼",)),
    Term("stake-returned", "stake", "本金", "a stake that comes back"),
    # Play
    Term(
        "wager",
        "wager, bet",
        "投注",
        "a bet is offered, a wager is placed",
        not_zh=("下注", "落注", "押注"),
    ),
    Term(
        "bets-close",
        "No more bets",
        "截止投注",
        "no wager is taken, raised or withdrawn from now on",
        not_zh=("停止投注", "停止下注"),
    ),
    Term("closed", "closed", "已關閉", "a table or a spot that takes no wagers"),
    Term("limit", "limit", "限額", "the least and the most that is taken"),
    Term(
        "own-limits",
        "your own limits",
        "自訂限額",
        "what a patron allows himself a day",
        not_zh=("自設", "個人限額"),
    ),
    Term("round", "round", "局", "from open bets to payment", not_en=("coups?",), not_zh=("回合",)),
    Term("shoe", "shoe", "牌靴", "where the cards come from", not_zh=("牌盒",)),
    Term("player", "Player", "閒", "a hand"),
    Term("banker", "Banker", "莊", "a hand"),
    Term(
        "tie",
        "Tie",
        "和局",
        "equal totals, and the bonus for them; the bet's spot is 和",
        not_zh=("和獎金", "和牌"),
    ),
    Term("push", "push", "退回本金", "neither won nor lost", not_zh=("平手", "打和")),
    Term(
        "natural",
        "natural",
        "例牌",
        "8 or 9 on two cards; as in Macau and Hong Kong, to be confirmed by a reader in Singapore",
        not_zh=("天生贏家", "天牌"),
    ),
    Term("third-card", "draws", "補牌", "takes a third card; any card is 派牌"),
    Term("roads", "roads", "路單", "boards of past results", not_zh=("路紙",)),
    # Rules
    Term("rules", "rules", "規則", "a game's, as its rulebook has them"),
    Term("clause", "clause", "條款", "one numbered rule", not_zh=("條文",)),
    Term("void", "void", "作廢", "a round that does not count", not_en=("cancell?ed rounds?",)),
    Term("announce", "announce", "宣布", "said aloud at the table", not_zh=("宣佈",)),
    Term("declare", "declare", "申報", "told to the record by the staff", not_zh=("宣告",)),
    Term("reconstruct", "reconstruct", "還原", "put cards in their true order"),
    Term(
        "recovery",
        "recovered",
        "復原",
        "a database that was put back from a copy; 還原 is for cards",
        not_zh=("還原",),
    ),
    Term("proposal", "proposal", "提案", "what waits for a second person", not_zh=("建議",)),
    Term("approve", "approve", "核准", "what the second person does", not_zh=("批准",)),
    Term("exclusion", "exclusion", "禁止參與", "who may not play", not_zh=("禁止入場",)),
    Term("journal", "record", "記錄", "what is written down", not_zh=("紀錄",)),
)

LATIN_IN_CHINESE = (
    *("Plus", "MBS", "RWS"),  # of names of games and rulebooks
    *("A", "J", "K", "Q", "QR"),  # cards, and a word that Chinese has no other for
    *("Enter", "Esc", "T", "English"),  # keys, and the name of a language in that language
    *("CSV", "PDF", "first-card", "enrol"),  # kinds of files, what is typed, a page's address
)
"""What Chinese may hold in Latin letters; people's names, numbers and amounts are values."""

TRADE = {
    "baccarat, punto banco": "Two hands, Player and Banker, get two or three cards each by fixed "
    "rules. The total nearer to nine wins; nobody at the table decides anything but what to bet.",
    "bonus": "A fixed amount that a bet pays on top, however small the stake was.",
    "burn": "To take cards out of a new shoe unseen before the first round is dealt.",
    "cage": "The cashiers' windows, where cash becomes credits or vouchers and back.",
    "commission": "The 5 % that a classic table keeps of a Banker win. The games here have none: "
    "they pay less when Banker wins with a certain total.",
    "continuous shuffler": "A machine that shuffles used cards back after each round: every "
    "round is dealt from the full set.",
    "cut card": "A plastic card near the end of the shoe: when it comes out, the shoe is changed "
    "after that round or the next.",
    "drop": "What patrons brought to a table: credits bought, loaded or redeemed there.",
    "edge, house edge": "What the house keeps of a bet on average, in percent of the stake.",
    "electronic table game": "A table whose wagers are placed on screens, dealt by a dealer or by "
    "the server.",
    "exposure": "The most that a table could have to pay for the round in play.",
    "felt": "The layout on the table or the screen, with a spot for each bet.",
    "float": "The cash that a cashier's drawer starts a shift with.",
    "gaming day": "A day of the house's books; it may start at six in the morning.",
    "hand pay": "A payment too large for a voucher: two of the staff pay it in person.",
    "hit rate": "How often a bet wins.",
    "hold": "What the house won, in percent of the drop; not the house edge, since credits are "
    "wagered many times.",
    "journal": "The record of all that happened, chained and signed, so that a change shows.",
    "natural": "A total of eight or nine on the first two cards: the round is over.",
    "odds": "What a winning wager is paid: at 8 to 1 a stake of $10 wins $80 and comes back.",
    "par sheet": "The sheet of a game's mathematics: chance, return and house edge of every bet.",
    "pit": "The part of a floor that a supervisor looks after, with several tables.",
    "push": "A wager that neither wins nor loses: the stake comes back.",
    "return": "What a bet pays back on average, in percent of the stake: 100 % less the edge.",
    "road": "A board that shows past results in the patterns that patrons follow.",
    "shift": "A cashier's time at a window, from the float to the count by two people.",
    "shoe": "The box that cards are dealt from, and the decks in it, usually eight.",
    "side bet": "A bet beside Player, Banker and Tie, such as a pair.",
    "squeeze": "To turn a card slowly, edge first, so that its value shows little by little.",
    "tableau": "The table of play: when each hand takes a third card.",
    "third card": "The card that a hand may draw after its first two, by the tableau.",
    "tie": "Both totals are equal: Tie wins, Player and Banker push.",
    "tie out": "To compare two sums that must be equal, such as a report and the ledger.",
    "void": "A round that does not count: every stake comes back.",
    "voucher": "A slip with a number that is worth credits or cash, once.",
    "win": "What the house won: wagers less what was paid for them.",
}
"""Words of the trade in plain ones, for who comes new to it."""

SYNONYMS = (
    (
        "RNG, random number generator",
        "the operating system's generator shuffles each virtual shoe, with a fresh draw for every "
        "swap; a commitment precedes the first bet",
        "[virtual shoes](../explanation/live-table.md#virtual-shoes)",
    ),
    (
        "provably fair, commit and reveal",
        "commitment, mix, receipt",
        "[a shoe nobody chose](../explanation/mix.md), [receipts](receipts.md)",
    ),
    ("RTP, return to player, payback", "return", "[exact odds](../explanation/odds.md)"),
    ("PAR sheet, math sheet", "par sheet", "[exact odds](../explanation/odds.md)"),
    ("house advantage", "house edge", "[exact odds](../explanation/odds.md)"),
    (
        "theo, theoretical win",
        "what the wagers return in theory, beside what they did",
        "[reports](reports.md#what-is-in-it)",
    ),
    ("handle, turnover, coin-in", "wagered", "[reports](reports.md#what-is-in-it)"),
    ("drop, buy-in, cash-in", "drop", "[reports](reports.md#what-is-in-it)"),
    ("hold percentage, win percentage", "hold", "[reports](reports.md#what-is-in-it)"),
    ("GGR, gross gaming revenue", "win", "[reports](reports.md#what-is-in-it)"),
    (
        "meter, accounting meters",
        "the figures of the reports, summed from the journal; nothing rolls over or is reset",
        "[reports](reports.md#what-is-in-it)",
    ),
    (
        "TITO, ticket-in ticket-out",
        "voucher; no protocol of slot machines is spoken",
        "[vouchers](../how-to/floor.md#vouchers)",
    ),
    (
        "jackpot hand pay, attendant pay",
        "hand pay",
        "[the cage](../how-to/floor.md#the-dealer-the-pit-the-cage)",
    ),
    (
        "progressive, jackpot pool",
        "not supported",
        "[what cannot be said](../how-to/what-cannot-be-said.md)",
    ),
    (
        "ETG, stadium gaming, live dealer",
        "a table with dealing `virtual` (the server deals) or `physical` (a dealer deals)",
        "[a table's cards](../explanation/live-table.md#a-tables-cards)",
    ),
    (
        "CSM, continuous shuffling machine",
        "continuous shuffler, source `continuous`",
        "[a table's cards](../explanation/live-table.md#a-tables-cards)",
    ),
    ("scoreboard, big road, bead plate", "road", "[overhead display](screens.md#overhead-display)"),
    (
        "GLI, test laboratory, laboratory submission, certification",
        "not certified; the rules are traced clause by clause, and the default number of decks "
        "keeps the least return that GLI-19 asks for",
        "[traceability](rulebooks/traceability.md), [limits](../explanation/live-table.md#limits)",
    ),
    ("audit trail, event log", "journal", "[the journal](journal.md), [events](events.md)"),
    ("dispute, complaint", "review, dispute", "[disputes](reports.md#disputes)"),
    (
        "responsible gambling, self-exclusion, player protection",
        "limits of one's own, the exclusion list",
        "[what protects patrons](../how-to/floor.md#what-protects-patrons)",
    ),
    (
        "player card, player tracking",
        "member's card; the journal has a random id instead",
        "[what protects patrons](../how-to/floor.md#what-protects-patrons)",
    ),
    (
        "dual control, four eyes, maker and checker",
        "two people",
        "[administration](../how-to/floor.md#administration)",
    ),
    (
        "HA, high availability, failover, cluster",
        "several nodes on one PostgreSQL database; another node goes on within a second or two",
        "[nodes](../how-to/operations.md#nodes)",
    ),
    (
        "reverse proxy, load balancer, nginx, HAProxy",
        "balancer, proxy; `deploy/haproxy.cfg` is an example",
        "[the open network](../how-to/operations.md#the-open-network)",
    ),
    (
        "Docker, Podman, container, image",
        "`Containerfile` and `compose.yaml`; no container engine was run on them",
        "[containers](../how-to/operations.md#containers)",
    ),
    ("DR, disaster recovery, restore", "recovery", "[recovery](../how-to/operations.md#recovery)"),
    (
        "Prometheus, alerting, health check",
        "monitoring",
        "[monitoring](../how-to/operations.md#monitoring)",
    ),
    ("key management, key rotation", "key ring", "[keys](../how-to/operations.md#keys)"),
    ("REST API, SDK, integration", "HTTP API, wire", "[HTTP](http.md), [the wire](wire.md)"),
)
"""Words of other products and of the trade: what is said here instead, and the page that answers."""
