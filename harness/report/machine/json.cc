// Writes the JSON report, whose schema docs and CI rely on; counters have the names of
// device/counters.h. Two runs with one seed differ only in the fields called "seconds".
#include <nlohmann/json.hpp>

#include "base/json/record.h"
#include "device/record_json.h"
#include "hardware/limiter_json.h"
#include "report/complaint_groups.h"
#include "report/grade_json.h"
#include "report/reports.h"
#include "report/speed.h"

namespace warpcheck {
namespace {

using json = nlohmann::ordered_json;

// Adds what the complaint is about, for programs; the message is for people.
void AddKind(json& object, const Complaint& complaint) {
  object["kind"] = Name(complaint.kind);
  object["about"] = complaint.about;
}

// Adds what explains a complaint: which elements of an array are wrong, the access that costs most,
// and how a wrong element was made.
void AddExplanations(json& object, const Complaint& complaint) {
  if (complaint.map) object["map"] = ToJson(*complaint.map);
  if (complaint.access) object["access"] = ToJson(*complaint.access);
  if (complaint.reason) object["reason"] = ToJson(*complaint.reason);
}

json CaseJson(const CaseResult& result) {
  const Complaint first = result.complaints.empty() ? Complaint() : result.complaints.front();
  json object = {{"name", result.name},      {"verdict", Name(result.verdict)},
                 {"message", first.message}, {"file", first.where.file},
                 {"line", first.where.line}, {"hint", first.hint},
                 {"seconds", result.seconds}};
  if (!result.complaints.empty()) AddKind(object, first);
  AddExplanations(object, first);
  json more = json::array();
  for (std::size_t i = 1; i < result.complaints.size(); ++i) {
    const Complaint& complaint = result.complaints[i];
    more.push_back({{"message", complaint.message},
                    {"file", complaint.where.file},
                    {"line", complaint.where.line},
                    {"hint", complaint.hint}});
    AddKind(more.back(), complaint);
    AddExplanations(more.back(), complaint);
  }
  if (!more.empty()) object["more"] = std::move(more);
  for (const auto& target : result.targets) {
    object["measures"].push_back(target.measure);
    object["targets"].push_back(ToJson(target));
  }
  if (result.speed) object["speed"] = ToJson(*result.speed);
  return object;
}

json Cases(const std::vector<CaseResult>& results) {
  json cases = json::array();
  for (const CaseResult& result : results) cases.push_back(CaseJson(result));
  return cases;
}

// Returns the complaints as people see them: one for each mistake, with the short names of the
// cases that make it.
json ComplaintsJson(const CriterionGrade& criterion) {
  json complaints = json::array();
  for (const ComplaintGroup& group : GroupComplaints(criterion)) {
    const Complaint& complaint = *group.complaint;
    complaints.push_back({{"message", complaint.message},
                          {"file", complaint.where.file},
                          {"line", complaint.where.line},
                          {"hint", complaint.hint},
                          {"cases", group.cases}});
    AddKind(complaints.back(), complaint);
    AddExplanations(complaints.back(), complaint);
  }
  return complaints;
}

// Adds all counters; those that were not measured are null.
void AddCounters(json& object, const CounterSet& counters) {
  for (std::size_t i = 0; i < kCounterCount; ++i) {
    const auto counter = static_cast<Counter>(i);
    const auto value = counters[counter];
    object[std::string(Info(counter).name)] = value ? json(*value) : json(nullptr);
  }
}

// Adds the time and the resources of a launch, and what limits it.
void AddSpeed(json& object, const LaunchRecord& record) {
  if (const auto& timing = record.timing) {
    object["timing"] = ToJson(*timing);
    if (const auto bandwidth = AchievedBandwidth(record)) {
      object["timing"]["bytes_per_second"] = *bandwidth;
    }
  }
  if (record.resources) object["resources"] = ToJson(*record.resources);
  if (record.use) object["use"] = ToJson(*record.use);
  if (auto limiter = LimiterJson(record, record.launches); !limiter.is_null()) {
    object["limiter"] = std::move(limiter);
  }
}

json LaunchJson(const CaseLaunch& launch) {
  const LaunchRecord& record = launch.record;
  json counters = json::object();
  AddCounters(counters, record.counters);
  json lines = json::array();
  for (const LineCounters& line : record.lines) {
    json object = {{"file", line.where.file}, {"line", line.where.line}};
    AddCounters(object, line.counters);
    lines.push_back(std::move(object));
  }
  json object = {
      {"case", launch.case_name},
      {"kernel", record.kernel},
      {"grid", {record.grid.x, record.grid.y, record.grid.z}},
      {"block", {record.block.x, record.block.y, record.block.z}},
      {"shared_bytes", record.shared_bytes},
      {"error", record.error == DeviceError::kSuccess ? "" : CudaErrorName(record.error)},
      {"counters", std::move(counters)},
      {"lines", std::move(lines)}};
  if (record.launches != 1) object["launches"] = record.launches;
  if (!record.not_measured.empty()) object["not_measured"] = record.not_measured;
  AddSpeed(object, record);
  return object;
}

json FindingJson(const std::string& case_name, const Finding& finding) {
  return {{"kind", Name(finding.kind)}, {"file", finding.where.file}, {"line", finding.where.line},
          {"message", finding.message}, {"kernel", finding.kernel},   {"case", case_name},
          {"count", finding.count}};
}

// Returns what the GPU saw of the same calls, or null if there was no GPU.
json WitnessJson(const Attempt& attempt) {
  if (!attempt.witness) return nullptr;
  const Witness& witness = *attempt.witness;
  json launches = json::array();
  for (const CaseLaunch& launch : witness.report.launches) launches.push_back(LaunchJson(launch));
  json disagreements = json::array();
  for (const Disagreement& one : witness.disagreements) {
    disagreements.push_back(ToJson(one));
    disagreements.back()["contradicts"] = one.contradicts();
  }
  return {{"device_name", witness.report.device_name},
          {"missing", witness.missing},
          {"uncounted", witness.uncounted},
          {"cases", Cases(witness.report.cases)},
          {"disagreements", std::move(disagreements)},
          {"launches", std::move(launches)}};
}

}  // namespace

std::string JsonReport(const Grade& grade) {
  const Attempt& attempt = grade.attempt;
  json report = GradeJson(grade);
  for (std::size_t i = 0; i < grade.criteria.size(); ++i) {
    report["criteria"][i]["complaints"] = ComplaintsJson(grade.criteria[i]);
    report["criteria"][i]["cases"] = Cases(grade.criteria[i].cases);
  }
  json launches = json::array();
  json findings = json::array();
  for (const CaseLaunch& launch : attempt.report.launches) {
    launches.push_back(LaunchJson(launch));
    for (const Finding& finding : launch.record.findings) {
      findings.push_back(FindingJson(launch.case_name, finding));
    }
  }
  for (const CaseFinding& finding : attempt.report.findings) {
    findings.push_back(FindingJson(finding.case_name, finding.finding));
  }
  report["information"] = Cases(grade.information);
  report["launches"] = std::move(launches);
  report["findings"] = std::move(findings);
  report["approximations"] = ValueToJson(attempt.report.approximations);
  if (attempt.report.experiments) {
    report["experiments"] = ValueToJson(*attempt.report.experiments);
  }
  report["timelines"] = ValueToJson(attempt.report.timelines);
  report["witness"] = WitnessJson(attempt);
  return JsonText(report, 2) + "\n";
}

}  // namespace warpcheck
