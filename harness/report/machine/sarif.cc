// SARIF 2.1.0, the format of static analysers (OASIS, "Static Analysis Results Interchange
// Format"), for GitHub's code scanning and for editors: a rule for each criterion that lost points,
// and a result for each of its complaints.
#include <fmt/format.h>

#include <cctype>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/hash.h"
#include "base/json/record.h"
#include "report/clean_text.h"
#include "report/complaint_groups.h"
#include "report/machine/criterion_text.h"
#include "report/reports.h"

namespace warpcheck {
namespace {

using Sarif = nlohmann::ordered_json;

// Returns a path as a relative reference of a URI (RFC 3986): all bytes are escaped except those
// that a path may have.
std::string Uri(std::string_view path) {
  std::string uri;
  for (const char c : path) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                       std::string_view("/-._~").find(c) != std::string_view::npos;
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

// A complaint without a known line is a result of the whole submission.
Sarif ResultOf(const Attempt& attempt, const std::string& rule, const Complaint& complaint) {
  const SourceLocation& where = complaint.where;
  const std::string path = where.known() ? PathOf(attempt, where) : CleanText(attempt.submission);
  Sarif place = {{"artifactLocation", {{"uri", Uri(path)}}}};
  if (where.known()) place["region"] = {{"startLine", where.line}};
  std::string message = complaint.message;
  if (!complaint.hint.empty()) message += "\nhint: " + complaint.hint;
  const std::string id = Sha256({rule, path, std::to_string(where.line), Gist(complaint.message)});
  return {{"ruleId", rule},
          {"level", "error"},
          {"message", {{"text", CleanText(message)}}},
          {"locations", Sarif::array({{{"physicalLocation", std::move(place)}}})},
          {"partialFingerprints", {{"complaint/v1", id}}}};
}

}  // namespace

std::string SarifReport(const Grade& grade) {
  const Attempt& attempt = grade.attempt;
  Sarif rules = Sarif::array();
  Sarif results = Sarif::array();
  const auto add = [&](const std::string& id, const std::string& name, const Complaint& complaint) {
    const std::string rule = CleanText(id);
    if (rules.empty() || rules.back()["id"] != rule) {
      rules.push_back({{"id", rule}, {"shortDescription", {{"text", CleanText(name)}}}});
    }
    results.push_back(ResultOf(attempt, rule, complaint));
  };
  if (const auto& error = attempt.build.error) {
    add("compile", "It does not compile", {.message = error->message, .where = error->where});
  }
  for (const auto& [criterion, group] : LostPoints(grade)) {
    add(criterion->id, criterion->name, *group.complaint);
  }
  const Sarif driver = {
      {"name", "warpcheck"}, {"fullName", CleanText(GradedWith(attempt))}, {"rules", rules}};
  const Sarif run = {{"tool", {{"driver", driver}}}, {"results", results}};
  const Sarif log = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                     {"version", "2.1.0"},
                     {"runs", Sarif::array({run})}};
  return JsonText(log, 2) + "\n";
}

}  // namespace warpcheck
