#include "checks/trial_matchers.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "checks/failures/ending.h"
#include "checks/failures/finding_failure.h"
#include "device/finding.h"
#include "trial/devices/trial_log.h"

namespace warpcheck {
namespace {

constexpr std::size_t kMaxCharges = 5;
constexpr std::uint64_t kManyConstants = 16'384;  // bytes; fewer may be coefficients
// Where inputs are smaller, any halo is a large part of them, and any flag one of the result.
constexpr std::uint64_t kLargeInputs = 65'536;  // bytes
constexpr std::uint64_t kFlags = 8;             // bytes
// So many parts of a result may come by way of the host, or of copies, but for one.
constexpr std::uint64_t kShareOfOutputs = 8;

// Accesses that change what other threads use, or miss what they should have written.
bool MayCauseOthers(FindingKind kind) {
  return IsOutOfBounds(kind) && kind != FindingKind::kOutOfBoundsRead;
}

bool MayBeCaused(FindingKind kind) {
  using enum FindingKind;
  return IsOneOf(kind, kSharedRace, kGlobalRace, kUninitialisedUse, kInvalidFree);
}

// The charge for what may follow from an access out of bounds that came before it.
Charge AfterCause(const Finding& finding, const Finding& cause) {
  Charge charge = ChargeFor(finding);
  charge.complaint.message +=
      "\n  this may follow from the access out of bounds" +
      (cause.where.known() ? fmt::format(" in line {}", cause.where.line) : std::string()) +
      ": mend that first";
  charge.complaint.hint.clear();
  return charge;
}

// That the race checker's own work would have been too much is no mistake of the program: it has no
// hint.
bool IsCheckersOwn(const Finding& finding) {
  return finding.kind == FindingKind::kRaceLimit && finding.hint.empty();
}

// The first cause comes first: an access out of bounds before the races and unwritten values that
// it may have made.
std::vector<Charge> ForFindings(const Trial& trial, bool (*wanted)(FindingKind)) {
  std::vector<Charge> charges;
  std::optional<Finding> cause;
  bool told = false;
  std::vector<Finding> findings = Mistakes(trial.AllFindings());
  // That a launch was refused is why nobody's error was checked, and what follows from it.
  const auto others = std::stable_partition(
      findings.begin(), findings.end(),
      [](const Finding& finding) { return finding.kind == FindingKind::kInvalidLaunch; });
  if (others != findings.begin()) {
    const auto unchecked = std::remove_if(others, findings.end(), [](const Finding& finding) {
      return finding.kind == FindingKind::kUncheckedLaunch;
    });
    if (unchecked != findings.end()) {
      findings.erase(unchecked, findings.end());
      findings.front().message +=
          "\n  nobody asked for this error: cudaGetLastError() after a launch returns it";
    }
  }
  for (const Finding& finding : findings) {
    if (!cause && MayCauseOthers(finding.kind)) cause = finding;
    if (!wanted(finding.kind) || IsCheckersOwn(finding)) continue;
    if (charges.size() >= kMaxCharges) continue;
    if (!cause || !MayBeCaused(finding.kind)) {
      charges.push_back(ChargeFor(finding));
      continue;
    }
    if (!std::exchange(told, true)) charges.push_back(ChargeFor(*cause));
    charges.push_back(AfterCause(finding, *cause));
  }
  return charges;
}

// Where races were not looked for, a program could hide them: that is for its author to avoid.
bool IsUnclean(FindingKind kind) {
  if (kind == FindingKind::kRaceLimit) return true;
  return !IsOutOfBounds(kind) && !IsInformation(kind) && kind != FindingKind::kUnsupportedCall;
}

std::string ErrorText(int error) {
  return fmt::format("{} ({})", CudaErrorName(static_cast<DeviceError>(error)), error);
}

std::vector<Charge> Failed(std::string message, std::string hint = {}) {
  return {Charged(Verdict::kFailed, std::move(message), std::move(hint))};
}

// Errors that no finding explains: of launches, and the one that nobody looked at.
std::vector<Charge> ForErrors(const Trial& trial) {
  for (const LaunchRecord& launch : trial.launches) {
    if (launch.error == DeviceError::kSuccess) continue;
    return Failed(fmt::format("the launch of {} failed with {}", launch.kernel,
                              ErrorText(static_cast<int>(launch.error))));
  }
  const int last = trial.outcome.last_error;
  if (last == 0 || last == static_cast<int>(DeviceError::kNotSupported)) return {};
  return Failed(fmt::format("{} leaves an error behind that nobody checked: {}", trial.function,
                            ErrorText(last)),
                "check what every CUDA call returns, and cudaGetLastError() after a launch");
}

std::vector<Charge> ForInputs(const Trial& trial) {
  std::size_t number = 0;
  for (const ArrayEnd& array : trial.arrays) {
    if (!array.start->is_input) continue;
    ++number;
    if (array.bytes == array.start->bytes) continue;
    const Extents& extents = array.start->extents;
    const auto difference = std::ranges::mismatch(array.bytes, array.start->bytes).in1;
    const auto byte = static_cast<std::size_t>(difference - array.bytes.begin());
    const std::size_t bytes = std::max<std::size_t>(array.bytes.size() / ElementsOf(extents), 1);
    return Failed(fmt::format("{} changed its input (array {}, element {})", trial.function, number,
                              IndexText(extents, byte / bytes)),
                  "inputs are const: write to the output alone");
  }
  return {};
}

bool EndedItself(const Trial& trial) {
  return trial.outcome.end == remote::CallEnd::kException ||
         (trial.outcome.end == remote::CallEnd::kDisconnected &&
          trial.ending.cause == sandbox::Cause::kExited);
}

// What fails in a program that called what is not offered here may follow from that: it is told
// first.
std::vector<Charge> AfterUnsupportedCalls(const Trial& trial, std::vector<Charge> charges) {
  if (charges.empty()) return charges;
  const std::vector<Finding> findings = trial.AllFindings();
  const auto call = std::ranges::find(findings, FindingKind::kUnsupportedCall, &Finding::kind);
  if (call == findings.end()) return charges;
  Charge cause = ChargeFor(*call);
  cause.verdict = charges.front().verdict;
  charges.insert(charges.begin(), std::move(cause));
  return charges;
}

std::vector<Charge> JudgeCleanliness(const Trial& trial) {
  // A program that ends itself mostly does so because of what it was told before.
  std::vector<Charge> charges = ForFindings(trial, &IsUnclean);
  const std::vector<Charge> ending = ChargesForEnding(trial);
  charges.insert(EndedItself(trial) ? charges.end() : charges.begin(), ending.begin(),
                 ending.end());
  if (charges.empty()) charges = ForErrors(trial);
  if (charges.empty()) charges = ForInputs(trial);
  return AfterUnsupportedCalls(trial, std::move(charges));
}

bool AnyRan(const Trial& trial) {
  return std::ranges::find(trial.launches, DeviceError::kSuccess, &LaunchRecord::error) !=
         trial.launches.end();
}

bool OutputsAreUntouched(const Trial& trial) {
  return std::ranges::all_of(trial.arrays, [](const ArrayEnd& array) {
    return array.start->is_input || array.bytes == array.start->bytes;
  });
}

// Of the inputs, or of all other arrays.
std::uint64_t ArrayBytes(const Trial& trial, bool of_inputs) {
  std::uint64_t bytes = 0;
  for (const ArrayEnd& array : trial.arrays) {
    if (array.start->is_input == of_inputs) bytes += array.bytes.size();
  }
  return bytes;
}

std::uint64_t InputBytes(const Trial& trial) { return ArrayBytes(trial, true); }
std::uint64_t OutputBytes(const Trial& trial) { return ArrayBytes(trial, false); }

// The kernel of a library that ran, without its parameters; empty where none did.
std::string_view KernelOfALibrary(const Trial& trial) {
  for (const LaunchRecord& launch : trial.launches) {
    if (const auto kernel = warpcheck::KernelOfALibrary(launch.kernel); !kernel.empty()) {
      return kernel;
    }
  }
  return {};
}

// Whether the host may have computed a part of the result that counts. What it asks for hangs on
// what it has read, and so says no more than that: a count or a flag is no part of a large result.
bool ComputesOnTheHost(const Trial& trial) {
  if (trial.traffic.differs.empty()) return false;
  const std::uint64_t read = trial.traffic.read_back;
  return InputBytes(trial) >= kLargeInputs ? kShareOfOutputs * read >= OutputBytes(trial)
                                           : read > kFlags && read >= OutputBytes(trial);
}

// Elements that have to stay as they were, and that a call of the host changed.
std::vector<Charge> JudgeWhatStays(const Trial& trial) {
  for (const ArrayEnd& array : trial.arrays) {
    const std::string_view call = array.WroteWhatStays();
    if (call.empty()) continue;
    return Failed(
        fmt::format("{} changed elements of the result that have to stay as they were before the "
                    "call, such as those of a frame",
                    call),
        fmt::format("leave that {} out, or let it end before them: nobody may write to these "
                    "elements, and the kernel writes all others",
                    call));
  }
  return {};
}

// Whether kernels have made the result, and not the host's copies.
std::vector<Charge> JudgeCopies(const Trial& trial) {
  constexpr char kHint[] = "kernels read the input and write the output";
  const HostTraffic& traffic = trial.traffic;
  if (std::vector<Charge> charges = JudgeWhatStays(trial); !charges.empty()) return charges;
  if (traffic.written_to_outputs > 0) {
    return Failed(fmt::format("the host wrote {} of the result with cudaMemcpy; the kernel has to",
                              Counted(traffic.written_to_outputs, "byte")),
                  "leave the data on the device: kernels read the input and write the output");
  }
  if (traffic.copied_input_to_output > 0) {
    return Failed(fmt::format("cudaMemcpy wrote {} of the result; the kernel has to",
                              Counted(traffic.copied_input_to_output, "byte")),
                  kHint);
  }
  if (kShareOfOutputs * traffic.rearranged_in_outputs > OutputBytes(trial)) {
    return Failed(fmt::format("cudaMemcpy brought {} of the result into their order; the kernel "
                              "has to",
                              Counted(traffic.rearranged_in_outputs, "byte")),
                  kHint);
  }
  if (InputBytes(trial) >= kLargeInputs &&
      kShareOfOutputs * traffic.rearranged >= InputBytes(trial)) {
    return Failed(fmt::format("cudaMemcpy brought {} into another order for the kernel, in pieces "
                              "of a few bytes; the kernel has to",
                              Counted(traffic.rearranged, "byte")),
                  kHint);
  }
  if (traffic.too_many_pieces) {
    return Failed(fmt::format("the host copied memory in more than {} pieces that lie apart, and "
                              "so many are not followed",
                              Grouped(CopiedBytes::kMaxPieces)),
                  "copy whole arrays, or let a kernel do it");
  }
  if (traffic.unsure_in_outputs > 0) {
    return {Charged(Verdict::kNotMeasured,
                    fmt::format("cudaMemcpy wrote {} of the result before the last kernel, and "
                                "this device does not tell whether a kernel wrote them again",
                                Counted(traffic.unsure_in_outputs, "byte")),
                    "leave that copy out, or grade on the emulator: --device emulator")};
  }
  return {};
}

std::vector<Charge> JudgeKernels(const Trial& trial) {
  if (std::vector<Charge> charges = ChargesForEnding(trial); !charges.empty()) return charges;
  const HostTraffic& traffic = trial.traffic;
  if (std::vector<Charge> charges = JudgeCopies(trial); !charges.empty()) return charges;
  if (ComputesOnTheHost(trial)) {
    return Failed(fmt::format("the host read back {} and computed something from them: with other "
                              "data it {}; the kernel has to do the work",
                              Counted(traffic.read_back, "byte"), traffic.differs),
                  "leave the work to kernels: what the host reads it may print or check, but "
                  "nothing that it asks for afterwards may hang on it");
  }
  if (traffic.copied_to_constants >= kManyConstants) {
    return Failed(fmt::format("cudaMemcpy moved {} on the device to constant memory, whose loads "
                              "no counter sees; the kernel has to load them",
                              Counted(traffic.copied_to_constants, "byte")),
                  "kernels read the input; constant memory is for a few coefficients");
  }
  if (const std::string_view kernel = KernelOfALibrary(trial); !kernel.empty()) {
    return Failed(fmt::format("{} is a kernel of a library; the exercise is to write one", kernel),
                  "write a __global__ function of your own and launch it");
  }
  if (AnyRan(trial)) return {};
  // It tried: why no launch ran says more.
  if (std::vector<Charge> charges = JudgeCleanliness(trial); !charges.empty()) return charges;
  const std::string nothing =
      OutputsAreUntouched(trial) ? " and no element of the output was written" : "";
  return Failed(trial.function + " never launched a kernel" + nothing,
                "write a __global__ function and launch it: kernel<<<grid, block>>>(...)");
}

std::vector<Charge> Skipped(const std::string& why) {
  return {Charged(Verdict::kSkipped, "not judged: " + why)};
}

// A kernel was ended because its address lay in no memory.
bool LeftMemory(const Trial& trial) {
  return std::ranges::find(trial.launches, DeviceError::kIllegalAddress, &LaunchRecord::error) !=
         trial.launches.end();
}

std::vector<Charge> JudgeBounds(const Trial& trial) {
  std::vector<Charge> charges = ForFindings(trial, &IsOutOfBounds);
  const bool left = LeftMemory(trial);
  if (charges.empty() && !left) charges = WhyNotJudged(trial);
  if (!charges.empty()) return charges;
  charges = JudgeKernels(trial);
  if (!charges.empty() && !left && charges.front().verdict == Verdict::kFailed) {
    return Skipped(charges.front().complaint.message);  // that is lost where kernels are judged
  }
  return charges;
}

}  // namespace

std::vector<Charge> WhyNotJudged(const Trial& trial) {
  if (!trial.returned()) return Skipped(trial.function + " did not return");
  if (trial.launches.empty()) return Skipped(trial.function + " launched no kernel");
  // One that was refused, and made again in another way, leaves something to judge.
  if (AnyRan(trial)) return {};
  for (const LaunchRecord& launch : trial.launches) {
    if (IsSticky(launch.error)) continue;
    return Skipped(fmt::format("the launch of {} was refused", launch.kernel));
  }
  return Skipped("no kernel ran to its end");
}

bool TrialMatcher::MatchAndExplain(const Trial& trial,
                                   testing::MatchResultListener* listener) const {
  return Explain(judge_(trial), listener);
}

TrialMatcher RanAKernel() { return {"ran a kernel to its end", &WhyNotJudged}; }
TrialMatcher RunsCleanly() { return {"runs cleanly", &JudgeCleanliness}; }
TrialMatcher LaunchesAKernel() { return {"lets kernels do the work", &JudgeKernels}; }
TrialMatcher StaysInBounds() { return {"stays inside its arrays", &JudgeBounds}; }

}  // namespace warpcheck
