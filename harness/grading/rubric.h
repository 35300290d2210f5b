// A rubric says what is graded, for how many points, and which tests prove it. It is a TOML file:
//
//   title = "Matrix transpose"
//   device = "gpu"                    # optional: a GPU judges alone
//   [compile]                         # optional, and so is each of its keys
//   standard = 20                     # the C++ standard: 17 or 20
//   flags = ["--extended-lambda"]     # flags of nvcc that compile/source/language.h offers
//   allow = ["standard", "mma.h"]     # the headers that submissions may include
//   forbid = ["libraries"]            # instead: those that they may not; default: none
//   [hints]                           # optional
//   give = "kind"                     # what a hint tells of a change that helps: see
//   docs/experiments.md
//   [[criterion]]
//   id = "right"                      # optional: by default it is made of the name
//   name = "Right for every shape"
//   points = 40                       # at most two decimals
//   tests = "*.MatchesReference/*"    # a pattern as in --gtest_filter, or a list of them
//   requires = "other-id"             # optional: an id or a list; all must be earned
//   partial = true                    # optional: points for the share of tests passed
//   hidden = true                     # optional: students see only that there are hidden tests
//
// A rubric in a student's bundle has no hidden criteria. It says instead how many points they
// carry: hidden_points = 20.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "compile/source/language.h"
#include "grading/points.h"
#include "results/experiment.h"

namespace warpcheck {

struct Criterion {
  std::string id;
  std::string name;
  Points points;
  std::vector<std::string> tests;
  std::vector<std::size_t> required;  // indices into Rubric::criteria; requirements have no cycles
  bool partial = false;
  bool hidden = false;

  bool Matches(std::string_view case_name) const;
};

struct Rubric {
  std::string title;
  bool gpu_judges = false;          // true if a GPU judges when no device is chosen
  Given given = Given::kKind;       // what students are told of a change that helps
  compile::Language language{};     // the language of submissions and the reference
  std::vector<Criterion> criteria;  // a rubric has at least one criterion
  Points hidden_points;             // the points of criteria that were left out of it (ForStudents)

  // Returns the points of the criteria, also of hidden ones.
  Points Total() const;
};

// Reads a rubric. Errors name `file`, line and column, and say what to do.
Result<Rubric> ParseRubric(std::string_view toml, const std::string& file);

// Returns the text of a rubric without its hidden criteria and, if it has some, without its
// comments.
std::string RubricForStudents(std::string_view toml);

}  // namespace warpcheck
