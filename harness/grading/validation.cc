#include "grading/validation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "base/files.h"
#include "base/text.h"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;

// Data and compilers may change a count of the reference by this part of it.
constexpr double kLargestDifference = 0.05;
constexpr Points kFullMarks = Points::FromHundredths(100'00);

// The folders of tests/submissions/<assignment>/, named after the verdicts that a submission can
// get.
std::optional<Verdict> VerdictOfFolder(const std::string& name) {
  for (const Verdict verdict : {Verdict::kPassed, Verdict::kFailed, Verdict::kError}) {
    if (name == Name(verdict)) return verdict;
  }
  return std::nullopt;
}

// Returns the entries of a folder by name; returns nothing if the folder cannot be read.
std::vector<fs::path> Entries(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    entries.push_back(at->path());
  }
  std::ranges::sort(entries);
  return entries;
}

class Finder {
 public:
  Finder(const fs::path& home, const Assignment& assignment)
      : home_(home), name_(assignment.name) {}

  KnownSubmissions Find(const Rubric& rubric) {
    AddOwn("reference", Verdict::kPassed, rubric.Total());
    AddOwn("student_template", std::nullopt, Points());
    const fs::path tests = home_ / "tests" / "submissions" / name_;
    const std::vector<fs::path> folders = Entries(tests);
    if (folders.empty()) {
      Problem(fmt::format("there are no test submissions in {}", NameOf(tests)),
              "programs whose grade is known prove the checks: <verdict>/*.cu");
    }
    for (const fs::path& folder : folders) AddTests(folder);
    return std::move(submissions_);
  }

 private:
  // Returns the path relative to the course.
  std::string NameOf(const fs::path& path) const { return path.lexically_relative(home_).string(); }

  void Problem(std::string message, std::string hint) {
    submissions_.problems.push_back({.message = std::move(message), .hint = std::move(hint)});
  }

  // Adds the assignment's file in `folder`.
  void AddOwn(const char* folder, std::optional<Verdict> verdict, Points score) {
    const fs::path path = home_ / folder / (name_ + ".cu");
    std::error_code error;
    if (!fs::exists(path, error)) {
      Problem(fmt::format("there is no {}", NameOf(path)), "every assignment has one");
      return;
    }
    submissions_.all.push_back({.name = NameOf(path),
                                .path = path,
                                .verdict = verdict,
                                .expectation = {.score = score},
                                .is_reference = verdict.has_value()});
  }

  void AddTests(const fs::path& folder) {
    const auto verdict = VerdictOfFolder(folder.filename().string());
    if (!verdict) {
      Problem(fmt::format("{} is not the folder of a verdict", NameOf(folder)),
              "test submissions lie in passed/, failed/ and error/");
      return;
    }
    for (const fs::path& path : Entries(folder)) AddTest(path, *verdict);
  }

  void AddTest(const fs::path& path, Verdict verdict) {
    if (path.extension() != ".cu") {
      Problem(fmt::format("{} is not a .cu file", NameOf(path)),
              "a test submission is a single file");
      return;
    }
    auto expectation = ReadFile(path).and_then(
        [&](const std::string& source) { return ParseExpectation(source, NameOf(path)); });
    if (!expectation) {
      submissions_.problems.push_back(expectation.error());
      return;
    }
    submissions_.all.push_back({.name = NameOf(path),
                                .path = path,
                                .verdict = verdict,
                                .expectation = *std::move(expectation)});
  }

  const fs::path& home_;
  const std::string& name_;
  KnownSubmissions submissions_;
};

// Returns the criteria that the submission lost by their own cases, not because it lost a required
// one.
std::vector<std::size_t> LostCriteria(const Grade& grade) {
  std::vector<std::size_t> lost;
  if (!grade.attempt.build.artifact) return lost;
  for (std::size_t i = 0; i < grade.criteria.size(); ++i) {
    const CriterionGrade& criterion = grade.criteria[i];
    const bool own = criterion.verdict == Verdict::kFailed || criterion.verdict == Verdict::kError;
    if (own && criterion.points < criterion.max_points) lost.push_back(i);
  }
  return lost;
}

