#!/usr/bin/env bash
# Builds the libFuzzer targets and runs each on its corpus for some seconds. It runs as many at once
# as there are processors. Usage: ci/fuzz.sh <seconds>.
set -euo pipefail
export seconds=$1
cd "$(dirname "$0")/.."

fuzz() {
  local fuzzer=$1 name scratch
  name=$(basename "$fuzzer" _fuzz)
  scratch=$(mktemp -d)
  # New inputs go to the scratch folder; the corpus under version control is only read.
  if "$fuzzer" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -verbosity=0 \
      -artifact_prefix="$scratch/" "$scratch" "tests/fuzz/corpus/$name" >"$scratch.log" 2>&1; then
    echo "fuzz $name: $seconds s, nothing found"
  else
    tail -n 40 "$scratch.log" >&2
    echo "fuzz $name: FAILED; the input is in $scratch" >&2
    return 1
  fi
  rm -rf "$scratch" "$scratch.log"
}
export -f fuzz

ci/build.sh fuzz fuzzers "$(nproc)"
printf '%s\0' build-fuzz/*_fuzz | xargs -0 -P "$(nproc)" -I{} bash -c 'fuzz {}'
