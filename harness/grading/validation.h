// Is an assignment ready to be handed out? Its reference, its skeleton and its test submissions are
// graded like any submission, and every one has to get what it should.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "grading/assignments.h"
#include "grading/expectation.h"
#include "grading/grade.h"
#include "grading/rubric.h"

namespace warpcheck {

// A program whose grade is known beforehand.
struct KnownSubmission {
  std::string name;  // within the course: "reference/picture.cu"
  std::filesystem::path path;
  std::optional<Verdict> verdict;  // that it must get; nullopt: any
  Expectation expectation;
};

struct KnownSubmissions {
  std::vector<KnownSubmission>
      all;                      // the reference, the skeleton, then the test submissions by name
  std::vector<Error> problems;  // files that are missing, or cannot be read as a submission
};

// Of <home>/reference, <home>/student_template and <home>/tests/submissions/<name>/<verdict>/.
KnownSubmissions FindKnownSubmissions(const std::filesystem::path& home,
                                      const Assignment& assignment, const Rubric& rubric);

struct KnownSubmissionResult {
  std::string name;
  Points score{};
  std::optional<Verdict> verdict{};     // nullopt: it could not be graded
  bool undecided = false;               // because of a fault of this machine, or of warpcheck
  std::vector<std::string> problems{};  // empty: as it should be
  std::vector<std::size_t> lost{};      // criteria that it lost by cases of its own
  // A criterion, and a measure that one of its cases rests on without any bound on work.
  std::vector<std::pair<std::size_t, std::string>> unbounded{};
  std::uint64_t warp_instructions = 0;  // of all its kernels
  double seconds = 0;
};

KnownSubmissionResult Examine(const KnownSubmission& submission, const Grade& grade);
// Where there is no grade.
KnownSubmissionResult NotGraded(const KnownSubmission& submission, const compile::Failure& failure);

struct CriterionProof {
  std::string id;
  Points points;
  int lost_by = 0;  // submissions; neither those that do not compile, nor where it was skipped
  int alone = 0;    // among them those that lost no other criterion, but for ones that depend on it
};

struct Validation {
  std::string title;
  Points total;
  std::vector<KnownSubmissionResult> submissions;
  std::vector<CriterionProof> criteria;  // as in the rubric
  std::vector<std::string> problems;     // of the assignment as a whole

  int Problems() const;  // all of them
  bool undecided() const;
};

// `handout` is the text of the README, whose table of points has to be the rubric's; `problems` are
// those of FindKnownSubmissions.
Validation Conclude(const Rubric& rubric, const std::string& handout,
                    std::vector<KnownSubmissionResult> submissions,
                    const std::vector<Error>& problems);

}  // namespace warpcheck
