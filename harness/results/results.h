// The report of an assignment's checks about one submission, as plain data. results_file.h is its
// file format.
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

// Verdicts from best to worst, so that the verdict of several is their maximum. The last two are
// never the student's fault.
enum class Verdict : std::uint8_t {
  kPassed,
  kSkipped,      // depends on something that was lost
  kNotMeasured,  // not permitted to read counters: neither pass nor failure
  kFailed,       // wrong result or missed target
  kError,        // compile error, crash, time limit, memory limit, device fault, sandbox violation
  kHarnessFault,
};

WARPCHECK_NAMES(Verdict, "passed", "skipped", "not_measured", "failed", "error", "harness_fault");

inline std::string_view Name(Verdict verdict) { return NameOf(verdict); }

// The exit status of a checks program that could not judge, for a reason that may be gone at
// another try.
inline constexpr int kNotGradedStatus = 4;

// One reason why a case lost its points, as the report shows it.
struct Complaint {
  std::string message;     // the first line says what, expected and got; the others are details
  SourceLocation where{};  // the student's line, if there is one
  std::string hint{};      // what to do about it; may be empty
  // For missed counters on the emulator: the access on that line that costs most.
  std::optional<AccessExample> access{};
  // For wrong elements: where they are. Only the first complaint of a run has it.
  std::optional<ResultMap> map{};
  std::string call{};  // as in Finding

  friend bool operator==(const Complaint&, const Complaint&) = default;
};
WARPCHECK_FIELDS(Complaint, message, where, hint, access, map);
WARPCHECK_FIELDS_IF_CHANGED(Complaint, call);

struct CaseResult {
  // A target of a measure, which judged the case whether or not it was met.
  struct Target {
    std::string measure;            // such as "global memory"
    bool is_work = false;           // doing more work never meets the target
    std::optional<double> value{};  // the value of the judged call; none if it was not measured
    std::optional<double> most{};   // the upper bound; none if the target is a lower bound
    bool met = false;

    friend bool operator==(const Target&, const Target&) = default;
  };

  std::string name;  // as in --gtest_filter: "Shapes/Transpose.MatchesReference/32x32"
  Verdict verdict = Verdict::kHarnessFault;
  std::vector<Complaint> complaints{};  // at least one, unless the case passed
  double seconds = 0;
  std::vector<Target> targets{};

  friend bool operator==(const CaseResult&, const CaseResult&) = default;
};
WARPCHECK_FIELDS(CaseResult::Target, measure, is_work, value, most, met);
WARPCHECK_FIELDS(CaseResult, name, verdict, complaints, seconds);
WARPCHECK_FIELDS_IF_CHANGED(CaseResult, targets);

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

// Everything that one run of a checks program reported.
struct ChecksReport {
  std::string device;       // "emulator" or "gpu"
  std::string device_name;  // such as "warpcheck emulator (sm_90)"
  std::uint64_t seed = 0;
  std::vector<CaseResult> cases;  // in the order in which they ran
  std::vector<CaseLaunch> launches;
  std::vector<CaseFinding> findings;  // findings outside launches; a launch's are in its record
  std::string device_output;          // output of device printf, limited in size
  std::string host_output;            // stdout and stderr of the submission host, limited in size
  std::optional<std::string>
      unfinished_case;  // a case that began and did not end: the program died in it

  friend bool operator==(const ChecksReport&, const ChecksReport&) = default;
};
WARPCHECK_FIELDS(ChecksReport, device, device_name, seed, cases, launches, findings, device_output,
                 host_output, unfinished_case);

}  // namespace warpcheck
