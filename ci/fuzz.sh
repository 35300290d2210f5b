#!/usr/bin/env bash
# Builds the libFuzzer targets and runs each for some seconds on its corpus: ci/fuzz.sh <seconds>.
set -euo pipefail
seconds=$1
cd "$(dirname "$0")/.."
ci/build.sh fuzz fuzzers "$(nproc)"
for fuzzer in build-fuzz/*_fuzz; do
  name=$(basename "$fuzzer" _fuzz)
  scratch=$(mktemp -d)
  # New inputs go to the scratch folder; the corpus under version control is only read.
  if "$fuzzer" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -verbosity=0 \
      -artifact_prefix="$scratch/" "$scratch" "tests/fuzz/corpus/$name" >"$scratch.log" 2>&1; then
    echo "fuzz $name: $seconds s, nothing found"
  else
    tail -n 40 "$scratch.log" >&2
    echo "fuzz $name: FAILED; the input is in $scratch" >&2
    exit 1
  fi
  rm -rf "$scratch" "$scratch.log"
done
