// What an integer register holds, as a sum of products: however an index was worked out, the same
// index has the same sum. (row + i) * cols + col and row * cols + col + i * cols are one.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpcheck::similarity {

// Factors are names of what cannot be taken apart: "$tid.x", "$P#0" for a parameter, "div(...)". A
// '$' stands in what differs from thread to thread or from call to call, a '#' before what tells it
// from others of its kind. Arithmetic wraps at 64 bits; the widths and signs of registers are left
// out, because a change of type is a disguise. Sums of more than kMostTerms terms become "big".
class IndexValue {
 public:
  static constexpr std::size_t kMostTerms = 64;
  // A number that the compiler knows, but that differs from round to round of a loop, or from
  // line to line of one that was unrolled.
  static constexpr std::string_view kRound = "K";

  IndexValue() = default;  // 0
  static IndexValue Of(std::int64_t number);
  static IndexValue Of(std::string_view factor);

  IndexValue operator+(const IndexValue& other) const { return Plus(other, 1); }
  IndexValue operator-(const IndexValue& other) const { return Plus(other, -1); }
  IndexValue operator*(const IndexValue& other) const;
  IndexValue Divided(const IndexValue& by) const;  // sums that divide evenly, else "div(a,b)"
  // "name(a,b)"; of operations whose operands may be exchanged, sorted.
  static IndexValue Operation(std::string_view name, const std::vector<IndexValue>& operands);

  std::optional<std::int64_t> Number() const;  // where it is one
  // The part of the sum that has `factor` as its only factor: nothing where the sum names it
  // anywhere else.
  std::optional<std::int64_t> TimesOf(const std::string& factor) const;
  bool Names(std::string_view text) const;  // in any factor
  // Whether each factor is `factor`, kRound, or an operation on these and numbers.
  bool IsMadeOf(const std::string& factor) const;

  // With numbers; of what is added once a round, not how much. Parameters by their use, not by
  // their order.
  std::string Text() const { return TextBy(false); }
  // Without numbers, among which is a block's size: the same for each line of a loop that was
  // unrolled, for tiles of any size.
  std::string Shape() const;

  friend bool operator==(const IndexValue&, const IndexValue&) = default;

 private:
  struct Factor {
    std::string name;
    std::string shape;  // empty: it is a number

    friend auto operator<=>(const Factor&, const Factor&) = default;
  };
  using Factors = std::vector<Factor>;  // sorted

  IndexValue Plus(const IndexValue& other, std::int64_t times) const;
  void Add(const Factors& factors, std::int64_t times);
  std::string TextBy(bool order) const;  // `order`: with parameters by their order
  template <class Predicate>
  bool AllFactors(Predicate is) const;

  std::map<Factors, std::int64_t> terms_;  // none is 0 times
};

}  // namespace warpcheck::similarity