std::vector<std::pair<std::size_t, std::string>> UnboundedCriteria(const Grade& grade) {
  std::vector<std::pair<std::size_t, std::string>> unbounded;
  for (std::size_t i = 0; i < grade.criteria.size(); ++i) {
    for (const CaseResult& result : grade.criteria[i].cases) {
      const auto& targets = result.targets;
      if (std::ranges::any_of(targets, &CaseResult::Target::is_work)) continue;
      for (const auto& target : targets) unbounded.emplace_back(i, target.measure);
    }
  }
  return unbounded;
}

// Returns the first complaint of a case with an undecided verdict.
std::string WhyUndecided(const Grade& grade) {
  for (const CriterionGrade& criterion : grade.criteria) {
    for (const CaseResult& result : criterion.cases) {
      if (!IsUndecided(result.verdict) || result.complaints.empty()) continue;
      return result.name + ": " + result.complaints.front().message;
    }
    if (IsUndecided(criterion.verdict) && !criterion.reason.empty()) return criterion.reason;
  }
  if (grade.attempt.witness) {
    for (const Disagreement& one : grade.attempt.witness->disagreements) {
      if (!one.contradicts()) continue;
      return fmt::format("{}: {} on the emulator, and on the GPU: {}", one.case_name,
                         one.on_emulator, one.on_gpu);
    }
  }
  if (const Finding* missing = NotOffered(grade.attempt.report)) return missing->message;
  return std::string(Name(grade.verdict));
}

std::uint64_t WarpInstructions(const Grade& grade) {
  std::uint64_t sum = 0;
  for (const CaseLaunch& launch : grade.attempt.report.launches) {
    sum += launch.record.counters.OrZero(Counter::kWarpInstructions);
  }
  return sum;
}

// Returns the cells of a row of a table in Markdown; returns nothing for other lines.
std::vector<std::string> Cells(const std::string& line) {
  std::vector<std::string> cells;
  if (!line.starts_with('|')) return cells;
  std::istringstream rest(line.substr(1));
  for (std::string cell; std::getline(rest, cell, '|');) {
    cells.emplace_back(Trimmed(cell));
  }
  return cells;
}

// Returns the first column of the table whose first heading is "points".
std::vector<std::string> PointsInHandout(const std::string& handout) {
  std::vector<std::string> points;
  std::istringstream lines(handout);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> cells = Cells(line);
    if (inside && cells.empty()) break;
    if (inside && cells.front().find_first_not_of("-: ") != std::string::npos) {
      points.push_back(cells.front());
    }
    if (!cells.empty() && cells.front() == "points") inside = true;
  }
  return points;
}

// Returns the rows of the table whose first heading is "argument": what the handout promises.
std::vector<std::vector<std::string>> ArgumentsInHandout(const std::string& handout) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(handout);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> cells = Cells(line);
    if (inside && cells.empty()) break;
    const bool heading = !cells.empty() && cells.front() == "argument";
    if (inside && cells.front().find_first_not_of("-: ") != std::string::npos) {
      rows.push_back(std::move(cells));
    }
    inside = inside || heading;
  }
  return rows;
}

// The handout must have a row for each promise, and no other row.
void CheckPromises(const std::vector<PromiseResult>& promises, const std::string& handout,
                   Validation& validation) {
  std::vector<std::vector<std::string>> rows = ArgumentsInHandout(handout);
  std::set<std::vector<std::string>> known;
  for (const PromiseResult& promise : promises) {
    if (promise.promise.empty()) continue;
    const std::vector<std::string> cells = {"`" + promise.argument + "`", promise.promise};
    if (!known.insert(cells).second || std::ranges::find(rows, cells) != rows.end()) continue;
    validation.problems.push_back(fmt::format(
        "the handout's table of arguments lacks the row \"| {} |\"", fmt::join(cells, " | ")));
  }
  for (const std::vector<std::string>& row : rows) {
    if (promises.empty() || known.contains(row)) continue;
    validation.problems.push_back(fmt::format(
        "the checks do not promise what the handout says: \"| {} |\"", fmt::join(row, " | ")));
  }
}

