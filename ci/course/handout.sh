#!/usr/bin/env bash
# Makes the folder that a student receives: handout.sh <assignment> <folder> [github | classroom | gitlab | jenkins].
# With the name of a service, its CI file too.
set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
usage() { sed -n '2,3s/^# //p' "$0" >&2; exit 2; }
[ $# -eq 2 ] || [ $# -eq 3 ] || usage
assignment=$1 folder=$2 service=${3-}
[ -f "$top/assignments/$assignment/rubric.toml" ] || {
  echo "handout.sh: no assignment '$assignment': there are $(cd "$top/assignments" && echo */ | tr -d /)" >&2
  exit 2
}
case "$service" in
  '') from='' to='' ;;
  github) from=github/warpcheck.yml to=.github/workflows/warpcheck.yml ;;
  classroom) from=github/classroom.yml to=.github/workflows/classroom.yml ;;
  gitlab) from=gitlab/.gitlab-ci.yml to=.gitlab-ci.yml ;;
  jenkins) from=jenkins/Jenkinsfile to=Jenkinsfile ;;
  *) usage ;;
esac
if [ -e "$folder" ] && [ -n "$(ls -A "$folder" 2>/dev/null)" ]; then
  echo "handout.sh: $folder is not empty" >&2
  exit 2
fi
mkdir -p "$folder/.vscode"
cp "$top/student_template/$assignment.cu" "$top/assignments/$assignment/$assignment.h" "$folder/"
cp "$top/student_template/README.md" "$folder/"
cp "$top"/student_template/.vscode/*.json "$folder/.vscode/"
cp "$top/assignments/$assignment/README.md" "$folder/HANDOUT.md"
find "$top/assignments/$assignment" -maxdepth 1 -name '*.svg' -exec cp {} "$folder/" \;
sed "s/^ASSIGNMENT ?= .*/ASSIGNMENT ?= $assignment/" "$top/student_template/Makefile" >"$folder/Makefile"
printf 'results/\nresults.log\n' >"$folder/.gitignore"
if [ -n "$from" ]; then
  mkdir -p "$(dirname "$folder/$to")"
  sed "s/\(ASSIGNMENT *[:=] *'\{0,1\}\)transpose/\1$assignment/" "$top/ci/course/$from" >"$folder/$to"
fi
