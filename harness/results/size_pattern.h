// Finds out which sizes a program is wrong for, by the numbers in the names of tests.
#pragma once

#include <string>
#include <vector>

#include "results/results.h"

namespace warpcheck {

// A test that a program passed or failed.
struct SizedTest {
  std::string name;  // such as "616x5x420"
  bool right = false;
};

// Returns what the right tests have in common and no wrong test has, for people: "right in
// the 5 tests whose names have this: the 3rd number is a multiple of 16; wrong in the 14 others".
// Returns an empty text if there is no such simple rule, or if there are fewer than three tests of
// each kind.
std::string SizePattern(const std::vector<SizedTest>& tests);

// Adds the pattern of the tests of each kind to the first complaint of them, if each was passed, or
// failed for a wrong result for which no line is known.
void AddSizePatterns(ChecksReport& report);

}  // namespace warpcheck
