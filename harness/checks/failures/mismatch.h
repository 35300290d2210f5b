// The account of wrong elements that the matchers of compare.h give.
#pragma once

#include <gmock/gmock.h>

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/text.h"
#include "results/result_map.h"
#include "trial/array.h"
#include "trial/case_log.h"

namespace warpcheck {

struct Mismatch {
  std::size_t index = 0;
  std::string expected;
  std::string got;
  bool unwritten = false;  // still holds the bytes of Assignment::Unwritten
  bool kept = false;       // has to hold what it held before the call
};

// The smallest box of an array that holds the elements which a call has to change.
class ChangedBox {
 public:
  explicit ChangedBox(const Extents& extents)
      : extents_(extents), sides_(extents.size(), {.first = ~std::uint64_t{0}, .last = 0}) {}

  void Add(std::size_t index);
  bool Holds(std::size_t index) const;
  // Of an array of several dimensions whose box leaves room at a side: what lies outside is a
  // frame.
  bool HasFrame() const;
  // First and last element, of each dimension.
  std::vector<ResultMap::Range> Ranges() const { return sides_; }

 private:
  const Extents& extents_;
  std::vector<ResultMap::Range> sides_;  // first > last: it holds nothing
};

// What may explain wrong elements: see Values.
struct Explanation {
  const std::vector<std::string>& notes;
  const SourceLocation& where;
  const std::string& hint;
};

class Mismatches {
 public:
  Mismatches(const Extents& extents, std::size_t elements)
      : extents_(extents), elements_(elements) {}

  void Count(std::size_t index, bool unwritten, bool kept) {
    if (wrong_++ == 0) map_ = MapOf(extents_);
    Mark(map_, index, unwritten ? ResultMap::kUnwritten : ResultMap::kWrong);
    unwritten_ += unwritten ? 1 : 0;
    kept_ += kept ? 1 : 0;
  }
  bool empty() const { return wrong_ == 0; }
  // Where what has to stay as it was lies: around that box, or not; and the lines of the kernels
  // that store to global memory.
  void KnowKept(const ChangedBox& box, std::vector<SourceLocation> stores);
  // True for the first few, which are described one by one.
  bool WantsMore() const { return first_.size() < 6; }
  void Add(Mismatch mismatch) { first_.push_back(std::move(mismatch)); }

  // True without any mismatch. Otherwise, where the listener wants to know, the case log gets a
  // charge and the listener its text. `claim` says what was asked for.
  bool Explain(const Explanation& cause, const std::string& claim,
               testing::MatchResultListener* listener) const;

 private:
  std::string Headline() const;
  std::string Line(const Mismatch& mismatch) const;
  void BlameStore(Charge& charge) const;

  const Extents& extents_;
  std::size_t elements_;
  std::size_t wrong_ = 0;
  std::size_t unwritten_ = 0;
  std::size_t kept_ = 0;
  bool frame_ = false;
  std::vector<SourceLocation> stores_;
  std::vector<Mismatch> first_;
  ResultMap map_;  // where any is
};

// False; explains that the expected array is of another size, a fault of the checks.
bool ExplainSizes(std::size_t expected, std::size_t got, testing::MatchResultListener* listener);

// Shortest text that gives the value back; NaN with its bits, denormal numbers called so.
std::string ValueText(float value);
std::string ValueText(double value);
template <std::integral T>
std::string ValueText(T value) {
  const auto size = static_cast<std::uint64_t>(value);
  return value < T{0} ? "-" + Grouped(~size + 1) : Grouped(size);
}

// " +- 1.2e-07", empty for 0: behind a value that need not be met exactly.
std::string LeewayText(double error);

// "an error of 1e-06 + 1e-05 * |expected|".
std::string BoundText(double absolute, double relative);

// True where every byte is 0xFF.
template <class T>
bool IsUnwritten(const T& value) {
  return IsUnset(std::as_bytes(std::span(&value, 1)));
}

}  // namespace warpcheck
