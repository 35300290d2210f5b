#include "grading/witness.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace warpcheck {
namespace {

// Returns whether a verdict tells that the submission passed or failed the test.
bool Decides(Verdict verdict) {
  return IsOneOf(verdict, Verdict::kPassed, Verdict::kFailed, Verdict::kError);
}

// Returns the first mistake that the emulator found, or null if it found no mistake. What leaves
// the result to chance counts as a mistake, also where it costs no points: memory that was not
// checked for races, and orders that CUDA does not promise.
const Finding* FirstMistake(const ChecksReport& report) {
  const auto mistake = [](const Finding& finding) {
    using enum FindingKind;
    return !IsInformation(finding.kind) ||
           IsOneOf(finding.kind, kRaceLimit, kOrderLimit, kVolatileRace, kUnpromisedOrder,
                   kUnrecordedEvent);
  };
  for (const CaseLaunch& launch : report.launches) {
    const auto found = std::ranges::find_if(launch.record.findings, mistake);
    if (found != launch.record.findings.end()) return &*found;
  }
  for (const CaseFinding& finding : report.findings) {
    if (mistake(finding.finding)) return &finding.finding;
  }
  return nullptr;
}

// Returns whether kernels ran in a test, and all of them ran to their end.
bool RanToTheEnd(const ChecksReport& report, const std::string& case_name) {
  bool any = false;
  for (const CaseLaunch& launch : report.launches) {
    if (launch.case_name != case_name) continue;
    if (launch.record.error != DeviceError::kSuccess) return false;
    any = true;
  }
  return any;
}

// Returns whether any kernel of the submission uses atomics. Looks at all launches, because a
// launch is recorded with the test that made it first, which may be another one.
bool HasAtomics(const ChecksReport& report) {
  return std::ranges::any_of(report.launches, [](const CaseLaunch& launch) {
    const CounterSet& counters = launch.record.counters;
    return counters.OrZero(Counter::kGlobalAtomicRequests) > 0 ||
           counters.OrZero(Counter::kSharedAtomicRequests) > 0;
  });
}

std::string OutcomeOf(const CaseResult& result) {
  if (result.verdict == Verdict::kPassed || result.complaints.empty()) {
    return std::string(Name(result.verdict));
  }
  const std::string& message = result.complaints.front().message;
  return message.substr(0, message.find('\n'));
}

std::string OutcomeOf(const CaseResult::Target& target) {
  return fmt::format("{}: {}, {}", target.measure,
                     Grouped(static_cast<std::uint64_t>(std::llround(*target.value))),
                     target.met ? "the target is met" : "the target is missed");
}

// Returns how a mistake that the emulator found explains a difference; empty if it does not explain
// it.
std::string WhyMistakesDiffer(const ChecksReport& judged) {
  const Finding* const mistake = FirstMistake(judged);
  if (mistake == nullptr) return {};
  return fmt::format(
      "the emulator found a mistake{} ({}): the result of such a program on a GPU depends on "
      "chance",
      mistake->where.known() ? " at " + mistake->where.Text() : "", Name(mistake->kind));
}

// Compares the cases of the two reports.
class Comparison {
 public:
  Comparison(const ChecksReport& judged, const ChecksReport& seen)
      : judged_(judged), seen_(seen), why_mistakes_differ_(WhyMistakesDiffer(judged)) {}

  std::vector<Disagreement> All() {
    for (const CaseResult& result : judged_.cases) {
      const auto same = std::ranges::find(seen_.cases, result.name, &CaseResult::name);
      if (same == seen_.cases.end() || !Decides(result.verdict) || !Decides(same->verdict)) {
        continue;
      }
      if (result.targets.empty()) {
        CompareResults(result, *same);
      } else {
        CompareTargets(result, *same);
      }
    }
    return std::move(disagreements_);
  }

 private:
  void CompareResults(const CaseResult& judged, const CaseResult& seen) {
    if ((judged.verdict == Verdict::kPassed) == (seen.verdict == Verdict::kPassed)) return;
    disagreements_.push_back({.case_name = judged.name,
                              .on_emulator = OutcomeOf(judged),
                              .on_gpu = OutcomeOf(seen),
                              .why = WhyResultsDiffer(judged, seen)});
  }

