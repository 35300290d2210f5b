// What a test submission says of itself, in comments:
//   // score: 60            the points that it must get; 0 if it does not say
//   // says: TEXT           a complaint or hint that holds TEXT, anywhere
//   code;  // expect: TEXT  a complaint about exactly this line that holds TEXT
// Its folder is the verdict that it must get.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "grading/grade.h"
#include "grading/rubric.h"

namespace warpcheck {

struct LineExpectation {
  int line = 0;
  std::string text;

  friend bool operator==(const LineExpectation&, const LineExpectation&) = default;
};

struct Expectation {
  Points score;
  std::vector<std::string> says{};
  std::vector<LineExpectation> lines{};
};

// Fails on a score that is no number of points or is stated twice, and on an empty text; `file`
// names the source in the error.
Result<Expectation> ParseExpectation(std::string_view source, const std::string& file);

// What of the expectation the grade does not hold, a sentence each; empty if all is as expected.
std::vector<std::string> Unmet(const Expectation& expectation, const Grade& grade);

}  // namespace warpcheck
