#!/usr/bin/env bash
# Counts skipped tests by their reasons. Usage: ci/skips.sh <output of ctest> <its LastTest.log>
# <list>. Each line of the list is an extended regular expression for "test: reason"; # begins a
# comment. Fails if no line matches a skip.
set -euo pipefail
printed=$1 outputs=$2 list=$3

# Prints skips of GoogleTest. GoogleTest prints the place, the reason, an empty line and the name.
in_programs() {
  awk '/: Skipped$/ { getline reason; next }
       /^\[  SKIPPED \] .* \([0-9]+ ms\)$/ {
         sub(/^\[  SKIPPED \] /, ""); sub(/ \([0-9]+ ms\)$/, ""); print $0 ": " reason
       }' "$outputs"
}
# Prints skipped CTest tests, which exit with a special status. Their last line is the reason.
whole() {
  sed -n 's/^ *[0-9]*\/[0-9]* Test *#[0-9]*: \([^ ]*\) \.*\*\*\*Skipped.*/\1/p' "$printed" |
    while read -r name; do
      awk -v name="$name" '
        $0 ~ "Testing: " name "$" { inside = 1; reason = ""; listed = 0 }
        inside && /^\[  SKIPPED \]/ { listed = 1 }
        inside && /^<end of output>$/ { if (!listed) print name ": " reason; exit }
        inside && NF { reason = $0 }' "$outputs"
    done
}

skips=$(in_programs; whole)
if [ -z "$skips" ]; then
  echo "skipped: no test"
  exit 0
fi
echo "skipped: $(wc -l <<<"$skips") tests"
printf '%s\n' "$skips" | sed 's/^[^:]*: //' | sort | uniq -c | sort -rn | sed 's/^ *\([0-9]*\) /  \1: /'
unexpected=$(grep -vEf <(sed 's/ *#.*//; /^$/d' "$list") <<<"$skips" || true)
if [ -n "$unexpected" ]; then
  echo "not expected to be skipped (tests/expected_skips.txt lists what is):"
  printf '%s\n' "$unexpected" | sed 's/^/  /'
  exit 1
fi