  // Returns the cause of a difference. It is empty if one device computed the right result and the
  // other did not, though every kernel ran to its end and the emulator found no mistake.
  std::string WhyResultsDiffer(const CaseResult& judged, const CaseResult& seen) const {
    if (!why_mistakes_differ_.empty()) return why_mistakes_differ_;
    if (judged.verdict != Verdict::kPassed) {
      if (std::ranges::any_of(judged.complaints, &Complaint::wrong_result)) return {};
      return "points follow the emulator, which looks for more than a GPU shows";
    }
    // A GPU that others use may end a call, which is no result. The launches of a call that was
    // repeated are recorded with another test.
    if (seen.verdict == Verdict::kError || !RanToTheEnd(seen_, judged.name)) {
      return "the call did not finish on this GPU (it may be busy, or have too little memory)";
    }
    return {};
  }

  std::string WhyCountersDiffer(const CaseResult::Target& judged,
                                const CaseResult::Target& seen) const {
    if (judged.measure == "shared memory" && *seen.value < *judged.value) {
      return "the GPU's compiler joined loads of neighbouring words of shared memory into wider "
             "ones, which depends on its version; points follow the PTX";
    }
    if (judged.emulators_alone > 0 && *seen.value < *judged.value) {
      return "the emulator counts memory of which a GPU shows nothing: arrays of threads in local "
             "memory, and numbers in mbarriers; points follow the emulator";
    }
    if (*seen.value > *judged.value && HasAtomics(judged_)) {
      return "a loop that repeats an atomic runs on a GPU a number of times that depends on chance";
    }
    return why_mistakes_differ_;
  }

  void CompareTargets(const CaseResult& judged, const CaseResult& seen) {
    const std::size_t both = std::min(judged.targets.size(), seen.targets.size());
    for (std::size_t i = 0; i < both; ++i) {
      const CaseResult::Target& ours = judged.targets[i];
      const CaseResult::Target& theirs = seen.targets[i];
      if (ours.measure != theirs.measure || !ours.value || !theirs.value) continue;
      if (ours.met == theirs.met || HasAllowance(ours, theirs)) continue;
      disagreements_.push_back({.case_name = judged.name,
                                .on_emulator = OutcomeOf(ours),
                                .on_gpu = OutcomeOf(theirs),
                                .why = WhyCountersDiffer(ours, theirs)});
    }
  }

  // Returns whether the GPU's value is within the limit that the emulator applied. That limit may
  // be wider because of what a GPU does not count, such as how many wavefronts a call needs.
  static bool HasAllowance(const CaseResult::Target& judged, const CaseResult::Target& seen) {
    return judged.met && judged.most && *seen.value <= *judged.most;
  }

  const ChecksReport& judged_;
  const ChecksReport& seen_;
  const std::string why_mistakes_differ_;
  std::vector<Disagreement> disagreements_;
};

// Copies from the emulator how many sectors and wavefronts a launch's data needs, because a GPU
// does not count them. Bandwidths and advice are computed from them.
void TakeIdealsFrom(const ChecksReport& judged, ChecksReport& seen) {
  for (CaseLaunch& launch : seen.launches) {
    if (!launch.record.timing) continue;
    const auto same = std::ranges::find_if(judged.launches, [&](const CaseLaunch& other) {
      return other.case_name == launch.case_name && SameShape(other.record, launch.record);
    });
    if (same == judged.launches.end()) continue;
    for (const Counter counter : {Counter::kGlobalSectorsIdeal, Counter::kSharedWavefrontsIdeal}) {
      const auto ideal = same->record.counters[counter];
      if (ideal) launch.record.counters.Set(counter, *ideal);
    }
  }
}

}  // namespace

bool Witness::contradicts() const {
  return std::ranges::any_of(disagreements, &Disagreement::contradicts);
}

Witness WitnessOf(const ChecksReport& judged, ChecksReport seen, std::string missing) {
  Witness witness{.missing = std::move(missing), .uncounted = {}, .report = std::move(seen)};
  witness.disagreements = Comparison(judged, witness.report).All();
  TakeIdealsFrom(judged, witness.report);
  return witness;
}

}  // namespace warpcheck
