// A ChecksReport is the report of an assignment's checks about one submission, as plain data.
// results_file.h is its file format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/record.h"
#include "base/result.h"
#include "device/finding.h"
#include "device/launch_record.h"
#include "emulator/record/approximations.h"
#include "order/timeline.h"
#include "results/complaint_kind.h"
#include "results/experiment.h"
#include "results/promise.h"
#include "results/reason.h"
#include "results/result_map.h"
#include "results/speed_ratio.h"

namespace warpcheck {

// Verdicts from best to worst, so that the verdict of several is their maximum. The last two are
// never the student's fault.
enum class Verdict : std::uint8_t {
  kPassed,
  kSkipped,      // the case depends on something that was lost
  kNotMeasured,  // counters may not be read on this machine; this is neither pass nor failure
  kFailed,       // a wrong result or a missed target
  // A compile error, crash, time limit, memory limit, device fault or sandbox violation.
  kError,
  kHarnessFault,
};

WARPCHECK_NAMES(Verdict, "passed", "skipped", "not_measured", "failed", "error", "harness_fault");

inline std::string_view Name(Verdict verdict) { return NameOf(verdict); }

// The exit status of a checks program that could not judge. The reason may be gone at another try.
inline constexpr int kNotGradedStatus = 4;

// A Complaint is one reason why a case lost its points, as the report shows it.
struct Complaint {
  // The first line says what is wrong, expected and got; the other lines are details.
  std::string message;
  SourceLocation where{};  // the student's line, if there is one
  std::string hint{};      // what to do about it; may be empty
  // For a missed target on the emulator, the access on that line that costs most.
  std::optional<AccessExample> access{};
  // For wrong elements, the map that shows where they are. Only the first complaint of a run has
  // it.
  std::optional<ResultMap> map{};
  std::string call{};  // as in Finding
  // True if elements of a result are wrong, and no mistake was found that can be the cause.
  bool wrong_result = false;
  // What this complaint is about, as in ComplaintId.
  ComplaintKind kind = ComplaintKind::kCheck;
  std::string about{};
  // For wrong elements, how one of them was made, if that was found out.
  std::optional<Reason> reason{};

  friend bool operator==(const Complaint&, const Complaint&) = default;
};
WARPCHECK_FIELDS(Complaint, message, where, hint, access, map);
WARPCHECK_FIELDS_IF_CHANGED(Complaint, call, wrong_result, kind, about, reason);

// Returns a text that is equal for complaints that are one mistake at one place, in whatever words
// and with whatever numbers: "missed_target: global memory".
std::string IdOf(const Complaint& complaint);

struct CaseResult {
  // A target of a measure that judged the case, whether or not the case met it.
  struct Target {
    std::string measure;   // such as "global memory"
    bool is_work = false;  // true if additional work never helps to meet the target
    // The value of the judged call; without a value if it was not measured.
    std::optional<double> value{};
    // The upper bound; without a value if the target is a lower bound.
    std::optional<double> most{};
    bool met = false;
    // The part of the value that only the emulator counts. A GPU's value lacks it.
    double emulators_alone = 0;

    friend bool operator==(const Target&, const Target&) = default;
  };

  // What a call counted that is compared with what the reference counts in this call.
  struct Comparison {
    std::string call;     // "saxpy() 1000x3"
    std::string counter;  // "thread_instructions"
    std::uint64_t count = 0;
    std::optional<std::uint64_t> reference{};  // without a value if it is not known

    friend bool operator==(const Comparison&, const Comparison&) = default;
  };

  std::string name;  // the name as in --gtest_filter: "Shapes/Transpose.MatchesReference/32x32"
  Verdict verdict = Verdict::kHarnessFault;
  std::vector<Complaint> complaints{};  // at least one complaint, unless the case passed
  double seconds = 0;
  std::vector<Target> targets{};
  std::vector<Comparison> comparisons{};
  std::optional<SpeedRatio> speed{};  // set if the case is a test of speed

  friend bool operator==(const CaseResult&, const CaseResult&) = default;
};
WARPCHECK_FIELDS(CaseResult::Target, measure, is_work, value, most, met);
WARPCHECK_FIELDS_IF_CHANGED(CaseResult::Target, emulators_alone);
WARPCHECK_FIELDS(CaseResult, name, verdict, complaints, seconds);
WARPCHECK_FIELDS(CaseResult::Comparison, call, counter, count, reference);
WARPCHECK_FIELDS_IF_CHANGED(CaseResult, targets, comparisons, speed);

// A launch or finding, with the case in which it first happened.
struct CaseLaunch {
  std::string case_name;
  LaunchRecord record;

  friend bool operator==(const CaseLaunch&, const CaseLaunch&) = default;
};
WARPCHECK_FIELDS(CaseLaunch, case_name, record);

struct CaseFinding {
  std::string case_name;
  Finding finding;

  friend bool operator==(const CaseFinding&, const CaseFinding&) = default;
};
WARPCHECK_FIELDS(CaseFinding, case_name, finding);

// An approximation that a case executed. Each case has its own, since a student may not see all
// cases.
struct CaseApproximation {
  std::string case_name;
  emulator::Approximation approximation;

  friend bool operator==(const CaseApproximation&, const CaseApproximation&) = default;
};
WARPCHECK_FIELDS(CaseApproximation, case_name, approximation);

// What the order of the calls of a case lets overlap.
struct CaseTimeline {
  std::string case_name;
  order::Timeline timeline;

  friend bool operator==(const CaseTimeline&, const CaseTimeline&) = default;
};
WARPCHECK_FIELDS(CaseTimeline, case_name, timeline);

// Everything that one run of a checks program reported.
struct ChecksReport {
  std::string device;       // "emulator" or "gpu"
  std::string device_name;  // such as "warpcheck emulator (sm_90)"
  std::uint64_t seed = 0;
  std::vector<CaseResult> cases;  // cases in the order in which they ran
  std::vector<CaseLaunch> launches;
  // Findings outside launches; the findings of a launch are in its record.
  std::vector<CaseFinding> findings;
  std::vector<CaseApproximation> approximations{};  // none if a GPU judged
  // Timelines of the first cases in which the program used streams that it created.
  std::vector<CaseTimeline> timelines{};
  // Each promise about an argument, compared with the calls; empty if that was not asked for.
  std::vector<PromiseResult> promises{};
  std::optional<Experiments> experiments{};  // set if experiments were made
  // How the first wrong element of a case was made, if that was found out.
  std::optional<CaseReason> reason{};
  std::string device_output;  // output of device printf, limited in size
  std::string host_output;    // stdout and stderr of the submission host, limited in size
  std::optional<std::string>
      unfinished_case;  // a case that began and did not end, because the program died in it

  // Returns the timeline that a report shows: the one with the most operations, of those in which a
  // wait costs overlap, or else of all. Returns null if there is none.
  const CaseTimeline* TimelineToShow() const;

  friend bool operator==(const ChecksReport&, const ChecksReport&) = default;
};
WARPCHECK_FIELDS(ChecksReport, device, device_name, seed, cases, launches, findings, device_output,
                 host_output, unfinished_case);
WARPCHECK_FIELDS_IF_CHANGED(ChecksReport, approximations, timelines, promises, experiments, reason);

}  // namespace warpcheck
