#!/usr/bin/env bash
# Runs the tests of code with threads under the thread sanitizer. It leaves out what the sanitizer
# cannot run: programs in the sandbox, which share their parent's memory until exec; the CUDA
# runtime, which maps pages at addresses that the sanitizer reserves; and processes that limit their
# address space, as those that read archives do. Usage: ci/tsan.sh <jobs>.
set -euo pipefail
jobs=$1
cd "$(dirname "$0")/.."

ci/build.sh tsan thread_tests "$jobs"
export TSAN_OPTIONS=handle_segv=0  # a crash in a test ends its process by the signal
build-tsan/emulator_test --gtest_brief=1 --gtest_filter='*Parallel*:*Speculative*:*KnownWritten*'
build-tsan/batch_test --gtest_brief=1 \
  --gtest_filter='*-*Layouts*:*Unpack*:*WholeClass*:*Intake*:BatchCommandTest.*:*Slurm*'
