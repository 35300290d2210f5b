// A Formula is arithmetic of a lab.toml: "(n + 255) / 256" or "100 * global_sectors_ideal /
// global_sectors". It has numbers, names, + - * / %, parentheses, and the functions min(a, b),
// max(a, b) and ceil(a, b), which is the quotient rounded up.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace warpcheck::lab {

// The values of names. A name without a value was not measured.
using Values = std::map<std::string, std::optional<double>, std::less<>>;

// Says what "/" gives: a whole number, as for sizes, or a real one, as for ratios.
enum class Division : std::uint8_t { kWhole, kReal };

class Formula {
 public:
  // The formula is 0.
  Formula() : text_("0"), steps_{{.kind = Step::kNumber}} {}
  // The error says at which text the formula is wrong. `where` is the place of the text in a file.
  static Result<Formula> Parse(std::string_view text, SourceLocation where = {});

  const std::string& text() const { return text_; }
  const SourceLocation& where() const { return where_; }
  // Returns the names that the formula uses.
  std::vector<std::string> Names() const;

  // Returns nothing if a name has no value, or if the formula divides by zero or is too large.
  std::optional<double> ValueFor(const Values& values, Division division) const;

 private:
  friend class FormulaParser;
  // The steps are in postfix order.
  struct Step {
    enum Kind : std::uint8_t {
      kNumber,
      kName,
      kAdd,
      kSubtract,
      kMultiply,
      kDivide,
      kRemainder,
      kMin,
      kMax,
      kCeil
    };
    Kind kind = kNumber;
    double number = 0;
    std::string name{};
  };
  static std::optional<double> Apply(Step::Kind kind, double a, double b, Division division);

  std::string text_;
  SourceLocation where_;
  std::vector<Step> steps_;
};

// Returns true if formulas can use the name: it has letters, digits and '_', begins with a letter,
// and is no function.
bool IsFormulaName(std::string_view name);

}  // namespace warpcheck::lab