// Returns a sentence for each count of the reference that differs from the recorded one.
std::vector<std::string> OutdatedCounts(const std::vector<CaseResult::Comparison>& comparisons) {
  std::vector<std::string> outdated;
  for (const CaseResult::Comparison& one : comparisons) {
    const auto recorded = static_cast<double>(one.reference.value_or(0));
    const auto count = static_cast<double>(one.count);
    if (one.reference && std::abs(count - recorded) <= kLargestDifference * recorded) continue;
    outdated.push_back(fmt::format(
        "{}: the {} of the reference is {}, and {} is recorded: run `warpcheck validate NAME "
        "--record`, and build the checks again",
        one.call, one.counter, Grouped(one.count),
        one.reference ? Grouped(*one.reference) : "nothing"));
  }
  return outdated;
}

void CheckPoints(const Rubric& rubric, const std::string& handout, Validation& validation) {
  if (validation.total != kFullMarks) {
    validation.problems.push_back(fmt::format("the points add up to {}, not to {}",
                                              validation.total.Text(), kFullMarks.Text()));
  }
  std::vector<std::string> points;
  for (const Criterion& criterion : rubric.criteria) points.push_back(criterion.points.Text());
  const std::vector<std::string> promised = PointsInHandout(handout);
  if (promised.empty()) {
    validation.problems.push_back(
        "the handout does not say how it is graded: it needs a table \"| points | criterion |\"");
  } else if (promised != points) {
    validation.problems.push_back(fmt::format("the handout promises {} points, the rubric gives {}",
                                              fmt::join(promised, " + "),
                                              fmt::join(points, " + ")));
  }
}

void CheckLanguage(const Rubric& rubric, const std::string& handout, Validation& validation) {
  const std::string command = rubric.language.Command();
  if (handout.find('`' + command + '`') != std::string::npos) return;
  validation.problems.push_back(
      fmt::format("the handout does not say how submissions are compiled: it needs `{}`", command));
}

}  // namespace

KnownSubmissions FindKnownSubmissions(const fs::path& home, const Assignment& assignment,
                                      const Rubric& rubric) {
  return Finder(home, assignment).Find(rubric);
}

std::vector<CaseResult::Comparison> ComparisonsOf(const Grade& grade) {
  std::vector<CaseResult::Comparison> comparisons;
  for (const CaseResult& result : grade.attempt.report.cases) {
    for (const CaseResult::Comparison& one : result.comparisons) {
      if (std::ranges::find(comparisons, one) == comparisons.end()) comparisons.push_back(one);
    }
  }
  return comparisons;
}

KnownSubmissionResult Examine(const KnownSubmission& submission, const Grade& grade) {
  KnownSubmissionResult result{
      .name = submission.name,
      .score = grade.score,
      .verdict = grade.verdict,
      .undecided = !grade.score_is_final && !submission.expectation.not_final,
      .warp_instructions = WarpInstructions(grade),
      .seconds = grade.attempt.build_seconds + grade.attempt.checks_seconds};
  if (grade.attempt.witness) result.no_witness = grade.attempt.witness->missing;
  for (const CaseResult& judged : grade.attempt.report.cases) {
    for (const Complaint& complaint : judged.complaints) {
      if (FindingKindOf(complaint.kind)) result.findings.emplace(Name(complaint.kind));
    }
  }
  if (result.undecided) {
    result.problems.push_back("it could not be judged: " + WhyUndecided(grade));
    return result;
  }
  result.problems = Unmet(submission.expectation, grade);
  if (submission.is_reference) {
    for (std::string& problem : OutdatedCounts(ComparisonsOf(grade))) {
      result.problems.push_back(std::move(problem));
    }
    result.promises = grade.attempt.report.promises;
    for (const PromiseResult& promise : result.promises) {
      for (const std::string& problem : promise.problems) {
        result.problems.push_back(
            fmt::format("`{}` is promised {}: {}", promise.argument, promise.promise, problem));
      }
    }
  }
  if (submission.verdict && grade.verdict != *submission.verdict) {
    result.problems.push_back(fmt::format("the verdict should be {}, but is {}",
                                          Name(*submission.verdict), Name(grade.verdict)));
  }
  if (!submission.verdict && grade.attempt.build.error) {
    result.problems.push_back("it does not compile: " + grade.attempt.build.error->message);
  }
  if (submission.verdict) result.lost = LostCriteria(grade);
  result.unbounded = UnboundedCriteria(grade);
  return result;
}

