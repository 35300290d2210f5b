#include "results/results_json.h"

#include "base/json_fields.h"
#include "device/record_json.h"

namespace warpcheck {

using nlohmann::json;

json ToJson(const CaseResult& result) {
  json complaints = json::array();
  for (const Complaint& complaint : result.complaints) {
    complaints.push_back({{"message", complaint.message},
                          {"where", ToJson(complaint.where)},
                          {"hint", complaint.hint}});
  }
  return {{"name", result.name},
          {"verdict", Name(result.verdict)},
          {"complaints", std::move(complaints)},
          {"seconds", result.seconds}};
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

}  // namespace warpcheck
