// Tells whether an assignment is ready to be handed out. Its reference, its skeleton and its test
// submissions are graded like any submission, and each must get the grade that it declares.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "grading/assignments.h"
#include "grading/expectation.h"
#include "grading/grade.h"
#include "grading/rubric.h"
#include "results/checks_order.h"

namespace warpcheck {

// A KnownSubmission is a program whose grade is known beforehand.
struct KnownSubmission {
  std::string name;  // the path within the course, such as "reference/picture.cu"
  std::filesystem::path path;
  // The verdict that it must get, or nullopt if any verdict is allowed.
  std::optional<Verdict> verdict;
  Expectation expectation;
  bool is_reference = false;
};

struct KnownSubmissions {
  std::vector<KnownSubmission>
      all;                      // the reference, the skeleton, then the test submissions by name
  std::vector<Error> problems;  // files that are missing, or cannot be read as a submission
};

// Finds the submissions in <home>/reference, <home>/student_template and
// <home>/tests/submissions/<name>/<verdict>/.
KnownSubmissions FindKnownSubmissions(const std::filesystem::path& home,
                                      const Assignment& assignment, const Rubric& rubric);

struct KnownSubmissionResult {
  std::string name;
  Points score{};
  std::optional<Verdict> verdict{};     // without a value if the program could not be graded
  bool undecided = false;               // true if this machine or warpcheck is to blame for that
  std::vector<std::string> problems{};  // the differences from the expected grade
  std::vector<std::size_t> lost{};      // the criteria that it lost by their own cases
  // Criteria with a case whose only target is on a measure that does not bound work, together with
  // that measure.
  std::vector<std::pair<std::size_t, std::string>> unbounded{};
  std::vector<PromiseResult> promises{};  // of the reference alone
  std::set<std::string> findings{};       // the kinds of findings that the report names
  std::uint64_t warp_instructions = 0;    // the number of instructions of all its kernels
  double seconds = 0;
  std::string no_witness{};  // why the GPU was no witness, although one was asked for
};

// Returns what the checks compared with the counts of the reference, each once.
std::vector<CaseResult::Comparison> ComparisonsOf(const Grade& grade);

// Compares a grade with what the submission must get. The recorded counts of the reference must be
// those that the reference has.
KnownSubmissionResult Examine(const KnownSubmission& submission, const Grade& grade);
// Returns what is wrong with the grade of the reference in a shortage: it must be final, and say
// why it loses points. Returns nothing if the grade is right.
std::optional<std::string> ProblemInShortage(const Grade& grade, Shortage shortage);
// Returns the result of a submission that could not be graded.
KnownSubmissionResult NotGraded(const KnownSubmission& submission, const compile::Failure& failure);

struct CriterionProof {
  std::string id;
  Points points;
  // The number of submissions that lost this criterion, without those that do not compile or for
  // which it was skipped.
  int lost_by = 0;
  // The number of these submissions that lost no other criterion, except criteria that require this
  // one.
  int alone = 0;
};

struct Validation {
  std::string title;
  Points total;
  std::vector<KnownSubmissionResult> submissions;
  std::vector<CriterionProof> criteria;  // criteria in the order of the rubric
  std::vector<std::string> problems;     // the problems of the assignment as a whole

  int Problems() const;  // the number of all problems
  bool undecided() const;
};

// Returns an index of programs by the kinds of findings that their reports name: a line such as
// "shared_race tests/submissions/reduce/failed/no_barrier.cu" for each kind and program, sorted.
std::string IndexOf(const std::vector<KnownSubmissionResult>& submissions);

// Adds the results up. `handout` is the text of the README, whose table of points must agree with
// the rubric, and whose table of arguments with the promises of the checks. `problems` comes from
// FindKnownSubmissions.
Validation Conclude(const Rubric& rubric, const std::string& handout,
                    std::vector<KnownSubmissionResult> submissions,
                    const std::vector<Error>& problems);

}  // namespace warpcheck
