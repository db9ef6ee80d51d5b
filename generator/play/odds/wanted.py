"""The chance that hands hold what is wanted: exact, or of a sample.

Also of several seats at once, and in an open row turn by turn; how many copies a chance needs; and, for play alone, how
soon a hand holds a card that can be paid, and by which turn cards that give something each turn pay each cost.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb, prod
from operator import add, sub
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.errors import MisfitError, count_of, quote
from generator.model import Component
from generator.play.odds import answers, hands, questions

_MOST_COPIES = 1_000  # that are tried
_MOST_ROWS = 10  # of numbers of copies
_MOSTLY = 0.9
_MOST_CURVES = 8
_MOST_MEANS = 5  # turns that the first sentence names
Powers = Mapping[hands.Number, int]  # how often a seat can pay so much


class Redraws(Struct, frozen=True):
    """How often a hand that fails is replaced by a new one, and by how many cards of the first pool
    each new one is smaller."""

    times: int = 0
    fewer: int = 0

    def tries(self, pools: Sequence[hands.Pool[Any]]) -> list[list[hands.Pool[Any]]]:
        """The pools of each hand in turn."""
        first, *others = pools
        sizes = (first.draw - self.fewer * number for number in range(self.times + 1))
        return [[replace(first, draw=size), *others] for size in sizes if size >= 0]

    def __str__(self) -> str:
        """The redraws as a clause of a sentence; "" without any."""
        if not self.times:
            return ""
        times = "once" if self.times == 1 else f"up to {self.times} times"
        smaller = f", smaller by {self.fewer}" if self.fewer else ""
        return f"; a hand that fails is drawn anew {times}{smaller}"


def find_chance(
    pools: Sequence[hands.Pool[hands.Membership]],
    wanted: Sequence[questions.CountRange],
    redraws: Redraws = Redraws(),  # noqa: B008
) -> tuple[answers.Chance, int]:
    """The chance of what is wanted, and the number of samples, 0 if it is exact."""
    tries = redraws.tries(pools)
    try:
        found = [hands.count_wanted(hand, wanted) for hand in tries]
    except hands.TooManyStepsError:
        return _sample_chance(tries, wanted)
    totals = [prod(pool.hands for pool in hand) for hand in tries]
    if not redraws.times:
        return answers.counted(found[0], totals[0]), 0
    return answers.exact(hands.chance_after(list(map(Fraction, found, totals)))), 0


def _sample_chance(
    tries: Sequence[Sequence[hands.Pool[hands.Membership]]], wanted: Sequence[questions.CountRange]
) -> tuple[answers.Chance, int]:
    samples = hands.samples_for(sum(pool.draw for hand in tries for pool in hand))
    drawn = [hands.draw_from(hand, samples, len(hand) * at) for at, hand in enumerate(tries)]
    hits = sum(any(hands.holds(hand, wanted) for hand in series) for series in zip(*drawn, strict=True))
    return answers.sampled(hits, samples), samples


def list_chances(
    pool: hands.Pool[hands.Membership], most: int, wanted: Sequence[questions.CountRange]
) -> list[answers.Chance]:
    """The exact chance for each number of cards drawn, from 0; none if that is not feasible."""
    try:
        found = hands.count_hands(replace(pool, draw=most), wanted)
    except hands.TooManyStepsError:
        return []
    return [answers.counted(ways, replace(pool, draw=draw).hands) for draw, ways in enumerate(found)]


def answer_draw(
    parts: Sequence[answers.HandPart], wanted: Sequence[questions.WantedCards], redraws: Redraws
) -> answers.OddsAnswer:
    """The chance of wanted cards, and how it grows with those drawn. Raises MisfitError."""
    pools = answers.find_members(parts, wanted)
    ranges = [wish.range for wish in wanted]
    chance, samples = find_chance(pools, ranges, redraws)
    what, noun = " and ".join(map(str, wanted)), answers.nouns_of(parts)
    most = max(10, 2 * parts[0].draw)
    most = most if parts[0].is_put_back else min(parts[0].cards, most)
    grown = [] if len(pools) > 1 else list_chances(pools[0], most, ranges)
    points = tuple((float(draw), share.share) for draw, share in enumerate(grown))
    return answers.OddsAnswer(
        title=what,
        said=(f"{chance}: {what}, among {answers.say_parts(parts)}{redraws}.", *_warn(pools, wanted)),
        heads=(f"wanted {noun}" if len(wanted) == 1 else "each on its own", ""),
        rows=tuple(_list_rows(pools, wanted)),
        samples=samples,
        plot="bars",
        of_rows=f"chance, {sum(part.draw for part in parts)} drawn",
        curves=(answers.OddsCurve("", points),) if points else (),
        across=f"{noun} drawn",
        chance=chance,
        hand=answers.size_shown(parts),
    )


def _warn(pools: Sequence[hands.Pool[hands.Membership]], wanted: Sequence[questions.WantedCards]) -> Iterator[str]:
    """The conditions that no card meets, which may be misspelt."""
    for at, wish in enumerate(wanted):
        if not any(kinds[at] for pool in pools for kinds in pool.deck):
            yield f"Nothing at all counts for {wish.where}."


def _list_rows(pools: Sequence[hands.Pool[Any]], wanted: Sequence[questions.WantedCards]) -> Iterator[answers.OddsRow]:
    """The numbers of wanted cards; for several conditions, the whole chance of each."""
    if len(wanted) > 1:
        for at, wish in enumerate(wanted):
            only = [_only(pool, at) for pool in pools]
            yield answers.OddsRow(str(wish), find_chance(only, [wish.range])[0])
        return
    for number, chance in sorted(answers.chances_of(hands.count_members(pools)).items()):
        note = "wanted" if wanted[0].range.holds(number) else ""
        yield answers.OddsRow(str(number), chance, note, number)


def _only(pool: hands.Pool[hands.Membership], at: int) -> hands.Pool[hands.Membership]:
    """The pool by one of its conditions."""
    able = sum(copies for kinds, copies in pool.deck.items() if kinds[at])
    return replace(pool, deck={(True,): able, (False,): pool.cards - able})


def answer_deal(part: answers.HandPart, seats: int, wanted: Sequence[questions.WantedCards]) -> answers.OddsAnswer:
    """How many of the seats hold wanted cards, if each has a hand of one deck. Raises MisfitError."""
    answers.check_draw(part, seats * part.draw)
    (pool,) = answers.find_members([part], wanted)
    ranges, samples, draw = [wish.range for wish in wanted], 0, part.draw
    try:
        deals = hands.count_holders(pool, seats, ranges)
    except hands.TooManyStepsError:
        samples, starts = hands.samples_for(seats * draw), range(0, seats * draw, draw)
        dealt = hands.draw_from([replace(pool, draw=seats * draw)], samples)
        deals = Counter(sum(hands.holds(deal[at : at + draw], ranges) for at in starts) for deal in dealt)
    found = answers.chances_of({number: deals.get(number, 0) for number in range(seats + 1)}, samples)
    nobody, somebody = deals.get(0, 0), sum(deals.values()) - deals.get(0, 0)
    chance = answers.chances_of({False: nobody, True: somebody}, samples)[True]
    what = " and ".join(map(str, wanted))
    return answers.OddsAnswer(
        title=f"{what}, in hands of {draw}",
        said=(
            f"{chance}: somebody holds {what}. {found[seats]}: everybody does.",
            f"{count_of(seats, 'seat')} with {draw} each of {count_of(part.cards, answers.noun_of(part.component))}.",
            *_warn([pool], wanted),
        ),
        heads=("seats that hold it", ""),
        rows=tuple(answers.OddsRow(str(number), share, at=number) for number, share in found.items()),
        samples=samples,
        plot="bars",
        of_rows="chance",
        chance=chance,
        hand=draw,
    )


def answer_copies(component: Component, draw: int, wish: questions.WantedCards, goal: Fraction) -> answers.OddsAnswer:
    """The least number of copies of the wanted cards with which hands have that chance, if the
    other cards of the deck stay. Raises MisfitError."""
    (pool,) = answers.find_members([answers.HandPart(component, draw)], [wish])
    others, now = pool.deck.get((False,), 0), pool.deck.get((True,), 0)
    most = draw if wish.range.most is None else min(draw, wish.range.most)
    numbers, tried = range(wish.range.least, most + 1), dict[int, Fraction]()
    for copies in range(max(0, draw - others), _MOST_COPIES + 1):
        ways = sum(comb(copies, number) * comb(others, draw - number) for number in numbers)
        tried[copies] = Fraction(ways, comb(copies + others, draw))
        if tried[copies] >= goal:
            break
    best, shares = max(tried, key=tried.__getitem__), {n: answers.exact(tried[n]) for n in tried}
    said = f"{best} {'copy' if best == 1 else 'copies'}: {_say_beside(tried[best], goal)}"
    said += f" ({best - 1}: {_say_beside(tried[best - 1], goal)})." if best - 1 in tried else "."
    noun = answers.noun_of(component)
    percent = f"{float(100 * goal):g} %"
    if tried[best] < goal:
        said = f"No number up to {_MOST_COPIES:,} reaches {percent}; nearest are {said}"
    rows = (answers.OddsRow(str(n), shares[n], "now" if n == now else "", n) for n in shares)
    return answers.OddsAnswer(
        title=f"Copies for {percent}",
        said=(said, f"{wish}, among {draw} {noun}s. The deck has {now}, and {others} other {noun}s that stay."),
        heads=("copies", ""),
        rows=tuple(row for row in rows if abs((row.at or 0) - best) < _MOST_ROWS),
        plot="bars",
        of_rows=f"chance, {draw} drawn",
        curves=(answers.OddsCurve("", tuple((float(n), float(tried[n])) for n in tried)),),
        across="copies",
        chance=shares[best],
    )


def _say_beside(share: Fraction, goal: Fraction) -> str:
    """A chance in as many digits as show whether it is enough: 64.96 % is not, and 65.0 % were."""
    is_enough = share >= goal
    digits = next((n for n in range(1, 7) if (round(100 * share, n) >= 100 * goal) == is_enough), 1)
    return answers.say_share(float(share)) if digits == 1 else f"{float(100 * share):.{digits}f} %"


class Tempo(Struct, frozen=True):
    """The cards of the first hand, those drawn at the beginning of each turn, and what may be paid
    in the first turn and how much more in each later one."""

    hand: int
    draw: int
    income: hands.Number
    growth: hands.Number
    draws_first: bool = True

    def seen(self, turn: int) -> int:
        """The cards drawn by a turn, from 1."""
        return self.hand + self.draw * (turn if self.draws_first else turn - 1)

    def pays(self, turn: int) -> hands.Number:
        return self.income + self.growth * (turn - 1)


def answer_goldfish(component: Component, text: str, tempo: Tempo, turns: int) -> answers.OddsAnswer:
    """The chance of a card that can be paid, turn by turn. Raises MisfitError."""
    costs = answers.count_cards(component, [answers.number_each(component, text)])
    cards = sum(costs.values())
    answers.check_draw(answers.HandPart(component, tempo.hand), tempo.hand)
    noun = answers.noun_of(component)
    rows, chances = [], []
    for turn in range(1, turns + 1):
        seen, pays = min(cards, tempo.seen(turn)), tempo.pays(turn)
        able = sum(copies for (cost,), copies in costs.items() if cost <= pays)
        chances.append(answers.exact(1 - Fraction(comb(cards - able, seen), comb(cards, seen))))
        mean = answers.say_number(Fraction(seen * able, cards))
        rows.append(
            answers.OddsRow(str(turn), chances[-1], f"{mean} of {seen}, with {answers.say_number(pays)} to pay", turn)
        )
    return answers.OddsAnswer(
        title=f"How soon a {noun} can be paid",
        said=(_say_soon(chances, f"hands have a {noun} that can be paid", "one"),),
        heads=("turn", f"{noun}s seen that can be paid, on average"),
        rows=tuple(rows),
        curves=(_draw_turns("", chances),),
        across="turn",
        up=f"chance of a {noun} that can be paid",
        hand=tempo.hand,
    )


def _say_soon(chances: Sequence[answers.Chance], have: str, it: str) -> str:
    shares = [chance.share for chance in chances]
    first = f"{answers.say_share(shares[0])} of the {have} in turn 1"
    sure = next((turn for turn, share in enumerate(shares, 1) if share >= _MOSTLY), None)
    if sure is None:
        return f"{first}, {answers.say_share(shares[-1])} in turn {len(shares)}."
    return f"{first}; 9 of 10 have {it} in turn {sure}."


def answer_market(
    component: Component, wanted: Sequence[questions.WantedCards], tempo: Tempo, turns: int
) -> answers.OddsAnswer:
    """By which turn an open row has shown what is wanted; the deck fills the gaps. Raises MisfitError."""
    part = answers.HandPart(component, tempo.hand)
    answers.check_draw(part, part.draw)
    noun = answers.noun_of(component)
    (pool,) = answers.find_members([part], wanted)
    seen = [min(part.cards, tempo.seen(turn)) for turn in range(1, turns + 1)]
    grown = list_chances(pool, seen[-1], [wish.range for wish in wanted])
    if not grown:
        raise MisfitError("so many conditions take too long to count", "ask about one of them")
    chances = [grown[cards] for cards in seen]
    rows = [
        answers.OddsRow(str(turn), chance, f"{cards} of {part.cards}", turn)
        for turn, (cards, chance) in enumerate(zip(seen, chances, strict=True), 1)
    ]
    what = " and ".join(map(str, wanted))
    return answers.OddsAnswer(
        title=f"{what}, in a row of {part.draw}",
        said=(
            _say_soon(chances, f"rows have shown {what}", "shown it"),
            f"{part.draw} {noun}s lie open; after each turn the deck replaces {tempo.draw} of them.",
            *_warn([pool], wanted),
        ),
        heads=("turn", f"{noun}s seen"),
        rows=tuple(rows),
        curves=(_draw_turns("", chances),),
        across="turn",
        up="chance that they have been seen",
        chance=chances[-1],
        hand=part.draw,
    )


class GiverDeck(Struct, frozen=True):
    """A deck for the question of resources: what its kinds of cards give each turn, the most first, and their
    copies; the number of other cards; how many that give can be laid in a turn."""

    gives: Sequence[hands.Number]
    copies: Sequence[int]
    others: int
    lays: int

    @property
    def cards(self) -> int:
        return sum(self.copies) + self.others


def count_powers(deck: GiverDeck, tempo: Tempo, turns: int) -> list[Powers]:
    """How often a seat can pay so much, turn by turn, in all ways to draw. Raises TooManyStepsError."""
    steps = hands.StepCount()
    whole = (*deck.copies, deck.others)
    # by the cards of each kind that are left in the deck, and those in hand that give
    states = {(whole, (0,) * len(deck.gives)): 1}
    found: list[Powers] = []
    for turn in range(1, turns + 1):
        after: defaultdict[tuple[tuple[int, ...], tuple[int, ...]], int] = defaultdict(int)
        powers: defaultdict[hands.Number, int] = defaultdict(int)
        for (left, held), ways in states.items():
            draw = sum(left) - max(0, deck.cards - tempo.seen(turn))
            for more, times in hands.list_draws(left, draw, steps):
                rest, hand = tuple(map(sub, left, more)), _lay(map(add, held, more), deck.lays)
                after[rest, hand] += ways * times
                powers[tempo.pays(turn) + _sum_up(deck, rest, hand)] += ways * times
        states = after
        found.append(powers)
    return found


def _lay(held: Iterable[int], lays: int) -> tuple[int, ...]:
    """The cards that stay in hand after those that give the most were laid."""
    hand = []
    for number in held:
        hand.append(max(0, number - lays))
        lays = max(0, lays - number)
    return tuple(hand)


def _sum_up(deck: GiverDeck, left: Sequence[int], hand: Sequence[int]) -> hands.Number:
    """The sum that all cards give that are neither left in the deck nor in hand."""
    kinds = zip(deck.gives, deck.copies, left, hand, strict=False)
    return sum(gives * (copies - rest - number) for gives, copies, rest, number in kinds)


def sample_powers(deck: GiverDeck, tempo: Tempo, turns: int) -> tuple[list[Powers], int]:
    """How often a seat can pay so much, turn by turn, with random hands; and the number of these hands."""
    samples = hands.samples_for(tempo.seen(turns))
    found: list[Counter[hands.Number]] = [Counter() for _ in range(turns)]
    whole = [*deck.copies, deck.others]
    for cards in hands.draw_hands(whole, tempo.seen(turns), samples):
        left, hand, seen = whole, (0,) * len(deck.gives), 0
        for turn in range(1, turns + 1):
            new = Counter(cards[seen : tempo.seen(turn)])
            left = [rest - new[kind] for kind, rest in enumerate(left)]
            hand = _lay((held + new[kind] for kind, held in enumerate(hand)), deck.lays)
            seen = tempo.seen(turn)
            found[turn - 1][tempo.pays(turn) + _sum_up(deck, left, hand)] += 1
    return list(found), samples


def answer_resources(
    component: Component, texts: tuple[str, str], tempo: Tempo, lays: int, turns: int
) -> answers.OddsAnswer:
    """By which turn each cost can be paid; `texts` are the formulas of the cost and of what a card
    gives. Raises MisfitError."""
    cost, gives = texts
    given = answers.number_each(component, gives)
    deck = _make_deck(component, given, gives, lays)
    costs = _list_costs(component, given, cost)
    answers.check_draw(answers.HandPart(component, tempo.hand), tempo.hand)
    samples = 0
    try:
        powers = count_powers(deck, tempo, turns)
    except hands.TooManyStepsError:
        powers, samples = sample_powers(deck, tempo, turns)
    givers = f"{sum(deck.copies)} of {deck.cards} {answers.noun_of(component)}s give something each turn."
    paid = {cost: [_chance_of(cost, turn, samples) for turn in powers] for cost in costs}
    return answers.OddsAnswer(
        title="How soon each cost can be paid",
        said=(givers, _say_means(powers)),
        heads=(cost, "the first turn that allows it"),
        rows=tuple(_answer_cost(cost, chances) for cost, chances in paid.items()),
        samples=samples,
        curves=tuple(_draw_turns(f"cost {answers.say_number(cost)}", paid[cost]) for cost in costs[:_MOST_CURVES]),
        across="turn",
        up="chance that the cost can be paid",
        hand=tempo.hand,
    )


def _make_deck(component: Component, given: Sequence[hands.Number], text: str, lays: int) -> GiverDeck:
    copies: Counter[hands.Number] = Counter()
    for piece, number in zip(answers.cards_of(component), given, strict=True):
        if number < 0:
            raise MisfitError(
                f"{quote(text)} is {answers.say_number(number)} for {quote(piece.id)}", "a card gives 0 or more"
            )
        copies[number] += piece.copies
    others = copies.pop(0, 0)
    gives = sorted(copies, reverse=True)
    return GiverDeck(gives, [copies[give] for give in gives], others, lays)


def _list_costs(component: Component, given: Sequence[hands.Number], text: str) -> list[hands.Number]:
    """The different costs of the cards that give nothing, without 0. Raises MisfitError."""
    values: list[Any] = answers.value_each(component, text)
    cards = zip(answers.cards_of(component), values, given, strict=True)
    costs = {answers.exact_number(value, text, piece) for piece, value, gives in cards if not gives}
    found = sorted(cost for cost in costs if cost > 0)
    if not found:
        raise MisfitError("no card has a cost", "a card that gives something is laid free")
    return found


def _chance_of(cost: hands.Number, powers: Powers, samples: int) -> answers.Chance:
    """The chance that this cost can be paid in a turn."""
    able = sum(ways for power, ways in powers.items() if power >= cost)
    total = sum(powers.values())
    return answers.sampled(able, samples) if samples else answers.exact(Fraction(able, total))


def _answer_cost(cost: hands.Number, chances: Sequence[answers.Chance]) -> answers.OddsRow:
    first = next((turn for turn, chance in enumerate(chances, 1) if chance.share > 0), None)
    if first is None:
        return answers.OddsRow(answers.say_number(cost), note=f"not in the first {len(chances)} turns")
    mostly = next((turn for turn, chance in enumerate(chances, 1) if chance.share >= _MOSTLY), None)
    last = f"{chances[-1].share:.0%}".replace("%", " %")
    sure = f"9 of 10 hands by turn {mostly}" if mostly else f"{last} by turn {len(chances)}"
    return answers.OddsRow(answers.say_number(cost), chances[first - 1], f"turn {first}; {sure}", answers.plain(cost))


def _draw_turns(label: str, chances: Sequence[answers.Chance]) -> answers.OddsCurve:
    points = tuple((float(turn), chance.share) for turn, chance in enumerate(chances, 1))
    return answers.OddsCurve(label, points)


def _say_means(powers: Iterable[Powers]) -> str:
    means = [Fraction(sum(power * ways for power, ways in turn.items()), sum(turn.values())) for turn in powers][
        :_MOST_MEANS
    ]
    said = ", ".join(f"{answers.say_number(mean)} in turn {turn}" for turn, mean in enumerate(means, 1))
    return f"On average a seat can pay {said}."
