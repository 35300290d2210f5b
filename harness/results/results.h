// What the checks of one assignment report about one submission: data, and its file format (one
// JSON value a line, written as things happen, so that a crash loses nothing that came before it).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
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
  kInvalidReference,  // the reference solution itself fails
  kHarnessFault,
};

std::string_view Name(Verdict verdict);  // "passed", "not_measured", ...
std::optional<Verdict> VerdictNamed(std::string_view name);

// The exit status of a checks program that was kept from judging, by what need not happen again.
inline constexpr int kNotGradedStatus = 4;

// One reason why a case lost: what the report shows for a lost point.
struct Complaint {
  std::string message;   // first line: what, expected and got; further lines: details
  SourceLocation where;  // the student's line, if there is one
  std::string hint;      // what to do about it; may be empty
  // Of lost counters, on the emulator: the access of that line that costs most.
  std::optional<AccessExample> access{};
  // Of wrong elements: where they are. The first such complaint of a run has it.
  std::optional<ResultMap> map{};

  friend bool operator==(const Complaint&, const Complaint&) = default;
};

struct CaseResult {
  // A measure that judged the case, whether or not it passed.
  struct Yardstick {
    std::string measure;   // "global memory"
    bool is_work = false;  // doing more never meets a target on it

    friend bool operator==(const Yardstick&, const Yardstick&) = default;
  };

  std::string name;  // as in --gtest_filter: "Shapes/Transpose.MatchesReference/32x32"
  Verdict verdict = Verdict::kHarnessFault;
  std::vector<Complaint> complaints{};  // at least one unless passed
  double seconds = 0;
  std::vector<Yardstick> yardsticks{};

  friend bool operator==(const CaseResult&, const CaseResult&) = default;
};

// A launch or finding, and the case during which it happened first.
struct CaseLaunch {
  std::string case_name;
  LaunchRecord record;

  friend bool operator==(const CaseLaunch&, const CaseLaunch&) = default;
};

struct CaseFinding {
  std::string case_name;
  Finding finding;

  friend bool operator==(const CaseFinding&, const CaseFinding&) = default;
};

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

// The JSON form of what a results file holds, one way and back (base/json_record.h).

template <>
inline constexpr auto kNamesOf<Verdict> = EnumNames<Verdict>{Name, VerdictNamed};

template <>
inline constexpr auto kFieldsOf<Complaint> =
    std::tuple{RecordField{"message", &Complaint::message}, RecordField{"where", &Complaint::where},
               RecordField{"hint", &Complaint::hint}, RecordField{"access", &Complaint::access},
               RecordField{"map", &Complaint::map}};

template <>
inline constexpr auto kFieldsOf<CaseResult::Yardstick> =
    std::tuple{RecordField{"measure", &CaseResult::Yardstick::measure},
               RecordField{"is_work", &CaseResult::Yardstick::is_work}};

template <>
inline constexpr auto kFieldsOf<CaseResult> = std::tuple{
    RecordField{"name", &CaseResult::name}, RecordField{"verdict", &CaseResult::verdict},
    RecordField{"complaints", &CaseResult::complaints},
    RecordField{"seconds", &CaseResult::seconds}, IfChanged("yardsticks", &CaseResult::yardsticks)};

template <>
inline constexpr auto kFieldsOf<CaseLaunch> = std::tuple{
    RecordField{"case", &CaseLaunch::case_name}, RecordField{"record", &CaseLaunch::record}};

template <>
inline constexpr auto kFieldsOf<CaseFinding> = std::tuple{
    RecordField{"case", &CaseFinding::case_name}, RecordField{"finding", &CaseFinding::finding}};

template <>
inline constexpr auto kFieldsOf<ChecksReport> =
    std::tuple{RecordField{"device", &ChecksReport::device},
               RecordField{"device_name", &ChecksReport::device_name},
               RecordField{"seed", &ChecksReport::seed},
               RecordField{"cases", &ChecksReport::cases},
               RecordField{"launches", &ChecksReport::launches},
               RecordField{"findings", &ChecksReport::findings},
               RecordField{"device_output", &ChecksReport::device_output},
               RecordField{"host_output", &ChecksReport::host_output},
               RecordField{"unfinished_case", &ChecksReport::unfinished_case}};

}  // namespace warpcheck
