// Describes the wrong elements that the matchers of compare.h find.
#pragma once

#include <gmock/gmock.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/text.h"
#include "checks/failures/grid_hint.h"
#include "results/result_map.h"
#include "trial/array.h"
#include "trial/case_log.h"

namespace warpcheck {

struct Mismatch {
  std::size_t index = 0;
  std::string expected;
  std::string got;
  bool unwritten = false;  // true if it still holds the bytes of Assignment::Unwritten
  bool kept = false;       // true if it must keep the value that it had before the call
};

// Box is the smallest box of an array that holds all elements that a call must change.
class ChangedBox {
 public:
  explicit ChangedBox(const Extents& extents)
      : extents_(extents), sides_(extents.size(), {.first = ~std::uint64_t{0}, .last = 0}) {}

  void Add(std::size_t index);
  bool Holds(std::size_t index) const;
  // Returns whether the elements outside of the box form a frame: the array has several dimensions,
  // and the box does not reach the edge on some side.
  bool HasFrame() const;
  // Returns the first and last index of the box in each dimension.
  std::vector<ResultMap::Range> Ranges() const { return sides_; }

 private:
  const Extents& extents_;
  std::vector<ResultMap::Range> sides_;  // first > last while the box is empty
};

// Mismatches collects the wrong elements of an array, and describes them.
class Mismatches {
 public:
  Mismatches(const Extents& extents, std::size_t elements)
      : extents_(extents), elements_(elements) {}

  void Count(std::size_t index, bool unwritten, bool kept) {
    if (wrong_++ == 0) map_ = MapOf(extents_);
    Mark(map_, index, unwritten ? ResultMap::kUnwritten : ResultMap::kWrong);
    unwritten_ += unwritten ? 1 : 0;
    if (unwritten && unwritten_at_.size() < kMostKept) unwritten_at_.push_back(index);
    kept_ += kept ? 1 : 0;
  }
  bool empty() const { return wrong_ == 0; }
  // Sets the box of the elements that the call must change, and the lines that store to global
  // memory. The description uses them to explain elements that must not change but did.
  void KnowKept(const ChangedBox& box, std::vector<SourceLocation> stores);
  // Explains elements that were never written by the grids of the call, if one of them has no
  // threads for them.
  void KnowGrids(const std::vector<LaunchedGrid>& grids);
  // Returns true for the first few mismatches, which are described one by one.
  bool WantsMore() const { return first_.size() < 6; }
  void Add(Mismatch mismatch) { first_.push_back(std::move(mismatch)); }

  // Returns true if there is no mismatch. Otherwise adds a failure to the case log, and writes its
  // text to the listener if the listener wants it. `claim` says which result was expected.
  bool Explain(const Explanation& cause, const std::string& claim,
               testing::MatchResultListener* listener) const;

 private:
  std::string Headline() const;
  ComplaintId IdFor(const Explanation& cause) const;
  std::string Line(const Mismatch& mismatch) const;
  void BlameStore(CaseFailure& failure) const;

  const Extents& extents_;
  std::size_t elements_;
  std::size_t wrong_ = 0;
  std::size_t unwritten_ = 0;
  std::size_t kept_ = 0;
  static constexpr std::size_t kMostKept = std::size_t{1} << 22;
  std::vector<std::size_t> unwritten_at_;  // the first kMostKept of them, sorted
  std::optional<GridHint> grid_;
  bool frame_ = false;
  std::vector<SourceLocation> stores_;
  std::vector<Mismatch> first_;
  ResultMap map_;  // shows where the wrong elements are; made at the first of them
};

// Reports that the expected array has another size, which is a fault of the checks. Returns false.
bool ExplainSizes(std::size_t expected, std::size_t got, testing::MatchResultListener* listener);

// Returns the shortest text that gives the value back. NaN is shown with its bits, and denormal
// numbers are marked.
std::string ValueText(float value);
std::string ValueText(double value);
template <std::integral T>
std::string ValueText(T value) {
  const auto size = static_cast<std::uint64_t>(value);
  return value < T{0} ? "-" + Grouped(~size + 1) : Grouped(size);
}

// Returns the allowed error, which follows a value: " +- 1.2e-07"; empty for 0.
std::string LeewayText(double error);

// Returns "an error of 1e-06 + 1e-05 * |expected|".
std::string BoundText(double absolute, double relative);

// Returns whether every byte is 0xFF.
template <class T>
bool IsUnwritten(const T& value) {
  return IsUnset(std::as_bytes(std::span(&value, 1)));
}

}  // namespace warpcheck
