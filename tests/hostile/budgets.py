#!/usr/bin/env python3
"""Grades programs that use up what a submission may use, by check and by batch.

usage: budgets.py <warpcheck> <folder for results> [--turn N | --every] [--no-sandbox] [assignment ...]

Each assignment gets a program of one kind, and each turn gives it another kind; --every gives it all of them, which
takes an hour of a processor. Each grade must be final, without points, and the same by both commands. No process of a
grading may take 1 GiB of memory. Without a name all assignments are tried. It prints how long each took.
"""

import argparse
import json
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MOST_MEMORY = 1 << 20  # KiB of one process

# The body of bomb(), and what it needs before.
BOMBS = {
    "host_loop": ("for (volatile unsigned i = 0;; i = i + 1) {}", ""),
    "kernel_loop": ("forever<<<1, 1>>>(); cudaDeviceSynchronize();",
                    "__device__ volatile int at;\n__global__ void forever() { for (;;) at = at + 1; }"),
    "busy_grid": ("forever<<<1024, 1024>>>(); cudaDeviceSynchronize();",
                  "__device__ int at;\n__global__ void forever() { for (;;) atomicAdd(&at, 1); }"),
    "launches": ("for (;;) nothing<<<1, 1>>>();", "__global__ void nothing() {}"),
    "copies": ("static char bytes[1 << 20]; char* there; cudaMalloc(&there, sizeof bytes);\n"
               "  for (;;) cudaMemcpy(there, bytes, sizeof bytes, cudaMemcpyHostToDevice);", ""),
    "device_memory": ("for (char* p;;) { cudaMalloc(&p, 1 << 24); cudaMemset(p, 1, 1 << 24); }", ""),
    "host_memory": ("for (;;) { char* p = new char[1 << 24]; for (int i = 0; i < 1 << 24; i += 4096) p[i] = 1; }", ""),
    "pinned_memory": ("for (char* p;;) { if (cudaMallocHost(&p, 1 << 24) == 0) p[5] = 1; }", ""),
    "streams": ("for (cudaStream_t s;;) cudaStreamCreate(&s);", ""),
    "prints": ("talk<<<64, 256>>>(); cudaDeviceSynchronize();",
               "__global__ void talk() { for (int i = 0; i < 1 << 20; ++i) printf(\"%d again and again\\n\", i); }"),
    "host_prints": ("for (;;) std::puts(\"again and again and again\");", ""),
    "recursion": ("bomb();", ""),
    "device_recursion": ("deep<<<1, 32>>>(0); cudaDeviceSynchronize();",
                         "__device__ int down(int n) { volatile int room[64]; room[n % 64] = n; "
                         "return down(n + 1) + room[n % 64]; }\n__device__ int at;\n"
                         "__global__ void deep(int n) { at = down(n); }"),
    "copies_after_a_read": (
        "static char bytes[1 << 20]; char* there; cudaMalloc(&there, sizeof bytes); touch<<<1, 1>>>(there);\n"
        "  for (;;) { cudaMemcpy(bytes, there, sizeof bytes, cudaMemcpyDeviceToHost);\n"
        "    cudaMemcpy(there, bytes, sizeof bytes, cudaMemcpyHostToDevice); }",
        "__global__ void touch(char* p) { *p = 1; }"),
    "errors": ("for (int n = 1;; ++n) cudaMemset(reinterpret_cast<void*>(n * 64ull), 0, 4);", ""),
}


def program(header: pathlib.Path, bomb: str) -> str:
    """Returns a submission each of whose functions does nothing but to call the bomb."""
    code = re.sub(r"//.*", "", header.read_text())
    functions = re.findall(r"^\w[^;{}()#]*\([^;{}]*\);", code, re.M)
    body, before = BOMBS[bomb]
    lines = ["#include <cstdio>", f'#include "{header.name}"', before,
             f"static void bomb() {{\n  {body}\n}}"]
    lines += [function[:-1] + " { bomb(); }" for function in functions]
    return "\n".join(lines) + "\n"


def problem(report: dict) -> str:
    """Returns what is wrong with a grade; empty if nothing is."""
    if not report["score_is_final"]:
        return f"the grade is not final: {report['verdict']}"
    if report["verdict"] not in ("error", "failed"):
        return f"the verdict is {report['verdict']}"
    if report["score"] > 0:
        return f"it gets {report['score']} points"
    return ""


def run(command: list) -> tuple[int, str, float]:
    """Returns the exit status, the output and the seconds of a command."""
    begin = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr, time.monotonic() - begin


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("warpcheck", type=pathlib.Path)
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("assignments", nargs="*")
    parser.add_argument("--no-sandbox", action="store_true")
    parser.add_argument("--turn", type=int, default=0)
    parser.add_argument("--every", action="store_true")
    given = parser.parse_args()
    headers = {path.stem: path for path in sorted(ROOT.glob("assignments/*/*.h")) if path.stem == path.parent.name}
    options = ["--device", "emulator", "--seed", "7"] + (["--no-sandbox"] if given.no_sandbox else [])
    problems = []
    for name in given.assignments or headers:
        folder = given.results / name / "class"
        shutil.rmtree(given.results / name, ignore_errors=True)
        folder.mkdir(parents=True)
        scores = {}
        kinds = list(BOMBS)
        if not given.every:
            kinds = [kinds[(list(headers).index(name) + 5 * given.turn) % len(kinds)]]
        for bomb in kinds:
            file = folder / f"{bomb}.cu"
            file.write_text(program(headers[name], bomb))
            report = given.results / name / f"{bomb}.json"
            status, output, seconds = run([given.warpcheck, "check", name, file, *options, "--json", report])
            said = problem(json.loads(report.read_text())) if report.exists() else f"no report:\n{output}"
            if status != 1:
                said = said or f"check ends with status {status}:\n{output}"
            if said:
                problems.append(f"{name}, {bomb}: {said}")
            else:
                scores[bomb] = json.loads(report.read_text())["score"]
            print(f"{name} {bomb}: {seconds:.1f} s", flush=True)
        out = given.results / name / "batch"
        status, output, seconds = run(
            [given.warpcheck, "batch", name, folder, "--out", out, *options])
        print(f"{name}, all by batch: {seconds:.1f} s", flush=True)
        if status != 0:
            problems.append(f"{name}: batch ends with status {status}:\n{output}")
        for bomb, score in scores.items():
            path = out / "json" / f"{bomb}.json"
            said = problem(json.loads(path.read_text())) if path.exists() else f"no report by batch:\n{output}"
            if not said and json.loads(path.read_text())["score"] != score:
                said = "another score by batch than by check"
            if said:
                problems.append(f"{name}, {bomb}, by batch: {said}")
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(f"most memory of one process: {memory // 1024} MiB")
    if memory >= MOST_MEMORY:
        problems.append(f"a process took {memory // 1024} MiB of memory")
    print("\n".join(problems) or "all grades are final")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
