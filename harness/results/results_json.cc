#include "results/results_json.h"

#include <cmath>

#include "base/json_fields.h"
#include "device/record_json.h"

namespace warpcheck {

using nlohmann::json;

namespace {

template <class T>
json ListOf(const std::vector<T>& things) {
  json list = json::array();
  for (const T& thing : things) list.push_back(ToJson(thing));
  return list;
}

}  // namespace

json ToJson(const CaseResult& result) {
  json complaints = json::array();
  for (const Complaint& complaint : result.complaints) {
    complaints.push_back({{"message", complaint.message},
                          {"where", ToJson(complaint.where)},
                          {"hint", complaint.hint}});
  }
  json object = {
      {"name", result.name},
      {"verdict", Name(result.verdict)},
      {"complaints", std::move(complaints)},
      {"seconds", std::isfinite(result.seconds) ? result.seconds : 0}};  // JSON has no others
  for (const CaseResult::Yardstick& yardstick : result.yardsticks) {
    object["yardsticks"].push_back(
        {{"measure", yardstick.measure}, {"is_work", yardstick.is_work}});
  }
  return object;
}

CaseResult CaseResultFrom(const json& object) {
  CaseResult result{.name = StringField(object, "name"),
                    .verdict = NamedField<Verdict>(object, "verdict", VerdictNamed),
                    .complaints = {},
                    .seconds = RealField(object, "seconds")};
  for (const json& complaint : ArrayField(object, "complaints")) {
    result.complaints.push_back({.message = StringField(complaint, "message"),
                                 .where = LocationFrom(Field(complaint, "where")),
                                 .hint = StringField(complaint, "hint")});
  }
  if (!object.contains("yardsticks")) return result;
  for (const json& yardstick : ArrayField(object, "yardsticks")) {
    result.yardsticks.push_back({.measure = StringField(yardstick, "measure"),
                                 .is_work = BooleanField(yardstick, "is_work")});
  }
  return result;
}

json ToJson(const CaseLaunch& launch) {
  return {{"case", launch.case_name}, {"record", ToJson(launch.record)}};
}

CaseLaunch CaseLaunchFrom(const json& object) {
  return {.case_name = StringField(object, "case"), .record = RecordFrom(Field(object, "record"))};
}

json ToJson(const CaseFinding& finding) {
  return {{"case", finding.case_name}, {"finding", ToJson(finding.finding)}};
}

CaseFinding CaseFindingFrom(const json& object) {
  return {.case_name = StringField(object, "case"),
          .finding = FindingFrom(Field(object, "finding"))};
}

json ToJson(const ChecksReport& report) {
  json object = {{"device", report.device},
                 {"device_name", report.device_name},
                 {"seed", report.seed},
                 {"cases", ListOf(report.cases)},
                 {"launches", ListOf(report.launches)},
                 {"findings", ListOf(report.findings)},
                 {"device_output", report.device_output},
                 {"host_output", report.host_output}};
  if (report.unfinished_case) object["unfinished_case"] = *report.unfinished_case;
  return object;
}

ChecksReport ChecksReportFrom(const json& object) {
  ChecksReport report;
  report.device = StringField(object, "device");
  report.device_name = StringField(object, "device_name");
  report.seed = UnsignedField(object, "seed");
  for (const json& one : ArrayField(object, "cases")) report.cases.push_back(CaseResultFrom(one));
  for (const json& one : ArrayField(object, "launches")) {
    report.launches.push_back(CaseLaunchFrom(one));
  }
  for (const json& one : ArrayField(object, "findings")) {
    report.findings.push_back(CaseFindingFrom(one));
  }
  report.device_output = StringField(object, "device_output");
  report.host_output = StringField(object, "host_output");
  if (object.contains("unfinished_case")) {
    report.unfinished_case = StringField(object, "unfinished_case");
  }
  return report;
}

}  // namespace warpcheck
