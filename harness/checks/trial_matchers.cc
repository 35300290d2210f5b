#include "checks/trial_matchers.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "checks/failures/finding_failure.h"
#include "device/finding.h"
#include "provenance/objection.h"
#include "trial/devices/trial_log.h"
#include "trial/ending.h"

namespace warpcheck {
namespace {

constexpr std::size_t kMaxFailures = 5;

// Returns whether the mistake may cause others, because it overwrites data or does not write data
// that other threads use.
bool MayCauseOthers(FindingKind kind) {
  return IsOutOfBounds(kind) &&
         !IsOneOf(kind, FindingKind::kOutOfBoundsRead, FindingKind::kFrameStore);
}

bool IsBrokenBarrier(FindingKind kind) {
  return IsOneOf(kind, FindingKind::kBarrierDivergence, FindingKind::kBarrierNotReached);
}

// Returns whether `finding` may follow from `cause`. A thread that is outside of its array may
// write what others use, and a barrier that threads miss orders nothing for them.
bool MayFollow(const Finding& finding, const Finding& cause) {
  using enum FindingKind;
  if (IsBrokenBarrier(cause.kind)) {
    return finding.kernel == cause.kernel &&
           IsOneOf(finding.kind, kSharedRace, kUninitialisedUse, kAsyncCopyRace);
  }
  return MayCauseOthers(cause.kind) && IsOneOf(finding.kind, kSharedRace, kGlobalRace,
                                               kUninitialisedUse, kInvalidFree, kUnorderedUse);
}

// Returns the failure of a finding that may follow from another one.
CaseFailure AfterCause(const Finding& finding, const Finding& cause) {
  CaseFailure failure = FailureFor(finding);
  failure.complaint.message += fmt::format(
      "\n  this may be a consequence of the {}{}: correct that first",
      IsBrokenBarrier(cause.kind) ? "barrier that not all threads reach" : "access out of bounds",
      cause.where.known() ? fmt::format(" in line {}", cause.where.line) : std::string());
  failure.complaint.hint.clear();
  return failure;
}

// Says which findings of a kernel to read first: an access out of bounds, a barrier that threads
// miss, an element that one line writes twice, other races, and then all others, such as memory
// that nothing has written.
int RankOf(const Finding& finding) {
  using enum FindingKind;
  if (MayCauseOthers(finding.kind)) return 0;
  if (IsBrokenBarrier(finding.kind)) return 1;
  if (finding.kind == kGlobalRace) return finding.where == finding.other ? 2 : 3;
  if (finding.kind == kSharedRace) return 3;
  return 4;
}

// Puts the findings of each kernel into the order of RankOf. The kernels stay in the order in which
// they ran, and so do findings outside of kernels.
void OrderByCause(std::vector<Finding>& findings) {
  std::vector<std::string_view> kernels;
  for (const Finding& finding : findings) {
    if (std::ranges::find(kernels, finding.kernel) == kernels.end()) {
      kernels.push_back(finding.kernel);
    }
  }
  std::vector<Finding> ordered;
  for (const std::string_view kernel : kernels) {
    const auto first = ordered.size();
    std::ranges::copy_if(findings, std::back_inserter(ordered),
                         [&](const Finding& finding) { return finding.kernel == kernel; });
    if (kernel.empty()) continue;
    std::stable_sort(ordered.begin() + static_cast<std::ptrdiff_t>(first), ordered.end(),
                     [](const Finding& a, const Finding& b) { return RankOf(a) < RankOf(b); });
  }
  findings = std::move(ordered);
}

// Returns whether the race checker stopped because of its own limits, which is not a mistake of the
// program. Such a finding has no hint.
bool IsCheckersOwn(const Finding& finding) {
  return finding.kind == FindingKind::kRaceLimit && finding.hint.empty();
}

// Returns the failures for the findings that are wanted. An access out of bounds leads, whatever
// was found first, if races or unwritten values may follow from it.
std::vector<CaseFailure> ForFindings(const Trial& trial, bool (*wanted)(FindingKind)) {
  std::vector<CaseFailure> failures;
  std::vector<Finding> findings = Mistakes(trial.AllFindings());
  OrderByCause(findings);
  // A refused launch is the cause: it comes first. Its unchecked error is not shown as a finding of
  // its own.
  const auto others =
      std::stable_partition(findings.begin(), findings.end(), [](const Finding& finding) {
        return IsOneOf(finding.kind, FindingKind::kInvalidLaunch, FindingKind::kUnsupportedCode);
      });
  if (others != findings.begin()) {
    const auto unchecked = std::remove_if(others, findings.end(), [](const Finding& finding) {
      return finding.kind == FindingKind::kUncheckedLaunch;
    });
    if (unchecked != findings.end()) {
      findings.erase(unchecked, findings.end());
      findings.front().message +=
          "\n  the program did not check this error: cudaGetLastError() after a launch returns it";
    }
  }
  const auto outside = std::ranges::find_if(
      findings, [](const Finding& finding) { return MayCauseOthers(finding.kind); });
  const auto follows = [](const Finding& finding, const Finding& cause) {
    // Kernels are in the order in which they ran, and what no kernel did may be of any time.
    const bool later =
        finding.kernel == cause.kernel || finding.kernel.empty() || &cause < &finding;
    return later && MayFollow(finding, cause);
  };
  const bool leads = outside != findings.end() && !wanted(outside->kind) &&
                     std::ranges::any_of(findings, [&](const Finding& finding) {
                       return wanted(finding.kind) && follows(finding, *outside);
                     });
  if (leads) failures.push_back(FailureFor(*outside));
  for (const Finding& finding : findings) {
    if (!wanted(finding.kind) || IsCheckersOwn(finding)) continue;
    if (failures.size() >= kMaxFailures) continue;
    const auto cause = std::ranges::find_if(
        findings, [&](const Finding& other) { return follows(finding, other); });
    failures.push_back(cause == findings.end() ? FailureFor(finding) : AfterCause(finding, *cause));
  }
  return failures;
}

// Returns whether a finding fails RunsCleanly(). A program that exceeds the limits of a checker
// fails too, because it could hide mistakes in this way.
bool IsUnclean(FindingKind kind) {
  if (IsOneOf(kind, FindingKind::kRaceLimit, FindingKind::kOrderLimit)) return true;
  return !IsOutOfBounds(kind) && !IsInformation(kind) && kind != FindingKind::kUnsupportedCall;
}

std::string ErrorText(int error) {
  return fmt::format("{} ({})", CudaErrorName(static_cast<DeviceError>(error)), error);
}

std::vector<CaseFailure> Failed(ComplaintId id, std::string message, std::string hint = {}) {
  return {MakeFailure(std::move(id), Verdict::kFailed, std::move(message), std::move(hint))};
}

// Returns the errors that no finding explains: an error of a launch, or an error that the program
// did not check.
std::vector<CaseFailure> ForErrors(const Trial& trial) {
  for (const LaunchRecord& launch : trial.launches) {
    if (launch.error == DeviceError::kSuccess) continue;
    return Failed({ComplaintKind::kLaunchFailed, launch.kernel},
                  fmt::format("the launch of {} failed with {}", launch.kernel,
                              ErrorText(static_cast<int>(launch.error))));
  }
  const int last = trial.outcome.last_error;
  if (last == 0 || last == static_cast<int>(DeviceError::kNotSupported)) return {};
  return Failed(ComplaintKind::kUncheckedError,
                fmt::format("{} returned with an error that it did not check: {}", trial.function,
                            ErrorText(last)),
                "check what every CUDA call returns, and call cudaGetLastError() after a launch");
}

std::vector<CaseFailure> ForInputs(const Trial& trial) {
  std::size_t number = 0;
  for (const ArrayEnd& array : trial.arrays) {
    if (array.may_write && !array.start->is_input) continue;
    ++number;
    if (!array.host_writes.empty()) {
      return Failed(ComplaintKind::kInputChanged,
                    fmt::format("{} writes to its input (array {}) by {}", trial.function, number,
                                array.host_writes.front().call),
                    "inputs are const: write to the output only");
    }
    if (!array.start->is_input || array.bytes == array.start->bytes) continue;
    const Extents& extents = array.start->extents;
    const auto difference = std::ranges::mismatch(array.bytes, array.start->bytes).in1;
    const auto byte = static_cast<std::size_t>(difference - array.bytes.begin());
    const std::size_t bytes = std::max<std::size_t>(array.bytes.size() / ElementsOf(extents), 1);
    return Failed(ComplaintKind::kInputChanged,
                  fmt::format("{} changed its input (array {}, element {})", trial.function, number,
                              IndexText(extents, byte / bytes)),
                  "inputs are const: write to the output only");
  }
  return {};
}

bool EndedItself(const Trial& trial) {
  return trial.outcome.end == remote::CallEnd::kException ||
         (trial.outcome.end == remote::CallEnd::kDisconnected &&
          trial.ending.cause == sandbox::Cause::kExited);
}

// A CUDA call that warpcheck does not offer may be the cause of other failures, so it comes first.
std::vector<CaseFailure> AfterUnsupportedCalls(const Trial& trial,
                                               std::vector<CaseFailure> failures) {
  if (failures.empty()) return failures;
  const std::vector<Finding> findings = trial.AllFindings();
  const auto call = std::ranges::find(findings, FindingKind::kUnsupportedCall, &Finding::kind);
  if (call == findings.end()) return failures;
  CaseFailure cause = FailureFor(*call);
  cause.verdict = failures.front().verdict;
  failures.insert(failures.begin(), std::move(cause));
  return failures;
}

std::vector<CaseFailure> JudgeCleanliness(const Trial& trial) {
  // A program that ends itself usually does so because of an error that it got before, so its end
  // comes last.
  std::vector<CaseFailure> failures = ForFindings(trial, &IsUnclean);
  const std::vector<CaseFailure> ending = FailuresForEnding(trial);
  failures.insert(EndedItself(trial) ? failures.end() : failures.begin(), ending.begin(),
                  ending.end());
  if (failures.empty()) failures = ForErrors(trial);
  if (failures.empty()) failures = ForInputs(trial);
  return AfterUnsupportedCalls(trial, std::move(failures));
}

bool AnyRan(const Trial& trial) {
  return std::ranges::find(trial.launches, DeviceError::kSuccess, &LaunchRecord::error) !=
         trial.launches.end();
}

bool OutputsAreUntouched(const Trial& trial) {
  return trial.ChangedInHostMemory().changed == 0 &&
         std::ranges::all_of(trial.arrays, [](const ArrayEnd& array) {
           return array.start->is_input || array.bytes == array.start->bytes;
         });
}

ArraySizes SizesOf(const Trial& trial) {
  ArraySizes sizes;
  for (const ArrayEnd& array : trial.arrays) {
    (array.start->is_input ? sizes.inputs : sizes.outputs) += array.bytes.size();
  }
  return sizes;
}

// Returns whether the outputs have no elements, as for a call with n = 0: then no kernel need run.
bool HasNothingToDo(const Trial& trial) {
  const auto is_output = [](const ArrayEnd& array) { return !array.start->is_input; };
  const bool has_outputs =
      std::ranges::any_of(trial.arrays, is_output) || !trial.outcome.host_arrays.empty();
  return trial.returned() && has_outputs && SizesOf(trial).outputs == 0 &&
         trial.ChangedInHostMemory().bytes == 0;
}

// Returns the name of the first kernel of a library that ran; empty if there is none.
std::string_view KernelOfALibrary(const Trial& trial) {
  for (const LaunchRecord& launch : trial.launches) {
    if (const auto kernel = warpcheck::KernelOfALibrary(launch.kernel); !kernel.empty()) {
      return kernel;
    }
  }
  return {};
}

// Fails if a call of the host changed elements that must stay as they were.
std::vector<CaseFailure> JudgeWhatStays(const Trial& trial) {
  for (const ArrayEnd& array : trial.arrays) {
    const std::string_view call = array.WroteWhatStays();
    if (call.empty()) continue;
    std::vector<CaseFailure> failures =
        Failed({ComplaintKind::kKeptElements, std::string(call)},
               fmt::format(
                   "{} changed elements of the result that must stay as they were before the call, "
                   "such as the elements of a frame",
                   call),
               fmt::format("remove that {}, or let it end before these elements: nothing may write "
                           "to them. The kernel writes all other elements",
                           call));
    failures.front().complaint.call = call;
    return failures;
  }
  return {};
}

// Fails if results in host memory did not come from the device: each of their bytes is new to the
// host. Some may be equal by chance to what the host knew.
std::vector<CaseFailure> JudgeHostResult(const Trial& trial) {
  const std::uint64_t changed = trial.ChangedInHostMemory().changed;
  if (trial.traffic.read_back >= changed / 2) return {};
  return Failed(ComplaintKind::kNotFromDevice,
                fmt::format("{} bytes of the result in host memory were changed, and only {} bytes "
                            "came from the device",
                            Grouped(changed), Grouped(trial.traffic.read_back)),
                "the kernel has to do the work: copy its result to the host");
}

std::vector<CaseFailure> JudgeKernels(const Trial& trial) {
  if (std::vector<CaseFailure> failures = FailuresForEnding(trial); !failures.empty())
    return failures;
  if (std::vector<CaseFailure> failures = JudgeWhatStays(trial); !failures.empty()) return failures;
  if (std::vector<CaseFailure> failures = JudgeHostResult(trial); !failures.empty()) {
    return failures;
  }
  if (const auto objection = ObjectionTo(trial.traffic, SizesOf(trial))) {
    return {MakeFailure(objection->kind, objection->sure ? Verdict::kFailed : Verdict::kNotMeasured,
                        objection->message, objection->hint)};
  }
  if (const std::string_view kernel = KernelOfALibrary(trial); !kernel.empty()) {
    return Failed(
        ComplaintKind::kLibraryKernel,
        fmt::format("{} is a kernel of a library; the exercise is to write one yourself", kernel),
        "write a __global__ function of your own and launch it");
  }
  if (AnyRan(trial) || (trial.launches.empty() && HasNothingToDo(trial))) return {};
  // There were launches, but no kernel ran to its end: its failure says more.
  if (std::vector<CaseFailure> failures = JudgeCleanliness(trial); !failures.empty())
    return failures;
  const std::string nothing =
      OutputsAreUntouched(trial) ? " and no element of the output was written" : "";
  return Failed(ComplaintKind::kNoKernel, trial.function + " never launched a kernel" + nothing,
                "write a __global__ function and launch it: kernel<<<grid, block>>>(...)");
}

std::vector<CaseFailure> Skipped(ComplaintId id, const std::string& why) {
  return {MakeFailure(std::move(id), Verdict::kSkipped, "not judged: " + why)};
}

// Returns whether an access to an address without memory ended a kernel.
bool LeftMemory(const Trial& trial) {
  return std::ranges::find(trial.launches, DeviceError::kIllegalAddress, &LaunchRecord::error) !=
         trial.launches.end();
}

std::vector<CaseFailure> JudgeBounds(const Trial& trial) {
  std::vector<CaseFailure> failures = ForFindings(trial, &IsOutOfBounds);
  const bool left = LeftMemory(trial);
  if (failures.empty() && trial.launches.empty() && HasNothingToDo(trial)) return {};
  if (failures.empty() && !left) failures = WhyNotJudged(trial);
  if (!failures.empty()) return failures;
  failures = JudgeKernels(trial);
  if (!failures.empty() && !left && failures.front().verdict == Verdict::kFailed) {
    const Complaint& why = failures.front().complaint;
    return Skipped({why.kind, why.about}, why.message);  // LaunchesAKernel() fails for this reason
  }
  return failures;
}

std::vector<CaseFailure> JudgeReleases(const Trial& trial) {
  if (!trial.returned()) return WhyNotJudged(trial);
  return ForFindings(trial, [](FindingKind kind) {
    return IsOneOf(kind, FindingKind::kLeak, FindingKind::kLeakedHandle);
  });
}

}  // namespace

std::vector<CaseFailure> WhyNotJudged(const Trial& trial) {
  if (!trial.returned())
    return Skipped(ComplaintKind::kNotReturned, trial.function + " did not return");
  if (trial.launches.empty())
    return Skipped(ComplaintKind::kNoKernel, trial.function + " launched no kernel");
  // A launch may be refused and then made in another way; then there is a kernel to judge.
  if (AnyRan(trial)) return {};
  for (const LaunchRecord& launch : trial.launches) {
    if (IsSticky(launch.error)) continue;
    return Skipped({ComplaintKind::kLaunchRefused, launch.kernel},
                   fmt::format("the launch of {} was refused", launch.kernel));
  }
  return Skipped(ComplaintKind::kNoKernelEnded, "no kernel ran to its end");
}

bool TrialMatcher::MatchAndExplain(const Trial& trial,
                                   testing::MatchResultListener* listener) const {
  return Explain(judge_(trial), listener);
}

TrialMatcher RanAKernel() { return {"ran a kernel to its end", &WhyNotJudged}; }
TrialMatcher RunsCleanly() { return {"runs cleanly", &JudgeCleanliness}; }
TrialMatcher LaunchesAKernel() { return {"lets kernels do the work", &JudgeKernels}; }
TrialMatcher ReleasesEverything() { return {"releases what it allocates", &JudgeReleases}; }
TrialMatcher StaysInBounds() { return {"stays inside its arrays", &JudgeBounds}; }

}  // namespace warpcheck
