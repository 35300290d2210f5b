#include "checks/assignment.h"

#include <fmt/format.h>
#include <gtest/gtest-spi.h>

#include <utility>

#include "trial/case_log.h"

namespace warpcheck {
namespace {

// "2nd"; calls in turn are few.
std::string Ordinal(std::size_t number) {
  const char* const endings[] = {"th", "st", "nd", "rd"};
  return fmt::format("{}{}", number, number < 4 ? endings[number] : "th");
}

constexpr char kStateHint[] =
    "something is kept from one call to the next: a static or global variable, a __device__ or "
    "__constant__ variable, memory that an earlier call allocated, a pointer or a result of it; "
    "let each call set whatever its kernels use";

}  // namespace

const Trial& Assignment::JudgeInTurn(const std::vector<Trial>& trials) {
  trials_ = &trials;
  judged_ = &trials.front();
  return *judged_;
}

std::vector<Charge> Assignment::ChargesOf(const Trial& trial) {
  const Trial* const before = std::exchange(judged_, &trial);
  testing::TestPartResultArray parts;
  {
    const testing::ScopedFakeTestPartResultReporter quiet(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &parts);
    TestBody();
  }
  judged_ = before;
  std::vector<Charge> charges = CaseLog::Current().Take();
  for (int i = 0; i < parts.size() && charges.empty(); ++i) {
    const testing::TestPartResult& part = parts.GetTestPartResult(i);
    if (part.failed()) charges.push_back(Charged(Verdict::kFailed, part.message()));
  }
  return charges;
}

// A call that is wrong on its own as well is no matter of what came before it.
bool Assignment::JudgeLater(const Trial& trial) {
  std::vector<Charge> charges = ChargesOf(trial);
  if (charges.empty()) return true;
  const Trial* const before = std::exchange(judged_, &trial);  // whose limits, whose name
  const std::string name = NameOfCall();
  const bool judged_elsewhere = HasCaseOfItsOwn();
  const Trial& alone = Session::Current().CallAlone(trial.plan, Limits(), trial.other_data);
  judged_ = before;
  if (std::vector<Charge> own = ChargesOf(alone); !own.empty()) {
    if (judged_elsewhere) return true;
    charges = std::move(own);
  } else {
    for (Charge& charge : charges) {
      charge.complaint.message =
          fmt::format("right in its first call, wrong in the {} call in the same process{}: {}",
                      Ordinal(trial.earlier_calls + 1), name.empty() ? "" : " (" + name + ")",
                      charge.complaint.message);
      charge.complaint.hint = kStateHint;
    }
  }
  const std::string text = ExplanationOf(charges);
  for (Charge& charge : charges) CaseLog::Current().Add(std::move(charge));
  ADD_FAILURE() << text;
  return false;
}

void Assignment::TearDown() {
  if (trials_ == nullptr || HasFailure() || IsSkipped()) return;
  for (std::size_t later = 1; later < trials_->size(); ++later) {
    if (!JudgeLater((*trials_)[later])) return;
  }
}

std::string Assignment::TrialName() const { return RunningCase(); }

Random& Assignment::Generator() {
  if (!generator_) generator_.emplace(Session::Current().seed(), TrialName());
  return *generator_;
}

}  // namespace warpcheck
