// The JSON form of what a results file holds, one way and back (base/json_record.h).
#pragma once

#include "device/record_json.h"
#include "results/results.h"

namespace warpcheck {

template <>
inline constexpr auto kNamesOf<Verdict> = EnumNames<Verdict>{Name, VerdictNamed};

template <>
inline constexpr auto kFieldsOf<Complaint> =
    std::tuple{RecordField{"message", &Complaint::message}, RecordField{"where", &Complaint::where},
               RecordField{"hint", &Complaint::hint}};

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
