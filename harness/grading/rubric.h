// A rubric: what is graded, for how many points, and which tests prove it.
//
//   title = "Matrix transpose"
//   device = "gpu"                    # optional: a GPU judges alone, for what no emulator runs
//   [compile]                         # optional, as each of its keys
//   standard = 20                     # of C++: 17 or 20
//   flags = ["--extended-lambda"]     # of nvcc, of those that compile/language.h offers
//   allow = ["standard", "cuda_fp16.h"]   # what submissions may include; default: anything
//   [[criterion]]
//   id = "right"                      # optional: else made from the name
//   name = "Right for every shape"
//   points = 40                       # at most two decimals
//   tests = "*.MatchesReference/*"    # a pattern as in --gtest_filter, or a list of them
//   requires = "other-id"             # optional: an id or a list; where lost, this one is skipped
//   partial = true                    # optional: in shares of the tests passed, not all or nothing
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "compile/language.h"

namespace warpcheck {

// Points, exactly: an integer number of hundredths.

class Points {
 public:
  constexpr Points() = default;
  static constexpr Points FromHundredths(std::int64_t hundredths) { return Points(hundredths); }

  // From 0 to 1,000,000 with at most two decimals; nullopt for anything else.
  static std::optional<Points> FromNumber(double number);

  constexpr std::int64_t hundredths() const { return hundredths_; }
  double Number() const { return static_cast<double>(hundredths_) / 100; }

  // "40", "12.5", "0.25".
  std::string Text() const;

  // `part` / `whole` of these points, rounded down to a hundredth; `whole` is not 0.
  constexpr Points Share(std::int64_t part, std::int64_t whole) const {
    return Points(hundredths_ * part / whole);
  }

  constexpr Points& operator+=(Points other) {
    hundredths_ += other.hundredths_;
    return *this;
  }
  friend constexpr auto operator<=>(const Points&, const Points&) = default;

 private:
  explicit constexpr Points(std::int64_t hundredths) : hundredths_(hundredths) {}
  std::int64_t hundredths_ = 0;
};

// Patterns for test names, as in --gtest_filter.

// `*` is any text, `?` any one character.
bool GlobMatches(std::string_view pattern, std::string_view name);

// Globs joined by ':', then after a '-' those to leave out: "Shapes/*:Edges.*-*/1x1".
bool FilterMatches(std::string_view filter, std::string_view name);

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
