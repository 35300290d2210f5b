// A rubric: what is graded, for how many points, and which tests prove it.
//
//   title = "Matrix transpose"
//   device = "gpu"                    # optional: a GPU judges alone, for what no emulator runs
//   [compile]                         # optional, as each of its keys
//   standard = 20                     # of C++: 17 or 20
//   flags = ["--extended-lambda"]     # of nvcc, of those that compile/source/language.h offers
//   allow = ["standard", "cuda_fp16.h"]   # what submissions may include; default: anything
//   [[criterion]]
//   id = "right"                      # optional: else made from the name
//   name = "Right for every shape"
//   points = 40                       # at most two decimals
//   tests = "*.MatchesReference/*"    # a pattern as in --gtest_filter, or a list of them
//   requires = "other-id"             # optional: an id or a list; where lost, this one is skipped
//   partial = true                    # optional: in shares of the tests passed, not all or nothing
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "compile/source/language.h"
#include "grading/points.h"

namespace warpcheck {

struct Criterion {
  std::string id;
  std::string name;
  Points points;
  std::vector<std::string> tests;
  std::vector<std::size_t> required;  // indices into Rubric::criteria; without cycles
  bool partial = false;

  bool Matches(std::string_view case_name) const;
};

struct Rubric {
  std::string title;
  bool gpu_judges = false;          // where nobody asks for another device
  compile::Language language{};     // of submissions and the reference
  std::vector<Criterion> criteria;  // at least one

  Points Total() const;
};

// `file` names the text in errors, which carry line and column and say what to do.
Result<Rubric> ParseRubric(std::string_view toml, const std::string& file);

}  // namespace warpcheck