std::optional<std::string> ProblemInShortage(const Grade& grade, Shortage shortage) {
  const std::string name =
      fmt::format("a program that uses up its budget (shortage of {})", NameOf(shortage));
  if (!grade.score_is_final) {
    return fmt::format("{} could not be judged: {}", name, WhyUndecided(grade));
  }
  if (grade.score == grade.max_score) return std::nullopt;  // small calls fit into the budget
  const auto says_why = [](const CaseResult& result) {
    return result.verdict == Verdict::kError || result.verdict == Verdict::kFailed;
  };
  if (std::ranges::none_of(grade.attempt.report.cases, says_why)) {
    return name + " loses points, and no case says why";
  }
  return std::nullopt;
}

KnownSubmissionResult NotGraded(const KnownSubmission& submission,
                                const compile::Failure& failure) {
  return {.name = submission.name,
          .undecided = failure.blame != compile::Failure::Blame::kSubmission,
          .problems = {failure.Text()}};
}

std::string IndexOf(const std::vector<KnownSubmissionResult>& submissions) {
  std::vector<std::string> lines;
  for (const KnownSubmissionResult& submission : submissions) {
    for (const std::string& kind : submission.findings) {
      lines.push_back(fmt::format("{} {}\n", kind, submission.name));
    }
  }
  std::ranges::sort(lines);
  return fmt::format("{}", fmt::join(lines, ""));
}

int Validation::Problems() const {
  std::size_t count = problems.size();
  for (const KnownSubmissionResult& submission : submissions) count += submission.problems.size();
  return static_cast<int>(count);
}

bool Validation::undecided() const {
  return std::ranges::any_of(submissions, &KnownSubmissionResult::undecided);
}

Validation Conclude(const Rubric& rubric, const std::string& handout,
                    std::vector<KnownSubmissionResult> submissions,
                    const std::vector<Error>& problems) {
  Validation validation;
  validation.title = rubric.title;
  validation.total = rubric.Total();
  validation.submissions = std::move(submissions);
  for (const Error& problem : problems) validation.problems.push_back(problem.Text());
  for (const Criterion& criterion : rubric.criteria) {
    validation.criteria.push_back({.id = criterion.id, .points = criterion.points});
  }
  for (const KnownSubmissionResult& submission : validation.submissions) {
    for (const std::size_t i : submission.lost) {
      ++validation.criteria[i].lost_by;
      if (submission.lost.size() == 1) ++validation.criteria[i].alone;
    }
  }
  CheckPoints(rubric, handout, validation);
  std::set<std::pair<std::size_t, std::string>> unbounded;
  for (const KnownSubmissionResult& submission : validation.submissions) {
    unbounded.insert(submission.unbounded.begin(), submission.unbounded.end());
  }
  for (const auto& [criterion, measure] : unbounded) {
    validation.problems.push_back(
        fmt::format("\"{}\" depends only on {}, which needless perfect accesses improve: also "
                    "bound the work in this test, with a matcher whose name ends in Within",
                    rubric.criteria[criterion].id, measure));
  }
  CheckLanguage(rubric, handout, validation);
  for (const KnownSubmissionResult& submission : validation.submissions) {
    if (!submission.promises.empty()) CheckPromises(submission.promises, handout, validation);
  }
  for (const CriterionProof& proof : validation.criteria) {
    if (proof.lost_by == 0 && proof.points > Points()) {
      validation.problems.push_back(fmt::format(
          "no test submission loses \"{}\": so nothing proves that its checks work", proof.id));
    }
  }
  return validation;
}

}  // namespace warpcheck
