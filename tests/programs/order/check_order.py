#!/usr/bin/env python3
"""check_order.py <warpcheck> <program> <source>: runs each case of a program twice.

The source names its cases and their lines:

    // case halo: unordered_use
    Scale<<<...>>>(data);  // halo: earlier
    Add<<<...>>>(data);    // halo: later
    // halo says: a text that the finding must contain
    // halo ends: SIGSEGV, if it is run wrongly

A case that is run wrongly must give exactly one finding of that kind, at the line marked "later",
with the line marked "earlier" as the other one. A case that is run rightly must give none at all.
Without the checker "order" the first case that is run wrongly gives no finding of its kind.
"""
import json
import pathlib
import re
import signal
import subprocess
import sys
import tempfile


def cases_of(source):
    cases = {}
    for number, line in enumerate(source.read_text().splitlines(), 1):
        if case := re.match(r"// case (\w+): (\w+)$", line):
            cases[case[1]] = {"kind": case[2], "earlier": set(), "later": set(), "says": [],
                              "ends": 0}
        elif ends := re.match(r"\s*// (\w+) ends: (\w+)$", line):
            cases[ends[1]]["ends"] = signal.Signals[ends[2]]
        elif says := re.match(r"\s*// (\w+) says: (.*)$", line):
            cases[says[1]]["says"].append(says[2])
        elif mark := re.search(r"// (\w+): (earlier|later)$", line):
            cases.setdefault(mark[1], {"earlier": set(), "later": set(), "says": []})[mark[2]].add(number)
    return cases


def findings_of(warpcheck, program, arguments, options=(), ends=0):
    """Returns the findings outside kernels, and what went wrong."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        run = subprocess.run(
            [warpcheck, "run", *options, "--counters", report, program, *arguments],
            capture_output=True, text=True, timeout=60)
        if run.returncode not in (ends, -ends):
            return [], f"exit status {run.returncode}: {run.stderr}"
        processes = json.loads(report.read_text())["processes"]
    return [finding for process in processes for finding in process["findings"]], ""


def place(location):
    return pathlib.Path(location.get("file", "")).name, location.get("line", 0)


def complaint(source, name, case, findings, wrong):
    texts = "\n    ".join(json.dumps(finding) for finding in findings) or "nothing"
    if not wrong:
        return f"{name}: found where nothing is wrong:\n    {texts}" if findings else ""
    of_kind = [finding for finding in findings if finding["kind"] == case["kind"]]
    if len(of_kind) != 1:
        return f"{name}: {len(of_kind)} findings of {case['kind']}, not one:\n    {texts}"
    file, line = place(of_kind[0]["where"])
    if file != source.name or line not in case["later"]:
        return f"{name}: found at {file}:{line}, not at {sorted(case['later'])}:\n    {texts}"
    file, line = place(of_kind[0].get("other", {}))
    if case["earlier"] and (file != source.name or line not in case["earlier"]):
        return f"{name}: the other at {file}:{line}, not {sorted(case['earlier'])}:\n    {texts}"
    for text in case["says"]:
        if text not in of_kind[0]["message"]:
            return f"{name}: does not say '{text}':\n    {texts}"
    return ""


def main():
    warpcheck, program, source = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    complaints = []
    cases = cases_of(source)
    for name, case in cases.items():
        for wrong in (False, True):
            findings, failure = findings_of(
                warpcheck, program, [name, "wrong"] if wrong else [name],
                ends=case["ends"] if wrong else 0)
            complaints.append(f"{name}: {failure}" if failure else
                              complaint(source, name, case, findings, wrong))
    name, case = next(iter(cases.items()))
    findings, failure = findings_of(warpcheck, program, [name, "wrong"], ("--check", "races,api"),
                                    case["ends"])
    if failure or any(finding["kind"] == case["kind"] for finding in findings):
        complaints.append(f"{name}: found without the checker \"order\", or {failure}")
    complaints = [text for text in complaints if text]
    print("\n".join(complaints) or f"{len(cases)} mistakes found, {len(cases)} repairs silent")
    return bool(complaints) or not cases


sys.exit(main())
