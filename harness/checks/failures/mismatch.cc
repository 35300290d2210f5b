#include "checks/failures/mismatch.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace warpcheck {
namespace {

// Returns whole numbers with commas, "1,310,720", and others as the shortest text that gives the
// value back. Zeros keep their sign.
template <class T>
std::string FloatText(T value) {
  constexpr double kMostWhole = 1e15;
  const double whole = std::trunc(static_cast<double>(value));
  if (value == 0 || whole != static_cast<double>(value) || std::abs(whole) >= kMostWhole) {
    // Marks denormal numbers, because some instructions treat them as zero.
    return fmt::format("{}{}", value, std::fpclassify(value) == FP_SUBNORMAL ? " (denormal)" : "");
  }
  return ValueText(static_cast<std::int64_t>(whole));
}

}  // namespace

void ChangedBox::Add(std::size_t index) {
  const std::vector<std::uint64_t> at = PlaceOf(extents_, index);
  for (std::size_t i = 0; i < at.size(); ++i) {
    sides_[i].first = std::min(sides_[i].first, at[i]);
    sides_[i].last = std::max(sides_[i].last, at[i]);
  }
}

bool ChangedBox::Holds(std::size_t index) const {
  const std::vector<std::uint64_t> at = PlaceOf(extents_, index);
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (at[i] < sides_[i].first || at[i] > sides_[i].last) return false;
  }
  return true;
}

bool ChangedBox::HasFrame() const {
  if (sides_.size() < 2) return false;
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    if (sides_[i].first > 0 && sides_[i].first <= sides_[i].last) return true;
  }
  return false;
}

void Mismatches::KnowKept(const ChangedBox& box, std::vector<SourceLocation> stores) {
  frame_ = box.HasFrame() && std::ranges::all_of(first_, [&](const Mismatch& mismatch) {
             return !mismatch.kept || !box.Holds(mismatch.index);
           });
  stores_ = std::move(stores);
  if (box.HasFrame() && map_.extents.size() == extents_.size()) map_.inner = box.Ranges();
}

void Mismatches::KnowGrids(const std::vector<LaunchedGrid>& grids) {
  // If other elements are wrong too, the grid is not all that is wrong.
  if (unwritten_ != wrong_ || unwritten_at_.size() != unwritten_) return;
  grid_ = GridTooSmall(grids, extents_, unwritten_at_);
}

std::string Mismatches::Line(const Mismatch& mismatch) const {
  const std::string got = mismatch.unwritten ? "never written" : "got " + mismatch.got;
  const char* const what = !mismatch.kept ? "expected"
                           : frame_       ? "in the frame, must stay"
                                          : "must stay";
  return fmt::format("{}: {} {}, {}", IndexText(extents_, mismatch.index), what, mismatch.expected,
                     got);
}

std::string Mismatches::Headline() const {
  if (unwritten_ == elements_) return "no element of the output was written";
  std::string count = fmt::format("{} of {} {} wrong", Grouped(wrong_),
                                  Counted(elements_, "element"), wrong_ == 1 ? "is" : "are");
  if (unwritten_ > 0 && unwritten_ == wrong_) {
    count += unwritten_ == 1 ? " (it was never written)" : " (all of them were never written)";
  } else if (unwritten_ > 0) {
    count += fmt::format(" ({} never written)", Grouped(unwritten_));
  }
  if (kept_ > 0) {
    const std::string whose = kept_ == wrong_ ? "" : Grouped(kept_) + " of them ";
    count += frame_ ? fmt::format(", {}in the frame, which must stay as it was", whose)
                    : fmt::format(", {}where nothing should change", whose);
  }
  return fmt::format("{}; first {}", count, Line(first_.front()));
}

ComplaintId Mismatches::IdFor(const Explanation& cause) const {
  using enum ComplaintKind;
  if (grid_) return kGridTooSmall;
  if (!cause.notes.empty()) return {kWrongElements, std::string(Name(cause.notes.front().kind))};
  if (unwritten_ == elements_) return kNothingWritten;
  if (unwritten_ == wrong_) return kUnwrittenElements;
  return kept_ == wrong_ ? kKeptElements : kWrongElements;
}

// Names the line that wrote elements which must not change, if only one line can have written them.
void Mismatches::BlameStore(CaseFailure& failure) const {
  Complaint& complaint = failure.complaint;
  if (frame_) {
    complaint.hint =
        "write only to the inner cells: let the index begin after the frame, and guard the store "
        "so that it ends before the frame";
  }
  if (stores_.size() != 1) return;
  complaint.message += fmt::format("\n  note: line {} stores it: no other line writes to arrays",
                                   stores_.front().line);
  if (!complaint.where.known()) complaint.where = stores_.front();
}

// If a cause is known, the message names it first, and then what is wrong because of it.
bool Mismatches::Explain(const Explanation& cause, const std::string& claim,
                         testing::MatchResultListener* listener) const {
  if (wrong_ == 0) return true;
  if (!listener->IsInterested()) return false;
  CaseFailure failure =
      MakeFailure(IdFor(cause), Verdict::kFailed, Headline(), cause.hint, cause.where);
  std::string& message = failure.complaint.message;
  if (!cause.notes.empty()) {
    // The complaint has the place of the first note that has one.
    const Explanation::Note& first = cause.notes.front();
    message = fmt::format("{}\n  as a result, {}",
                          first.where == cause.where ? first.message : first.Text(), message);
  }
  if (!grid_) failure.complaint.call = cause.function;
  if (grid_) {
    message = fmt::format("{}\n  as a result, {}", grid_->message, message);
    failure.complaint.hint = grid_->hint;
    failure.complaint.where = grid_->where;
  }
  for (std::size_t i = 1; i < first_.size(); ++i) message += "\n  " + Line(first_[i]);
  if (wrong_ > first_.size()) {
    message += fmt::format("\n  and {} more", Grouped(wrong_ - first_.size()));
  }
  for (std::size_t i = 1; i < cause.notes.size(); ++i) {
    message += "\n  note: " + cause.notes[i].Text();
  }
  if (!cause.doubt.empty() && !grid_)
    message += "\n  this line may be the cause: it " + cause.doubt;
  if (kept_ > 0 && cause.notes.empty()) BlameStore(failure);
  failure.complaint.wrong_result = cause.notes.empty();
  failure.complaint.map = map_;
  failure.complaint.map->first_wrong = first_.front().index;
  failure.complaint.map->first = Line(first_.front());
  *listener << "which is not what " << claim << " asks for: ";
  return warpcheck::Explain({std::move(failure)}, listener);
}

bool ExplainSizes(std::size_t expected, std::size_t got, testing::MatchResultListener* listener) {
  return Explain({MakeFailure(ComplaintKind::kChecksFault, Verdict::kHarnessFault,
                              fmt::format("the checks compare {} with {} expected ones",
                                          Counted(got, "element"), Grouped(expected)))},
                 listener);
}

std::string ValueText(float value) {
  if (std::isnan(value)) return fmt::format("nan (0x{:08x})", std::bit_cast<std::uint32_t>(value));
  return FloatText(value);
}

std::string ValueText(double value) {
  if (std::isnan(value)) return fmt::format("nan (0x{:016x})", std::bit_cast<std::uint64_t>(value));
  return FloatText(value);
}

std::string LeewayText(double error) { return error == 0 ? "" : fmt::format(" +- {:.2g}", error); }

std::string BoundText(double absolute, double relative) {
  return fmt::format("an error of {} + {} * |expected|", absolute, relative);
}

}  // namespace warpcheck
