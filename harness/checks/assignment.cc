#include "checks/assignment.h"

#include <fmt/format.h>
#include <gtest/gtest-spi.h>

#include <algorithm>
#include <map>
#include <utility>

#include "checks/failures/dump_log.h"
#include "trial/case_log.h"

namespace warpcheck {
namespace {

// Returns "2nd" for 2. Handles only small numbers, as the numbers of calls are.
std::string Ordinal(std::size_t number) {
  const char* const endings[] = {"th", "st", "nd", "rd"};
  return fmt::format("{}{}", number, number < 4 ? endings[number] : "th");
}

constexpr char kWaitHint[] =
    "the work of the call before still runs when the next call begins: wait for it before you "
    "return, by cudaStreamSynchronize() for each of your streams, or by cudaDeviceSynchronize()";

constexpr char kStateHint[] =
    "the function keeps something from one call to the next: a static or global variable, a "
    "__device__ or __constant__ variable, or memory or a pointer of an earlier call. Each call "
    "must set everything that its kernels use";

// Returns the hint for what fails in a later call, but neither in the first call nor in a call
// alone. Two operations that nothing orders are then of different calls.
std::string LaterHint(const Complaint& complaint) {
  using enum FindingKind;
  constexpr FindingKind kOfOrder[] = {kUnorderedUse, kEarlyHostUse, kUnfinishedCopy,
                                      kUnfinishedKernel};
  const bool unordered = std::ranges::any_of(
      kOfOrder, [&](FindingKind kind) { return complaint.kind == ComplaintKindOf(kind); });
  return unordered ? kWaitHint : kStateHint;
}

}  // namespace

const Trial& Assignment::JudgeInTurn(const std::vector<Trial>& trials) {
  trials_ = &trials;
  judged_ = &trials.front();
  return *judged_;
}

std::vector<CaseFailure> Assignment::FailuresOf(const Trial& trial,
                                                const std::function<void()>& judge) {
  const Trial* const before = std::exchange(judged_, &trial);
  testing::TestPartResultArray parts;
  std::string stopped;  // what ended the body, if it did not come to its end
  {
    const testing::ScopedFakeTestPartResultReporter quiet(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &parts);
    try {
      judge();
    } catch (const CaseStopped& stop) {
      stopped = stop.what();
    }
  }
  judged_ = before;
  const std::vector<CaseFailure> all = CaseLog::Current().Take();
  std::vector<CaseFailure> failures;
  for (int i = 0; i < parts.size(); ++i) {
    const testing::TestPartResult& part = parts.GetTestPartResult(i);
    if (!part.failed()) continue;
    for (CaseFailure& failure : ReportedIn(part, all, Verdict::kFailed)) {
      if (std::ranges::find(failures, failure) == failures.end()) {
        failures.push_back(std::move(failure));
      }
    }
  }
  for (const CaseFailure& failure : all) {
    const bool told = std::ranges::find(failures, failure) != failures.end();
    if (!stopped.empty() && failure.complaint.message == stopped && !told) {
      failures.push_back(failure);
    }
  }
  return failures;
}

std::string Assignment::RunningSuite() {
  return testing::UnitTest::GetInstance()->current_test_suite()->name();
}

bool Assignment::SharesTrials(const std::string& key, bool made, const Plan& plan,
                              const std::function<Plan()>& plan_of_suite) {
  static std::map<std::pair<std::string, std::string>, bool> known;  // by key and suite
  const auto [answer, asked] = known.try_emplace({key, RunningSuite()}, made);
  if (asked && !made) answer->second = SameCall(plan, plan_of_suite());
  return answer->second;
}

// Judges a later call. If the call also fails when it is made alone, earlier calls are not the
// cause.
bool Assignment::JudgeLater(const Trial& trial) {
  std::vector<CaseFailure> failures = FailuresOf(trial, [this] { TestBody(); });
  if (failures.empty()) return true;
  // Limits() and NameOfCall() read judged_
  const Trial* const before = std::exchange(judged_, &trial);
  const std::string name = NameOfCall();
  const bool judged_elsewhere = HasCaseOfItsOwn();
  const Trial& alone = Session::Current().CallAlone(trial.plan, Limits(), trial.other_data);
  judged_ = before;
  // The arrays of the call are written already.
  const DumpLog::Pause pause;
  if (std::vector<CaseFailure> own = FailuresOf(alone, [this] { TestBody(); }); !own.empty()) {
    if (judged_elsewhere) return true;
    failures = std::move(own);
  } else {
    for (CaseFailure& failure : failures) {
      failure.complaint.message =
          fmt::format("the first call is right, but the {} call in the same process is wrong{}: {}",
                      Ordinal(trial.earlier_calls + 1), name.empty() ? "" : " (" + name + ")",
                      failure.complaint.message);
      failure.complaint.hint = LaterHint(failure.complaint);
      failure.complaint.about += " in a later call";
    }
  }
  const std::string text = ExplanationOf(failures);
  for (CaseFailure& failure : failures) CaseLog::Current().Add(std::move(failure));
  ADD_FAILURE() << text;
  return false;
}

void Assignment::TearDown() {
  if (trials_ == nullptr || HasFailure() || IsSkipped()) return;
  for (std::size_t later = 1; later < trials_->size(); ++later) {
    if (!JudgeLater((*trials_)[later])) return;
  }
}

SpeedMeasurement Assignment::Timed(
    const std::function<SpeedTest::PlanPointer(const std::string&)>& plan,
    const std::function<void(const Trial&)>& judge) {
  CallTimer* const timer = CallTimer::Current();
  if (timer == nullptr) {
    return {.why_not = "This needs a GPU, and the reference on the same machine"};
  }
  const DumpLog::Pause pause;  // arrays of timed calls are too large to keep
  return MeasureSpeed(*timer, {.plan = plan, .limits = Limits(), .judge = [&](const Trial& trial) {
                                 return FailuresOf(trial, [&] { judge(trial); });
                               }});
}

std::string Assignment::TrialName() const { return RunningCase(); }

int Assignment::FirstKind() const {
  Random random(Session::Current().seed(), "kinds of " + TrialName());
  return random.Ints(1, 0, kDataKinds - 1).front();
}

Assignment::DataKind Assignment::Kind() {
  has_kinds_ = true;
  constexpr int kLeast = -30;
  Random random(Session::Current().seed(), "size of numbers of " + TrialName());
  const int smaller = random.Ints(1 + static_cast<std::size_t>(turn_), kLeast, -1).back();
  switch ((FirstKind() + turn_) % kDataKinds) {
    case 0:
      return {.all_digits = true, .exponent = 0};
    case 1:
      return {.all_digits = false, .exponent = smaller};
    default:
      return {.all_digits = true, .exponent = smaller};
  }
}

Random& Assignment::Generator() {
  if (!generator_) generator_.emplace(Session::Current().seed(), TrialName());
  return *generator_;
}

}  // namespace warpcheck
