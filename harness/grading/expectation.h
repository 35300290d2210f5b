// Reads what a test submission must get, which it says in comments:
//   // score: 60            the points that it must get; only an empty file needs no such line
//   // final: no            the score must not be final: warpcheck does not offer all it uses
//   // says: TEXT           some complaint or hint must contain TEXT
//   code;  // expect: TEXT  a complaint about exactly this line must contain TEXT
//   code;  // mistake       experiments must find that a change of exactly this line helps
// The name of its folder is the verdict that it must get.
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
  bool not_final = false;
  std::vector<std::string> says{};
  std::vector<LineExpectation> lines{};
  std::vector<int> mistakes{};
};

// Fails if there is no score, if it is not a number of points or is stated twice, or if a text is
// empty. `file` names the source in the error.
Result<Expectation> ParseExpectation(std::string_view source, const std::string& file);

// Returns a sentence for each part of the expectation that the grade does not match.
std::vector<std::string> Unmet(const Expectation& expectation, const Grade& grade);

}  // namespace warpcheck
