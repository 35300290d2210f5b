#!/usr/bin/env bash
# Tests that ci/skips.sh finds skips of both kinds, with their reasons, and fails on those that the
# list does not expect.
set -euo pipefail
skips=$(dirname "$0")/../../ci/skips.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cat >"$scratch/printed" <<'END'
1/3 Test #1: some .......................   Passed    0.10 sec
2/3 Test #2: gpu ........................***Skipped   0.02 sec
3/3 Test #3: cluster ....................***Skipped   0.02 sec
END
cat >"$scratch/outputs" <<'END'
1/3 Testing: some
/a/some_test.cc:84: Skipped
no bubblewrap here

[  SKIPPED ] Sandbox.Works (0 ms)
[       OK ] Sandbox.Exists (1 ms)
[  SKIPPED ] 1 test, listed below:
[  SKIPPED ] Sandbox.Works
<end of output>
2/3 Testing: gpu
/a/gpu_test.cc:9: Skipped
no driver

[  SKIPPED ] Gpu.Counts/1 (0 ms)
<end of output>
3/3 Testing: cluster
looking for Slurm
there is no Slurm
<end of output>
END

# Usage: expect <status> <line of the output> <line of the list>...
expect() {
  local status=0 want=$1 line=$2
  shift 2
  printf '%s\n' "$@" >"$scratch/list"
  "$skips" "$scratch/printed" "$scratch/outputs" "$scratch/list" >"$scratch/said" || status=$?
  if [ "$status" != "$want" ] || ! grep -qxF -- "$line" "$scratch/said"; then
    echo "expected status $want and the line \"$line\", got status $status and:"
    cat "$scratch/said"
    exit 1
  fi
}

expect 0 'skipped: 3 tests' 'no bubblewrap   # a remark' ': no driver$' '^cluster: there is no Slurm'
expect 0 '  1: there is no Slurm' 'no'
expect 1 '  Sandbox.Works: no bubblewrap here' ': no driver$' 'Slurm'
expect 1 '  cluster: there is no Slurm' 'bubblewrap' ': no driver$'
expect 1 '  Gpu.Counts/1: no driver' '# nothing is expected'
sed -i 's/\*\*\*Skipped/   Passed/' "$scratch/printed"
echo 'all is well' >"$scratch/outputs"
expect 0 'skipped: no test' '# nothing is expected'
