# make check SUBMISSION=my_transpose.cu   grades a submission
# make test                               passes the project's own tests; of the long ones a part that the
#                                         commit draws
#
# Both install what is missing (ci/setup.sh), build, and run.

ASSIGNMENT ?= transpose
SUBMISSION ?=
DEVICE ?= auto
RESULTS ?= results
JOBS ?= $(shell nproc)

.PHONY: build check test test-all package notebooks docs pictures release bench bench-batch format lint sanitize tsan parity fuzz mutation mutation-all clean help

help:
	@sed -n '/^# make/s/^# //p' Makefile

build:
	@ci/setup.sh grade
	@ci/build.sh release grader $(JOBS)

# Builds only what grades this assignment, so that the first report comes soon.
check:
	@ci/setup.sh grade
	@ci/build.sh release $(if $(and $(SUBMISSION),$(wildcard assignments/$(ASSIGNMENT)/checks.cpp)),grade_$(ASSIGNMENT),grader) $(JOBS)
	@ASSIGNMENT='$(ASSIGNMENT)' SUBMISSION='$(SUBMISSION)' DEVICE='$(DEVICE)' RESULTS='$(RESULTS)' ci/check.sh

test:
	@ci/setup.sh test
	@ci/build.sh release all $(JOBS)
	@ci/test.sh release $(JOBS)

# make test-all                           passes all of them, and a short fuzz run
test-all:
	@ci/setup.sh test-all
	@echo "make test-all: it takes about an hour on two processors, most of it for tests/submissions"
	@ci/build.sh release all $(JOBS)
	@ci/test.sh release-test-all $(JOBS)
	@ci/fuzz.sh 5

# make package                            makes an archive, a .deb and a Python wheel in dist/
package:
	@ci/setup.sh package
	@ci/build.sh release installable $(JOBS)
	@ci/package.sh build dist

# make docs                               builds the documentation as a site, in build/site/
docs:
	@ci/docs.sh build/site

# make pictures                           makes the README's pictures again (needs chromium)
pictures:
	@ci/setup.sh test-all
	@ci/build.sh release grade_transpose $(JOBS)
	@ci/pictures.sh build docs/pictures

# make release                            checks that a release can be made, and makes its packages; pushes nothing
release:
	@ci/release.sh $(JOBS)

# make notebooks                          makes a notebook of each assignment and each lab in dist/notebooks/
notebooks:
	@ci/setup.sh grade
	@ci/build.sh release grader $(JOBS)
	@PYTHONPATH=python WARPCHECK_PROGRAM=build/warpcheck python3 -B -m warpcheck.notebooks dist/notebooks

# make bench                              prints speeds as ratios measured side by side
bench:
	@ci/setup.sh test
	@ci/build.sh dev all $(JOBS)
	@bench/run.sh build-dev

# make bench-batch                        prints the speed of grading a class, relative to nvcc's
bench-batch:
	@ci/setup.sh test
	@ci/build.sh release all $(JOBS)
	@bench/batch.sh build $(SUBMISSIONS)

# make format                             formats every C++ file
format:
	@ci/setup.sh test
	@git ls-files -co --exclude-standard 'harness/**.h' 'harness/**.cc' 'tests/**.h' 'tests/**.cc' \
	    'labs/**.cu' 'docs/**.cu' 'bench/**.cc' 'assignments/**.cpp' 'assignments/**.h' 'reference/*.cu' 'student_template/*.cu' \
	    | xargs clang-format -i

# make lint                               runs clang-format and clang-tidy; both must be silent
lint:
	@ci/setup.sh test
	@ci/lint.sh $(JOBS)

# make sanitize                           runs the tests under the address and undefined-behaviour sanitizers
sanitize:
	@ci/setup.sh test
	@ci/build.sh asan-ubsan all $(JOBS)
	@ci/test.sh asan-ubsan $(JOBS)

# make tsan                               runs the tests of code with threads under the thread sanitizer
tsan:
	@ci/setup.sh test
	@ci/tsan.sh $(JOBS)

# make parity                             compares the emulator with all that GPUs have counted
parity:
	@ci/setup.sh test
	@ci/build.sh release grader $(JOBS)
	ctest --test-dir build --build-config Parity --tests-regex parity_with --output-on-failure

# make fuzz                               runs each fuzzer for ten minutes
fuzz:
	@ci/setup.sh test
	@ci/fuzz.sh 600

# make mutation                           grades small changes of every reference, drawn by SEED: none may
#                                         keep full marks
SEED ?= $(shell date +%s)
mutation:
	@ci/setup.sh test
	@ci/build.sh release all $(JOBS)
	build/warpcheck mutation --sample 12 --seed $(SEED) --jobs $(JOBS)

# make mutation-all                       grades all of these changes, and every test submission with more
#                                         work: none may gain. It takes hours
mutation-all:
	@ci/setup.sh test
	@ci/build.sh release all $(JOBS)
	build/warpcheck mutation --jobs $(JOBS)
	build/warpcheck more-work --jobs $(JOBS)

clean:
	rm -rf build build-* results
