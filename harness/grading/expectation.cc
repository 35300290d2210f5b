#include "grading/expectation.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>

#include "base/text.h"
#include "grading/experimenting.h"

namespace warpcheck {
namespace {

constexpr std::string_view kScore = "// score:";
constexpr std::string_view kFinal = "// final:";
constexpr std::string_view kSays = "// says:";
constexpr std::string_view kExpect = "// expect:";
constexpr std::string_view kMistake = "// mistake";

// Returns the text after `marker` in `line`, without surrounding spaces, or nullopt if there is no
// marker.
std::optional<std::string> After(std::string_view line, std::string_view marker) {
  const std::size_t at = line.find(marker);
  if (at == std::string_view::npos) return std::nullopt;
  return std::string(Trimmed(line.substr(at + marker.size())));
}

std::optional<Points> PointsIn(const std::string& text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return Points::FromNumber(number);
}

struct Said {
  std::string_view message;
  int line = 0;
};

// Returns whether a change of this line, and of few others, makes all failed tests pass.
bool Finds(const ChecksReport& report, int line) {
  return report.experiments && report.experiments->cures.size() <= kMostCures &&
         std::ranges::any_of(report.experiments->cures,
                             [&](const Experiment& cure) { return cure.where.line == line; });
}

std::vector<Said> AllSaid(const Grade& grade) {
  std::vector<Said> said;
  for (const CriterionGrade& criterion : grade.criteria) {
    for (const CaseResult& result : criterion.cases) {
      for (const Complaint& complaint : result.complaints) {
        said.push_back({complaint.message, complaint.where.line});
        said.push_back({complaint.hint, complaint.where.line});
      }
    }
  }
  if (const auto& error = grade.attempt.build.error) {
    said.push_back({error->message, error->where.line});
  }
  return said;
}

}  // namespace

Result<Expectation> ParseExpectation(std::string_view source, const std::string& file) {
  Expectation expectation;
  bool has_score = false;
  int number = 0;
  const auto wrong = [&](std::string message, std::string hint) {
    return Fail(std::move(message), {.file = file, .line = number}, std::move(hint));
  };
  std::istringstream lines{std::string(source)};
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const auto says = After(line, kSays);
    const auto expect = After(line, kExpect);
    if ((says && says->empty()) || (expect && expect->empty())) {
      return wrong("this expectation has no text", "write // says: TEXT or // expect: TEXT");
    }
    if (says) expectation.says.push_back(*says);
    if (expect) expectation.lines.push_back({number, *expect});
    if (After(line, kMistake) == "") expectation.mistakes.push_back(number);
    if (const auto final = After(line, kFinal)) {
      if (*final != "no") {
        return wrong(fmt::format("\"{}\" is not known here", *final),
                     "write // final: no, or no such line for a final score");
      }
      expectation.not_final = true;
    }
    const auto score = After(line, kScore);
    if (!score) continue;
    const auto points = PointsIn(*score);
    if (!points) {
      return wrong(fmt::format("\"{}\" is not a score", *score), "write // score: 60");
    }
    if (has_score) return wrong("this is a second score", "a file gets one score");
    has_score = true;
    expectation.score = *points;
  }
  if (!has_score && !source.empty()) {
    number = 1;
    return wrong("this test submission has no score",
                 "write // score: 60, with the points that it must get");
  }
  return expectation;
}

std::vector<std::string> Unmet(const Expectation& expectation, const Grade& grade) {
  std::vector<std::string> unmet;
  if (grade.score != expectation.score) {
    unmet.push_back(fmt::format("the score should be {}, but is {}", expectation.score.Text(),
                                grade.score.Text()));
  }
  if (expectation.not_final && grade.score_is_final) {
    unmet.push_back("the score should not be final, but is");
  }
  const std::vector<Said> said = AllSaid(grade);
  const auto is_said = [&](const std::string& text, int line) {
    return std::ranges::any_of(said, [&](const Said& one) {
      return one.message.find(text) != std::string_view::npos && (line == 0 || one.line == line);
    });
  };
  for (const std::string& text : expectation.says) {
    if (!is_said(text, 0)) unmet.push_back(fmt::format("no complaint says \"{}\"", text));
  }
  for (const auto& [line, text] : expectation.lines) {
    if (!is_said(text, line)) {
      unmet.push_back(fmt::format("no complaint says \"{}\" about line {}", text, line));
    }
  }
  for (const int line : expectation.mistakes) {
    if (!Finds(grade.attempt.report, line)) {
      unmet.push_back(fmt::format("no experiment finds that a change of line {} helps", line));
    }
  }
  return unmet;
}

}  // namespace warpcheck
