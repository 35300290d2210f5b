"""Reads the sentences for people out of the C++ sources, with sample values in place of their arguments.

A list of what programs of tests have caused would lack what none of them causes. So the list is made of the sources:
each literal of at least two words, filled with a value that its argument can have.
"""
from __future__ import annotations

import pathlib
import re
from dataclasses import dataclass
from typing import Dict, Iterator, List, Optional, Sequence, Set, Tuple

TOP = pathlib.Path(__file__).resolve().parents[2]

# Where the sentences stand that a submission can cause, with what each place is about.
PLACES = [
    ("device/finding.def", "what each kind of finding means"),
    ("results/complaint_kind.def", "what each kind of complaint means"),
    ("device", "hints for kinds of findings, and launches that a device refuses"),
    ("emulator/access", "accesses outside of memory"),
    ("emulator/blocks", "blocks and barriers"),
    ("emulator/checkers", "races, unwritten memory, needless barriers"),
    ("emulator/code", "what code and memory are called"),
    ("emulator/core", "launches that the emulator refuses"),
    ("emulator/decode", "code that the emulator refuses"),
    ("emulator/instructions", "what ends a kernel"),
    ("emulator/memory", "what memory is called"),
    ("emulator/record", "indices, guards and sizes"),
    ("emulator/warps", "warps and their masks"),
    ("emulator/emulator.cc", "limits of a run"),
    ("cudart", "calls of the CUDA runtime, and their order"),
    ("order", "calls by name, and their overlap"),
    ("remote/host_crash.h", "crashes on the host"),
    ("sandbox/sandbox.cc", "how a process ended"),
    ("trial", "calls that do not return"),
    ("provenance", "results that no kernel made"),
    ("checks", "wrong results and missed targets"),
    ("results", "sizes that are right, and speed"),
    ("grading/grade.cc", "why a criterion was not judged"),
    ("grading/grader.cc", "why a case was not judged"),
    ("grading/call_lines.cc", "lines of calls"),
    ("compile", "code that does not compile"),
    ("hardware", "what limits a kernel"),
    ("run", "programs that cannot be run"),
]

# What an argument may be. The first pattern that fits the argument's text gives its value.
SAMPLES = [
    (r'^"(.*)"$', r"\1"),
    (r'\?"([^"]+)"', r"\1"),
    (r'\?""?:"([^"]+)"', r"\1"),
    (r"Wanted\(", "is <= 16"),
    (r"TargetText\(", "<= 16"),
    (r"Text\(trial\.limits", "killed by signal 11 (segmentation fault)"),
    (r"^(facts\.)?(freed_by|given_back_by)$", "cudaFree"),
    (r"^facts\.what$", "stream"),
    (r"^facts\.given_back$", "destroyed"),
    (r"urface\)?$|^KindOf\(!?info", "texture"),
    (r"^(What|Verb)\((info|lanes|info\.kind)\)$", "reads 4 bytes"),
    (r"^element$", "element 3 of in"),
    (r"^barrier$", "__syncthreads()"),
    (r"^(one|other)$|^LineAt", "line 12"),
    (r"^request\.(block|grid)$|^(block|grid)$", "32x32x1"),
    (r"^side$", "host"),
    (r"differs", "makes other calls"),
    (r"why|text|reason|message|explanation", "<why>"),
    (r"DimText|PositionText|ThreadText|IndexText|Extent", "(1, 0, 0)"),
    (r'Counted\(.*"(\w+?)(y?)"\)$', lambda m: f"4,096 {m[1]}{'ies' if m[2] and m[1][-1] not in 'aeo' else m[2] + 's'}"),
    (r'Whole\(.*"(\w+)"\)$', r"4,096 \1s"),
    (r"^Bytes\(", "4,096 bytes"),
    (r"^columns|^rows", "32"),
    (r"(block|thread)\.[xyz]$|^at\(", "1"),
    (r"Grouped\(|Whole\(|Count\(\)|\bk(Most|Max|Barriers|Bytes)|Bytes\b|count|number|bytes|size|total|launches|threads|elements|index|most|limit", "4,096"),
    (r"Ratio\(|times|share", "4.5"),
    (r"Ordinal", "second"),
    (r"\.line\b|[Ll]ine$|line\)", "12"),
    (r"[Kk]ernel", "tiled(float*)"),
    (r"InBrackets", " (a.cu:12)"),
    (r"where|[Pp]lace|Text\(\)|location", "a.cu:12"),
    (r"trial.function|trial_.function|signature", "transpose()"),
    (r"[Cc]all\.?\w*$|function|Text\(|site", "cudaMemcpy"),
    (r"array|name|Name", "in"),
    (r"[Pp]osition", "(1, 0, 0)"),
    (r"address|0x", "0x7f00"),
]


@dataclass(frozen=True)
class Token:
    kind: str  # "text", "word" or "sign"
    text: str
    line: int


_TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"\((.*?)\)"|"((?:[^"\\\n]|\\.)*)"|\'(?:[^\'\\\n]|\\.)+\''
                    r"|(?<![\w])(\d[\w'.]*)|(\w+)|(::|->|<<|\+=|[^\s\w])", re.DOTALL)
_ESCAPE = re.compile(r"\\(n|t|\"|\\)")


def tokens_of(text: str) -> List[Token]:
    """Returns the tokens of a source without comments and lines of the preprocessor."""
    text = re.sub(r"^[ ]*#(?:[^\n]*\\\n)*[^\n]*", lambda found: "\n" * found[0].count("\n"), text, flags=re.MULTILINE)
    tokens = []
    for found in _TOKEN.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        if found[1] is not None:
            tokens.append(Token("text", found[1], line))
        elif found[2] is not None:
            plain = _ESCAPE.sub(lambda escape: {"n": "\n", "t": "\t"}.get(escape[1], escape[1]), found[2])
            tokens.append(Token("text", plain, line))
        elif found[0].startswith("'"):
            tokens.append(Token("word", found[0], line))
        elif not found[0].startswith("/") or found[5]:
            tokens.append(Token("sign" if found[5] else "word", found[0], line))
    return tokens


def _kinds() -> Dict[str, str]:
    """Returns the names of kinds in results, by their names in C++."""
    kinds = {}
    for table in ("device/finding.def", "results/complaint_kind.def"):
        for name, text in re.findall(r'^(?:FINDING|COMPLAINT)\((\w+), "(\w+)"', (TOP / "harness" / table).read_text(),
                                     re.MULTILINE):
            kinds["k" + name] = text
    return kinds


KINDS = _kinds()


@dataclass(frozen=True)
class Sentence:
    kinds: Tuple[str, ...]
    """The kinds that it belongs to; empty if the code around it names none, or many."""
    text: str
    is_hint: bool
    file: str


_OPEN, _CLOSE = "([{", ")]}"
# The argument that is a hint, by the function that makes an error.
_HINTS = {"MakeFailure": 3, "Failed": 2, "MakeError": 2, "Failure": 4, "Fail": 2, "NotFound": 1}


