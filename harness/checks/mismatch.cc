#include "checks/mismatch.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "checks/docket.h"
#include "checks/text.h"

namespace warpcheck {
namespace {

constexpr std::size_t kShown = 6;

std::string Line(const Extents& extents, const Mismatch& mismatch) {
  const std::string got = mismatch.unwritten ? "never written" : "got " + mismatch.got;
  return fmt::format("{}: expected {}, {}", IndexText(extents, mismatch.index), mismatch.expected,
                     got);
}

// Numbers that some instructions take for zero are called what they are.
template <class T>
std::string NumberText(T value) {
  return fmt::format("{}{}", value, std::fpclassify(value) == FP_SUBNORMAL ? " (denormal)" : "");
}

}  // namespace

bool Mismatches::WantsMore() const { return first_.size() < kShown; }

std::string Mismatches::Headline() const {
  if (unwritten_ == elements_) return "no element of the output was written";
  const std::string count = fmt::format("{} of {} {} wrong", Grouped(wrong_),
                                        Counted(elements_, "element"), wrong_ == 1 ? "is" : "are");
  std::string never;
  if (unwritten_ > 0 && unwritten_ == wrong_) {
    never = unwritten_ == 1 ? " (it was never written)" : " (all of them were never written)";
  } else if (unwritten_ > 0) {
    never = fmt::format(" ({} never written)", Grouped(unwritten_));
  }
  return fmt::format("{}{}; first {}", count, never, Line(extents_, first_.front()));
}

bool Mismatches::Explain(const std::vector<std::string>& notes, const SourceLocation& where,
                         const std::string& claim, testing::MatchResultListener* listener) const {
  if (wrong_ == 0) return true;
  if (!listener->IsInterested()) return false;
  Charge charge = Charged(Verdict::kFailed, Headline(), {}, where);
  std::string& message = charge.complaint.message;
  for (std::size_t i = 1; i < first_.size(); ++i) message += "\n  " + Line(extents_, first_[i]);
  if (wrong_ > first_.size()) {
    message += fmt::format("\n  and {} more", Grouped(wrong_ - first_.size()));
  }
  for (const std::string& note : notes) message += "\n  note: " + note;
  *listener << "which is not what " << claim << " asks for: " << ExplanationOf({charge});
  Docket::Current().Add(std::move(charge));
  return false;
}

bool ExplainSizes(std::size_t expected, std::size_t got, testing::MatchResultListener* listener) {
  if (!listener->IsInterested()) return false;
  Charge charge =
      Charged(Verdict::kHarnessFault, fmt::format("the checks compare {} with {} expected ones",
                                                  Counted(got, "element"), Grouped(expected)));
  *listener << charge.complaint.message;
  Docket::Current().Add(std::move(charge));
  return false;
}

std::string ValueText(float value) {
  if (std::isnan(value)) return fmt::format("nan (0x{:08x})", std::bit_cast<std::uint32_t>(value));
  return NumberText(value);
}

std::string ValueText(double value) {
  if (std::isnan(value)) return fmt::format("nan (0x{:016x})", std::bit_cast<std::uint64_t>(value));
  return NumberText(value);
}

std::string ValueText(std::int64_t value) { return std::to_string(value); }
std::string ValueText(std::uint64_t value) { return std::to_string(value); }

std::string LeewayText(double error) { return error == 0 ? "" : fmt::format(" +- {:.2g}", error); }

std::string BoundText(double absolute, double relative) {
  return fmt::format("an error of {} + {} * |expected|", absolute, relative);
}

}  // namespace warpcheck
