#include "report/terminal/validation_report.h"

#include <fmt/color.h>
#include <fmt/format.h>

#include <sstream>

#include "base/text.h"
#include "report/clean_text.h"
#include "report/terminal/terminal_text.h"

namespace warpcheck {
namespace {

constexpr std::size_t kIndent = 9;  // the indentation of problems, below their program

class ValidationWriter {
 public:
  ValidationWriter(const Validation& validation, const TerminalStyle& style)
      : validation_(validation), style_(style) {}

  std::string Write() {
    text_ +=
        Paint(fmt::format("{}: {}\n\n", CleanText(validation_.title), Counted(validation_.total)),
              fmt::emphasis::bold);
    text_ += "           score  verdict    seconds   warp instructions  program\n";
    for (const KnownSubmissionResult& submission : validation_.submissions) Show(submission);
    if (!validation_.criteria.empty()) {
      text_ += "\n          points  lost by  alone  criterion\n";
      for (const CriterionProof& criterion : validation_.criteria) Show(criterion);
    }
    text_ += '\n';
    for (const std::string& problem : validation_.problems) Problem(problem, 2);
    ShowConclusion();
    return std::move(text_);
  }

 private:
  std::string Paint(const std::string& text, fmt::text_style painted) const {
    return style_.colours ? fmt::format(painted, "{}", text) : text;
  }

  std::string Mark(bool good) const {
    return Paint(fmt::format("{:<7}", good ? "ok" : "WRONG"),
                 fg(good ? fmt::terminal_color::green : fmt::terminal_color::red));
  }

  void Problem(const std::string& problem, std::size_t indent) {
    std::istringstream lines(CleanText(problem));
    for (std::string line; std::getline(lines, line);) {
      text_ += Wrapped(line, static_cast<std::size_t>(style_.width), indent, indent + 2);
    }
  }

  void Show(const KnownSubmissionResult& submission) {
    const bool graded = submission.verdict.has_value();
    text_ += fmt::format("  {}{:>7}  {:<9}{:>9.1f}{:>20}  {}\n", Mark(submission.problems.empty()),
                         graded ? submission.score.Text() : "-",
                         graded ? Name(*submission.verdict) : "none", submission.seconds,
                         submission.warp_instructions, CleanText(submission.name));
    for (const std::string& problem : submission.problems) Problem(problem, kIndent);
  }

  void Show(const CriterionProof& criterion) {
    const bool good = criterion.lost_by > 0 || criterion.points == Points();
    text_ += fmt::format("  {}{:>7}{:>9}{:>7}  {}\n", Mark(good), criterion.points.Text(),
                         criterion.lost_by, criterion.alone, CleanText(criterion.id));
  }

  void ShowConclusion() {
    const std::size_t programs = validation_.submissions.size();
    if (validation_.undecided()) {
      text_ += "Some results are missing: grading itself failed, or a counter was not measured.\n";
    }
    ShowMissingWitness();
    const int problems = validation_.Problems();
    text_ += problems == 0
                 ? Paint(programs == 1
                             ? "The program gets the expected grade.\n"
                             : fmt::format("All {} programs get the expected grade.\n", programs),
                         fg(fmt::terminal_color::green))
                 : Paint(fmt::format("{} with {}.\n",
                                     Counted(static_cast<std::uint64_t>(problems), "problem"),
                                     Counted(programs, "program")),
                         fg(fmt::terminal_color::red));
  }

  void ShowMissingWitness() {
    std::uint64_t missing = 0;
    std::string why;
    for (const KnownSubmissionResult& submission : validation_.submissions) {
      if (submission.no_witness.empty()) continue;
      ++missing;
      why = submission.no_witness;
    }
    if (missing == 0) return;
    Problem(fmt::format("The GPU was no witness of {}. {}.", Counted(missing, "program"), why), 0);
  }

  const Validation& validation_;
  const TerminalStyle& style_;
  std::string text_;
};

}  // namespace

std::string ValidationReport(const Validation& validation, const TerminalStyle& style) {
  return ValidationWriter(validation, style).Write();
}

}  // namespace warpcheck