class Source:
    """Finds the sentences of one file."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.tokens = tokens_of(text)
        self.closes: Dict[int, int] = {}
        self.opens: List[List[int]] = []  # the open brackets before each token
        stack: List[int] = []
        for i, token in enumerate(self.tokens):
            if token.kind == "sign" and token.text in _CLOSE and stack:
                self.closes[stack.pop()] = i
            self.opens.append(list(stack))
            if token.kind == "sign" and token.text in _OPEN:
                stack.append(i)

    @classmethod
    def of_file(cls, path: pathlib.Path) -> "Source":
        return cls(path.relative_to(TOP / "harness").as_posix(), path.read_text("utf-8"))

    @classmethod
    def of_text(cls, text: str) -> "Source":
        return cls("example.cc", text)

    def sentences(self) -> Iterator[Sentence]:
        i = 0
        while i < len(self.tokens):
            if self.tokens[i].kind != "text":
                i += 1
                continue
            end = i
            while end < len(self.tokens) and self.tokens[end].kind == "text":
                end += 1
            text = "".join(token.text for token in self.tokens[i:end])
            if self._is_for_people(i, text):
                filled = self._filled(i, end, text)
                yield Sentence(self._kinds(i), filled, self._is_hint(i), self.file)
            i = end

    def _is_for_people(self, i: int, text: str) -> bool:
        if len(re.findall(r"[A-Za-z]{2,}", re.sub(r"\{[^}]*\}", "", text))) < 2 or " " not in text.strip():
            return False
        calls = {self._name_before(bracket) for bracket in self.opens[i]}
        return not calls & {"static_assert", "WARPCHECK_CHECK", "runtime_error", "logic_error", "fprintf"}

    def _name_before(self, bracket: int) -> str:
        before = self.tokens[bracket - 1] if bracket else None
        return before.text if before and before.kind == "word" else ""

    def _arguments(self, bracket: int) -> List[Tuple[int, int]]:
        """Returns the begin and end of each argument of a call."""
        end = self.closes.get(bracket, len(self.tokens))
        arguments, begin = [], bracket + 1
        for i in range(bracket + 1, end):
            if self.tokens[i].text == "," and self.tokens[i].kind == "sign" and self.opens[i][-1] == bracket:
                arguments.append((begin, i))
                begin = i + 1
        return arguments + [(begin, end)]

    def _written(self, begin: int, end: int) -> str:
        return "".join(f'"{token.text}"' if token.kind == "text" else token.text for token in self.tokens[begin:end])

    def _filled(self, begin: int, end: int, text: str) -> str:
        """Returns the text with sample values."""
        values: List[str] = []
        if self.opens[begin] and self._name_before(self.opens[begin][-1]) in ("format", "print"):
            values = [sample_of(self._written(*one)) for one in self._arguments(self.opens[begin][-1])
                      if one[0] >= end]
        at = iter(range(1000))

        def value(found: "re.Match[str]") -> str:
            number = int(found[1]) if found[1] else next(at)
            if re.search(r"\blines? $", text[:found.start()]):
                return "12"
            return values[number] if number < len(values) else "<value>"

        return re.sub(r"\{(\d*)(?::[^{}]*)?\}", value, text).replace("{{", "{").replace("}}", "}")

    def _function(self, i: int) -> Tuple[int, int]:
        """Returns the tokens of the function around a token."""
        for bracket in self.opens[i]:
            if self.tokens[bracket].text != "{":
                continue
            before = bracket - 1
            while before > 0 and self.tokens[before].text in ("const", "override", "noexcept"):
                before -= 1
            if self.tokens[before].text == ")" or self._returns(before):
                return bracket, self.closes.get(bracket, len(self.tokens))
        return 0, 0

    def _returns(self, before: int) -> bool:
        return any(token.text == "->" for token in self.tokens[max(0, before - 6):before])

    def _kinds(self, i: int) -> Tuple[str, ...]:
        begin = i
        while begin > 0 and self.tokens[begin - 1].text != ";":
            begin -= 1
        end = i
        while end < len(self.tokens) and self.tokens[end].text != ";":
            end += 1
        function = self._function(i)
        for first, last in ((begin, i), (begin, end), function):
            known = {token.text for token in self.tokens[first:last] if token.text in KINDS}
            if len(known) == 1 or (1 < len(known) < 4 and last == i):
                return tuple(sorted(KINDS[name] for name in known))
        return ()

    def _is_hint(self, i: int) -> bool:
        for bracket in reversed(self.opens[i]):
            wanted = _HINTS.get(self._name_before(bracket))
            if wanted is not None:
                arguments = self._arguments(bracket)
                return any(begin <= i < end for begin, end in arguments[wanted:wanted + 1])
        begin = i
        while begin > 0 and self.tokens[begin - 1].text not in (";", "=", "return"):
            begin -= 1
        named = [token.text for token in self.tokens[max(0, begin - 3):begin]]
        if any("hint" in name.lower() for name in named):
            return True
        header = self._function(i)[0]
        words = [token.text for token in self.tokens[max(0, header - 40):header] if token.kind == "word"]
        return any(re.search(r"Hint|Remedy|Advice", word) for word in words[-14:]) or "_hint" in self.file


def sample_of(argument: str) -> str:
    """Returns a value that an argument can have, or else its name in angle brackets."""
    for pattern, value in SAMPLES:
        found = re.search(pattern, argument)
        if found:
            return found.expand(value) if isinstance(value, str) and "\\" in value else (
                value if isinstance(value, str) else value(found))
    words = re.findall(r"[A-Za-z]\w*", argument)
    return f"<{words[-1].rstrip('_')}>" if words else "<value>"


def table_sentences(path: pathlib.Path) -> Iterator[Sentence]:
    """Returns the meanings in a table of kinds."""
    for kind, meaning in re.findall(r'^(?:FINDING|COMPLAINT)\(\w+, "(\w+)", "([^"]+)"', path.read_text("utf-8"),
                                    re.MULTILINE):
        yield Sentence((kind,), meaning, False, path.relative_to(TOP / "harness").as_posix())


def files_of(place: str) -> List[pathlib.Path]:
    path = TOP / "harness" / place
    if path.is_file():
        return [path]
    return sorted(file for file in path.rglob("*") if file.suffix in (".cc", ".h", ".def"))


def list_of_messages() -> str:
    """Returns all sentences: first those of a kind, then all others, by place."""
    by_kind: Dict[str, List[Sentence]] = {}
    others: List[Tuple[str, str, List[Sentence]]] = []
    done: Set[pathlib.Path] = set()
    for place, subject in PLACES:
        rest: List[Sentence] = []
        for file in files_of(place):
            if file in done:
                continue
            done.add(file)
            found = table_sentences(file) if file.suffix == ".def" else Source.of_file(file).sentences()
            for sentence in found:
                for kind in sentence.kinds:
                    by_kind.setdefault(kind, []).append(sentence)
                if not sentence.kinds:
                    rest.append(sentence)
        if rest:
            others.append((place, subject, rest))
    lines: List[str] = []
    for kind in sorted(by_kind):
        lines += ["", f"## {kind}", *_lines(by_kind[kind])]
    for place, subject, rest in others:
        lines += ["", f"## {place}: {subject}", *_lines(rest)]
    return "\n".join(lines).lstrip("\n") + "\n"


def _lines(sentences: Sequence[Sentence]) -> List[str]:
    lines: List[str] = []
    shown: Optional[str] = None
    known: Set[str] = set()
    for sentence in sentences:
        text = sentence.text.strip("\n").replace("\n", "\n      ")
        line = f"{'hint' if sentence.is_hint else '   -'}  {text.rstrip()}"
        if line in known:
            continue
        known.add(line)
        if sentence.file != shown:
            shown = sentence.file
            lines.append(f"[{shown}]")
        lines.append(line)
    return lines
