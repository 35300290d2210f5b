// What the checks of one assignment report about one submission: data, and its file format (one
// JSON value a line, written as things happen, so that a crash loses nothing that came before it).
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
#include "results/result_map.h"

namespace warpcheck {

// Worst last, so that the verdict of several is their maximum. The last two are never the
// student's fault.
enum class Verdict : std::uint8_t {
  kPassed,
  kSkipped,      // depends on something that was lost
  kNotMeasured,  // no counter permission: neither a pass nor a failure
  kFailed,       // wrong result or missed target
  kError,        // compile error, crash, time limit, memory limit, device fault, sandbox violation
  kHarnessFault,
};

WARPCHECK_NAMES(Verdict, "passed", "skipped", "not_measured", "failed", "error", "harness_fault");

inline std::string_view Name(Verdict verdict) { return NameOf(verdict); }

// The exit status of a checks program that was kept from judging, by what need not happen again.
inline constexpr int kNotGradedStatus = 4;

// One reason why a case lost: what the report shows for a lost point.
struct Complaint {
  std::string message;     // first line: what, expected and got; further lines: details
  SourceLocation where{};  // the student's line, if there is one
  std::string hint{};      // what to do about it; may be empty
  // Of lost counters, on the emulator: the access of that line that costs most.
  std::optional<AccessExample> access{};
  // Of wrong elements: where they are. The first such complaint of a run has it.
  std::optional<ResultMap> map{};

  friend bool operator==(const Complaint&, const Complaint&) = default;
};
WARPCHECK_FIELDS(Complaint, message, where, hint, access, map);

struct CaseResult {
  // A target on a measure that judged the case, whether or not it was met.
  struct Target {
    std::string measure;            // "global memory"
    bool is_work = false;           // doing more work never meets the target
    std::optional<double> value{};  // of the judged call; none where it was not measured
    std::optional<double> most{};   // the upper bound; none where the target is no upper bound
    bool met = false;

    friend bool operator==(const Target&, const Target&) = default;
  };

  std::string name;  // as in --gtest_filter: "Shapes/Transpose.MatchesReference/32x32"
  Verdict verdict = Verdict::kHarnessFault;
  std::vector<Complaint> complaints{};  // at least one unless passed
  double seconds = 0;
  std::vector<Target> targets{};

  friend bool operator==(const CaseResult&, const CaseResult&) = default;
};
WARPCHECK_FIELDS(CaseResult::Target, measure, is_work, value, most, met);
WARPCHECK_FIELDS(CaseResult, name, verdict, complaints, seconds);
WARPCHECK_FIELDS_IF_CHANGED(CaseResult, targets);

// A launch or finding, and the case during which it happened first.
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

// Everything of one run of a checks program.
struct ChecksReport {
  std::string device;       // "emulator", "gpu"
  std::string device_name;  // "warpcheck emulator (sm_90)"
  std::uint64_t seed = 0;
  std::vector<CaseResult> cases;  // in the order they ran
  std::vector<CaseLaunch> launches;
  std::vector<CaseFinding> findings;  // outside launches; those of a launch are in its record
  std::string device_output;          // of device printf, bounded
  std::string host_output;            // stdout and stderr of the submission host, bounded
  std::optional<std::string> unfinished_case;  // it began and never ended: the program died there

  friend bool operator==(const ChecksReport&, const ChecksReport&) = default;
};
WARPCHECK_FIELDS(ChecksReport, device, device_name, seed, cases, launches, findings, device_output,
                 host_output, unfinished_case);

}  // namespace warpcheck
