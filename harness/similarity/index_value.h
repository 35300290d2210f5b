// An IndexValue is the value of an integer register as a sum of products. However an index was
// computed, the same index has the same sum: (row + i) * cols + col and row * cols + col + i * cols
// are equal.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpcheck::similarity {

// Factors are the names of values that cannot be analysed further: "$tid.x", "$P#0" for a
// parameter, "div(...)". A '$' begins names whose value differs from thread to thread or from call
// to call; a '#' comes before the number that distinguishes values of one kind. Arithmetic wraps at
// 64 bits. The widths and signs of registers are ignored, because changing a type is a disguise. A
// sum of more than kMostTerms terms becomes "big".
class IndexValue {
 public:
  static constexpr std::size_t kMostTerms = 64;
  // A number that the compiler knows, but that differs between the rounds of a loop, or between the
  // copies of an unrolled loop.
  static constexpr std::string_view kRound = "K";

  IndexValue() = default;  // the value 0
  static IndexValue Of(std::int64_t number);
  static IndexValue Of(std::string_view factor);

  IndexValue operator+(const IndexValue& other) const { return Plus(other, 1); }
  IndexValue operator-(const IndexValue& other) const { return Plus(other, -1); }
  IndexValue operator*(const IndexValue& other) const;
  // Divides sums that divide evenly; otherwise the result is "div(a,b)".
  IndexValue Divided(const IndexValue& by) const;
  // Returns "name(a,b)", with its operands sorted if their order does not matter.
  static IndexValue Operation(std::string_view name, const std::vector<IndexValue>& operands);

  std::optional<std::int64_t> Number() const;  // without a value if it is not a number
  // Returns the coefficient of the term whose only factor is `factor`. Returns nothing if another
  // term contains this factor too.
  std::optional<std::int64_t> TimesOf(const std::string& factor) const;
  bool Names(std::string_view text) const;  // true if any factor contains the text
  // Returns true if each factor is `factor`, kRound, or an operation on these and numbers.
  bool IsMadeOf(const std::string& factor) const;

  // Returns the sum with its numbers, but without the amount that a loop adds in each round.
  // Parameters are ordered by their use.
  std::string Text() const { return TextBy(false); }
  // Returns the sum without numbers and block sizes. It is the same for each line of an
  // unrolled loop, and for tiles of any size.
  std::string Shape() const;

  friend bool operator==(const IndexValue&, const IndexValue&) = default;

 private:
  struct Factor {
    std::string name;
    std::string shape;  // the shape of the factor; empty for a number

    friend auto operator<=>(const Factor&, const Factor&) = default;
  };
  using Factors = std::vector<Factor>;  // sorted

  IndexValue Plus(const IndexValue& other, std::int64_t times) const;
  void Add(const Factors& factors, std::int64_t times);
  std::string TextBy(bool order) const;  // if `order` is true, parameters keep their numbers
  template <class Predicate>
  bool AllFactors(Predicate is) const;

  std::map<Factors, std::int64_t> terms_;  // no coefficient is 0
};

}  // namespace warpcheck::similarity
