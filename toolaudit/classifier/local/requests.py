"""What a user asks for and rules out, clause by clause, as far as words tell.

A request is a clause that begins with its verb, perhaps after words of courtesy. Questions and statements ask for
nothing: "the force push broke it" is no request to push.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from toolaudit.patterns import late

_CLAUSE = late(
    r"[.;!](?:\s|\Z)|(?<=\?)(?:\s|\Z)|\n|,|:\s|\s[\u2013\u2014-]{1,2}\s|[。！；，]|\bbut\b(?! not\b)|\band then\b", 2
)
_NEGATION = late(
    r"(?<![-\w])(?:don'?t|do not|does not|must not|mustn'?t|never|no|not|without|before|leave|avoid|instead of|"
    r"nothing|"
    r"except|hands off|hold off|skip|refrain|keep away|i(?:'ll| will) [^,]{0,60}myself)(?![-\w])",
    2,
)
_BANS = late(
    r"\A[\s>*•\d.)(-]*(?:(?:please|ok(?:ay)?|and|but|so|also|just|now|then|first|important|note|remember|"
    r"rule|caution|warning|by the way|"
    r"one thing|for now|again|again,|yes|no)[\s:,—-]+)*(?:don'?t|do not|never|avoid|hands off|hold off|"
    r"refrain|keep away|keep your hands|stay away|"
    r"stay out|no|not|nothing|leave|skip|stop(?= [a-z]+ing\b| here| now| there| at| after| before| when|"
    r" short|\Z)|without|instead of|except|under no circumstances|at no point)\b|"
    r"\b(?:please|and|but|so|to|also) (?:don'?t|do not|never|avoid|not to|leave)\b|"
    r"\byou (?:must|should|may|can|shall|are|need|have)(?: not|n'?t| never)\b|\byou (?:mustn'?t|shouldn'?t|"
    r"can'?t|may ?n'?t|aren'?t|needn'?t)|"
    r"\b(?:you|we|nobody|nothing|this|it|that|they) (?:must|should|may|can) ?(?:not|never|n'?t)\b|\b(?:must|"
    r"should|may|can)(?: not|not|n'?t|n'?t) be (?:touched|"
    r"changed|edited|modified|deleted|removed|moved|run|pushed|committed|used|installed|overwritten|renamed|"
    r"opened|started|stopped)\b|\bi (?:do not|don'?t|never|would not|wouldn'?t) (?:want|like|"
    r"need)\b|\brather (?:you )?(?:not|didn'?t)\b|"
    r"\bwithout\b|\b(?:make|be) sure (?:to |you |that )?(?:not|never|nothing|don'?t)|\boff[- ]limits\b|"
    r"\b(?:is|are) (?:frozen|sacred|taboo|forbidden|not allowed)\b|"
    r"\b(?:stays?|remains?|keep|leave) (?:\S+ ){0,6}(?:untouched|unchanged|alone|as (?:it|they) (?:is|are)|"
    r"as[- ]is|the same|intact)\b|"
    r"\b(?:ask|check with|talk to|confirm with|tell|show)\b[^.]{0,60}\b(?:before|first|until|till)\b|"
    r"\bwait\b[^.]{0,60}\b(?:before|first|until|till)\b[^.]{0,40}\b(?:i|i'm|me|my|we|us|ok(?:ay)?|go|approval|"
    r"review|you)\b|\bwait (?:for|on) (?:me|my|us|our)\b|"
    r"\buntil i\b|\bbefore i\b|"
    r"\bi(?:'ll| will| want to) (?:\S+ ){0,8}myself\b|\b(?:no need to|not allowed to|not supposed to|"
    r"not yet)\b|\bexcept\b|\binstead of\b|"
    r"\bwith no\b|\bonly after\b",
    2,
)
"""A clause that rules something out for the session, not one that tells how things are ("the tests don't pass")."""
_ASKS = late(
    r"\s*(?:and |so |but |ok,? )?(?:what|why|how|who|when|where|which|should|shall|is|are|was|were|do|does|did|"
    r"has|have|had|isn'?t|aren'?t|"
    r"doesn'?t|don'?t (?:we|i|they|you)|didn'?t|won'?t|could it|would it|will|am)\b",
    2,
)
"""How questions begin that are no requests."""
_IDLE = late(
    r"\b(?:don'?t|do not|no) (?:worry|rush|hurry|problem|need|idea|hesitate|mind|forget|bother|doubt|matter|"
    r"longer|wonder)\b|"
    r"\b(?:not|never) (?:sure|mind|bad|urgent|important|only)\b|\bi (?:do not|don'?t) (?:know|understand|"
    r"remember|care|think|see|get|like)\b|"
    r"\bmake sure\b(?!.*\b(?:not|never|no)\b)|\bso that\b|\bdoes ?n[o']?t (?:work|compile|pass|run|start|build|"
    r"load|match|exist|show|matter)\b|"
    r"\b(?:no|not) (?:longer|more than|idea|one|matter)\b|\bno (?:tests?|file|such|errors?|results?|output|"
    r"response|matches) (?:yet|for|in|found|exist)",
    2,
)
_STRICT = late(
    r"\A[\s>*\d.)(-]*(?:(?:please|ok(?:ay)?|and|but|so|also|just|now|then|first|important|note|remember|for now|"
    r"again|yes|no)[\s:,]+)*"
    r"(?:don'?t|do not|never|hands off|keep (?:your hands|away)|stay (?:away|out)|refrain|under no circumstances|"
    r"at no point|"
    r"no (?!\w+ (?:\w+ed|made|done|found|seen)\b)\w{3,}(?: \w+){0,3}\s*(?:please|today|yet|now|at all|this time|"
    r"at any)?\s*\Z)|"
    r"\b(?:please|and|but|so|to|also) (?:don'?t|do not|never)\b|\byou (?:must|should|may|can|shall|are)(?: not|"
    r"n'?t| never)\b|\boff[- ]limits\b",
    2,
)
"""An order to keep off something."""
_FOREIGN = late(
    r"\b(?:nichts?|keine?[nmrs]?|nie(?:mals)?|ohne|bitte nur|finger weg|jamais|sans|aucune?|pas de|"
    r"ne\b.{0,60}\b(?:pas|"
    r"rien|jamais)|"
    r"n'\w+.{0,40}\b(?:pas|rien)|nunca|sin|ning[uú]n\w*|no (?:toques|hagas|cambies|ejecutes|instales|subas|"
    r"borres|uses|modifiques)|"
    r"n[ãa]o|nem|sem|nenhum\w*|senza|nessun\w*|non (?:\w+are|\w+ire|\w+ere)|niet|geen|nooit|zonder|bez|inte|"
    r"ingen|utan|aldrig|ikke|uden|"
    r"[aä]l[aä]|ei saa|ne\s+\w+[ij]te)\b|\bnie \w+|\bне\s|нельзя|\bбез\s|никогда|ничего|только чтение|"
    r"不要|别|勿|禁止|不许|不能|不准|しないで|ないで|하지\s?마|금지",
    2,
)
"""Words of other languages that rule something out."""
_COURTESY = late(
    r"(?:(?:please|ok(?:ay)?|yes|now|then|and|also|just|go ahead(?: and)?|you (?:can|may|should)|"
    r"(?:can|could|would|will) you(?: please)?|let'?s|i (?:want|need|would like) you to|i'd like you to|next|finally|"
    r"bitte|mal|gerne|por favor|s'?il (?:te|vous) pla[iî]t|per favore|hey|hi|hello|great|good|fine|alright|cool|"
    r"perfect|thanks|thx|quick(?:ly)?|"
    r"first|after that)[\s:]+)*",
    2,
)
_WONDERS = late(
    r"(?:what|why|how|who|when|where|which|should|shall|is|are|was|were|does|did|do you|has|have you|explain|"
    r"describe|"
    r"look (?:at|into)|review|tell me (?:about|what|why|how|if)|show me (?:how|what(?!'?s in\b| is in\b)))\b",
    2,
)
_NOUN = late(
    r"(?:release|deploy(?:ment)?|publish|build|test|push|merge|commit|force|install|run|delete|remove|reset|"
    r"update|upload|migration|stash|branch) "
    r"(?:notes?|plan|script|pipeline|process|guide|docs?|job|jobs|workflow|history|message|log|logs|button|step|"
    r"stage|order|fails?|failed|broke|is|was|"
    r"takes|doesn'?t|does|isn'?t|seems|keeps|says|hangs|prints)\b",
    2,
)
"""A word that may be a verb, where it is a noun."""
_HEAD = late(r"[^\W\d_][\w-]*")


@dataclass(frozen=True, slots=True)
class Request:
    """One clause that asks for something."""

    head: str
    """Its first verb, in lower case."""
    text: str


def clauses(message: str) -> Iterator[str]:
    """The clauses of a message."""
    return (part for one in _CLAUSE.split(message) if (part := one.strip()))


def negated(clause: str) -> bool:
    """Whether a clause rules something out."""
    return _NEGATION.search(clause) is not None


def forbids(clause: str) -> bool:
    """Whether a clause rules something out for the session."""
    if clause.endswith("?") and _ASKS.match(clause) is not None:
        return False
    return (_BANS.search(clause) or _FOREIGN.search(clause)) is not None


def orders(clause: str) -> bool:
    """Whether a clause tells somebody to keep off something, in a form that is no way of speaking ("don't worry")."""
    return (_STRICT.search(clause) or _FOREIGN.search(clause)) is not None and _IDLE.search(clause) is None


@lru_cache(maxsize=1024)
def requests(message: str) -> tuple[Request, ...]:
    """The clauses of a message that ask for something. Kept: every call of a session asks for the same messages'."""
    return tuple(_requests(message))


def _requests(message: str) -> Iterator[Request]:
    for clause in clauses(message):
        if negated(clause) or _WONDERS.match(clause):
            continue
        courtesy = _COURTESY.match(clause)
        text = clause[courtesy.end() :] if courtesy is not None else clause
        head = _HEAD.match(text) if _NOUN.match(text) is None else None
        if head is not None:
            yield Request(head.group().lower(), text)
