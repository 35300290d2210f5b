#!/usr/bin/env python3
"""check_pairs.py <warpcheck> <programs> <source> ...: runs each program with and without its mistake.

The sources were compiled twice: into the program <programs>.wrong with -DWRONG, and into
<programs>.right. The first argument of these programs is the name of a source. A source with flags
is a program of its own, <programs>.<name>.wrong. Its comments say what must come of it:

    // WRONG: the second stream does not wait for the first.
    // flags: --default-stream ...      what nvcc needs
    // finds: unordered_use            a finding of this kind, or of one of several
    // notes: unrecorded_event         information that both programs may give
    // prints: sum right               the first line of the right program
    Squares<<<...>>>(squares);  // named   one finding must name all statements marked in this way

A mistake in the order of work must give one finding. The right program must give no finding,
except for notes. Without a line "finds" there is only a right program. The first source is also run
as it is, so that warpcheck compiles it.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ORDER_KINDS = {"unordered_use", "early_host_use", "unpromised_order"}


def statement_at(lines, at):
    """Returns the numbers of the lines of the statement that lines[at] belongs to."""
    code = [line.split("//")[0].strip() for line in lines]

    def ends(text):
        return not text or text.startswith("#") or text[-1] in ";{}:"

    first = last = at
    while first > 0 and not ends(code[first - 1]):
        first -= 1
    while last + 1 < len(lines) and not ends(code[last]):
        last += 1
    return set(range(first + 1, last + 2))


class Source:
    def __init__(self, path):
        self.path = path
        text = path.read_text()
        self.finds = self.words(text, "finds")
        self.notes = self.words(text, "notes")
        prints = re.search(r"^// prints: (.*)$", text, re.M)
        self.prints = prints[1] if prints else None
        lines = text.splitlines()
        self.named = [statement_at(lines, at) for at, line in enumerate(lines) if "// named" in line]
        self.flags = self.words(text, "flags")

    @staticmethod
    def words(text, tag):
        found = re.search(rf"^// {tag}: (.*)$", text, re.M)
        return found[1].split() if found else []

    def lines_of(self, finding):
        """Returns the numbers of the lines that a finding names."""
        lines = {place["line"] for place in (finding["where"], finding.get("other", {})) if "line" in place}
        for number in re.findall(rf"(?:\b{re.escape(self.path.name)}:|\bline )(\d+)", finding["message"]):
            lines.add(int(number))
        return lines


def run(warpcheck, program, options=()):
    """Returns the findings, the first line that was printed, and what went wrong."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        done = subprocess.run([warpcheck, "run", *options, "--counters", report, *program],
                              capture_output=True, text=True, timeout=60)
        if done.returncode != 0:
            return [], "", f"exit status {done.returncode}: {done.stderr}"
        processes = json.loads(report.read_text())["processes"]
    findings = [finding for process in processes for finding in process["findings"]]
    for process in processes:
        for kernel in process["kernels"]:
            findings += kernel["findings"]
    return findings, (done.stdout.splitlines() or [""])[0].rstrip(), ""


def complaint_about_wrong(source, findings):
    texts = "\n    ".join(json.dumps(finding) for finding in findings) or "nothing"
    of_kind = [finding for finding in findings if finding["kind"] in source.finds]
    if not of_kind:
        return f"no finding of {source.finds}:\n    {texts}"
    if not any(all(statement & source.lines_of(finding) for statement in source.named)
               for finding in of_kind):
        lines = [sorted(statement) for statement in source.named]
        return f"no finding names all lines of {lines}:\n    {texts}"
    if len(of_kind) > 1 and ORDER_KINDS.issuperset(source.finds):
        return f"{len(of_kind)} findings for one mistake:\n    {texts}"
    others = [finding for finding in findings
              if finding["kind"] not in source.finds + source.notes]
    return f"something else is found too:\n    {texts}" if others else ""


def complaint_about_right(source, findings, first_line):
    texts = [json.dumps(finding) for finding in findings if finding["kind"] not in source.notes]
    if texts:
        return "found where nothing is wrong:\n    " + "\n    ".join(texts)
    if source.prints is not None and first_line != source.prints:
        return f"prints '{first_line}', not '{source.prints}'"
    return ""


def check(warpcheck, source, program, is_wrong, options=()):
    findings, first_line, failure = run(warpcheck, program, options)
    if failure:
        return failure
    if is_wrong:
        return complaint_about_wrong(source, findings)
    return complaint_about_right(source, findings, first_line)


def main():
    warpcheck, programs = sys.argv[1:3]
    complaints = []
    for index, path in enumerate(map(pathlib.Path, sys.argv[3:])):
        source = Source(path)
        for way in ("right", "wrong") if source.finds else ("right",):
            is_wrong = way == "wrong"
            own = f"{programs}.{path.stem}" if source.flags else programs
            text = check(warpcheck, source, [f"{own}.{way}", path.stem], is_wrong)
            if not text and index == 0:
                flags = source.flags + (["-DWRONG"] if is_wrong else [])
                options = [word for flag in flags for word in ("--nvcc", flag)]
                text = check(warpcheck, source, [path], is_wrong, options)
            if text:
                complaints.append(f"{path.name}, {way}: {text}")
    print("\n".join(complaints) or f"{len(sys.argv) - 3} programs are as they should be")
    return bool(complaints) or len(sys.argv) == 3


sys.exit(main())
