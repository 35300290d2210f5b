#!/usr/bin/env bash
# Checks that this commit can be released, and makes its packages: release.sh <jobs>. It pushes and
# tags nothing: it prints the commands. `release.sh check` only looks at the tree, in a second.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${1:?usage: ci/release.sh <jobs> | check}

refuse() { echo "release: $*" >&2; exit 1; }

version=$(sed -n 's/^project(warpcheck VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
tag=v$version
[ -n "$version" ] || refuse "CMakeLists.txt has no version"
[ -z "$(git status --porcelain)" ] || refuse "the tree has changes: commit them, or remove the files"
git rev-parse -q --verify "refs/tags/$tag" >/dev/null &&
  refuse "the tag $tag exists: set a new version in CMakeLists.txt"

# The changes are the text between the heading of this version and the next one.
changes=$(awk -v heading="## $version" '$0 == heading { inside = 1; next } /^## / { inside = 0 } inside' CHANGELOG.md)
[ -n "${changes//[[:space:]]/}" ] || refuse "CHANGELOG.md has no section '## $version' with changes"
grep -q "^version: $version\$" CITATION.cff || refuse "CITATION.cff has another version than $version"
[ "$jobs" = check ] && { echo "release: $tag can be made"; exit 0; }

make --no-print-directory test-all JOBS="$jobs"
rm -rf dist
make --no-print-directory package JOBS="$jobs"
for package in dist/warpcheck-"$version"-*.whl dist/warpcheck-"$version"-*.tar.gz dist/warpcheck_"$version"_*.deb; do
  [ -s "$package" ] || refuse "no package $package"
done
[ -z "$(git status --porcelain)" ] || refuse "the tests changed files of the tree"

cat <<END

Everything passed. To publish it:

    git tag -a $tag -m 'warpcheck $version'
    git push origin $tag
    gh release create $tag dist/* --title "warpcheck $version" --notes "its section of CHANGELOG.md"
END
