// What a test submission says of itself, in comments:
//   // score: 60          the points that it must get; 0 if it does not say
//   // says: TEXT         a complaint that holds TEXT, anywhere
//   code;  // expect: TEXT  a complaint about exactly this line that holds TEXT
// Its folder is the verdict that it must get.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace warpcheck::submissions {

struct LineExpectation {
  int line = 0;
  std::string text;

  friend bool operator==(const LineExpectation&, const LineExpectation&) = default;
};

struct Expectation {
  double score = 0;
  std::vector<std::string> says;
  std::vector<LineExpectation> lines;
};

Expectation ParseExpectation(std::string_view source);

// What of the expectation the report (warpcheck's JSON) does not hold; empty if all is as expected.
std::vector<std::string> Unmet(const Expectation& expectation, std::string_view verdict,
                               const nlohmann::json& report);

}  // namespace warpcheck::submissions
