// Tests that logs of SARIF obey the rules of its schema, as far as our logs use it (OASIS, SARIF
// 2.1.0, chapter 3): which fields an object may and must have, and what they may hold.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <re2/re2.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "report/grades.h"
#include "report/machine/run_sarif.h"
#include "report/reports.h"

namespace warpcheck {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Json = nlohmann::json;

// The fields of an object: those with a '!' must be there.
using Fields = std::set<std::string>;
const std::map<std::string, Fields> kObjects = {
    {"log", {"$schema", "version!", "runs!"}},
    {"run", {"tool!", "results"}},
    {"tool", {"driver!"}},
    {"driver", {"name!", "fullName", "version", "rules"}},
    {"rule", {"id!", "shortDescription", "fullDescription", "help", "defaultConfiguration"}},
    {"configuration", {"level"}},
    {"text", {"text!"}},
    {"result",
     {"ruleId", "ruleIndex", "level", "message!", "locations", "relatedLocations",
      "occurrenceCount", "partialFingerprints"}},
    {"location", {"id", "physicalLocation", "logicalLocations", "message"}},
    {"logical", {"fullyQualifiedName", "kind"}},
    {"physical", {"artifactLocation!", "region"}},
    {"artifact", {"uri"}},
    {"region", {"startLine!"}}};

class SarifRules {
 public:
  static std::vector<std::string> BrokenBy(const std::string& text) {
    SarifRules rules;
    const Json log = Json::parse(text, nullptr, false);
    if (!log.is_object()) return {"no JSON"};
    rules.Log(log);
    return rules.broken_;
  }

 private:
  void Require(bool holds, const std::string& rule) {
    if (!holds) broken_.push_back(rule);
  }

  // Checks the fields of an object. Returns false if it is none.
  bool Object(const Json& value, const std::string& kind) {
    Require(value.is_object(), kind + " is no object");
    if (!value.is_object()) return false;
    const Fields& fields = kObjects.at(kind);
    for (const auto& [name, field] : value.items()) {
      Require(fields.contains(name) || fields.contains(name + '!'),
              fmt::format("{} has {}", kind, name));
    }
    for (const std::string& field : fields) {
      const std::string name = field.substr(0, field.size() - 1);
      if (field.ends_with('!')) {
        Require(value.contains(name), fmt::format("{} lacks {}", kind, name));
      }
    }
    return true;
  }

  void Text(const Json& object, const char* field) {
    if (!object.contains(field) || !Object(object[field], "text")) return;
    Require(!object[field].value("text", "").empty(), std::string(field) + " is empty");
  }

  void Level(const Json& object) {
    static const std::set<std::string> kLevels = {"none", "note", "warning", "error"};
    if (object.contains("level")) Require(kLevels.contains(object["level"]), "level");
  }

  void Log(const Json& log) {
    Object(log, "log");
    Require(log.value("version", "") == "2.1.0", "version");
    for (const Json& run : log["runs"]) {
      if (!Object(run, "run") || !Object(run["tool"], "tool")) continue;
      const Json& driver = run["tool"]["driver"];
      Object(driver, "driver");
      std::vector<std::string> rules;
      for (const Json& rule : driver["rules"]) {
        Object(rule, "rule");
        for (const char* field : {"shortDescription", "fullDescription", "help"}) Text(rule, field);
        if (rule.contains("defaultConfiguration")) {
          Object(rule["defaultConfiguration"], "configuration");
          Level(rule["defaultConfiguration"]);
        }
        rules.push_back(rule["id"]);
      }
      Require(std::set(rules.begin(), rules.end()).size() == rules.size(), "two rules of one id");
      std::set<std::string> fingerprints;
      for (const Json& result : run["results"]) {
        Result(result, rules);
        const Json prints = result.value("partialFingerprints", Json::object());
        Require(!prints.empty(), "fingerprint");
        for (const auto& [name, value] : prints.items()) {
          Require(value.is_string() && fingerprints.insert(value).second, "fingerprint");
        }
      }
    }
  }

  void Result(const Json& result, const std::vector<std::string>& rules) {
    Object(result, "result");
    Text(result, "message");
    Level(result);
    const auto rule = std::find(rules.begin(), rules.end(), result.value("ruleId", ""));
    Require(rule != rules.end(), "ruleId");
    if (result.contains("ruleIndex")) {
      Require(result["ruleIndex"] == rule - rules.begin(), "ruleIndex");
    }
    if (result.contains("occurrenceCount")) Require(result["occurrenceCount"] >= 1, "count");
    Require(!result["locations"].empty(), "GitHub wants a location");
    for (const Json& location : result["locations"]) Location(location);
    std::set<int> ids;
    for (const Json& location : result.value("relatedLocations", Json::array())) {
      Location(location);
      Require(ids.insert(location.value("id", -1)).second, "two locations of one id");
      Require(location.contains("message"), "GitHub wants a message");
    }
  }

  void Location(const Json& location) {
    Object(location, "location");
    Text(location, "message");
    for (const Json& logical : location.value("logicalLocations", Json::array())) {
      Object(logical, "logical");
    }
    const Json& physical = location["physicalLocation"];
    if (!Object(physical, "physical")) return;
    Object(physical["artifactLocation"], "artifact");
    static const re2::RE2 kUri(R"((file://)?[-A-Za-z0-9._~/%]+)");
    Require(re2::RE2::FullMatch(physical["artifactLocation"].value("uri", ""), kUri), "uri");
    if (!physical.contains("region")) return;
    Object(physical["region"], "region");
    Require(physical["region"]["startLine"] >= 1, "startLine");
  }

  std::vector<std::string> broken_;
};

SourceLocation Line(int line) { return {.file = "/home/ada/my work/k.cu", .line = line}; }

run::ProcessResult Racing(int process = 1) {
  run::ProcessResult result;
  result.process = process;
  Finding race;
  race.kind = FindingKind::kSharedRace;
  race.where = Line(12);
  race.other = Line(9);
  race.kernel = "tiled(float const*)";
  race.message = "reads what thread 3 writes";
  race.gap = Gap{.after = Line(9), .before = Line(12), .barrier = "__syncthreads()"};
  race.thread.emplace();
  race.count = 7;
  Finding leak;
  leak.kind = FindingKind::kLeak;
  leak.message = "4 bytes are never freed";
  result.findings = {race, leak};
  return result;
}

RunSarifOptions Options() {
  return {.program = "k.cu",
          .version = "warpcheck 1.2.3",
          .source =
              [](const SourceLocation& where) {
                return where.known() ? "statement " + std::to_string(where.line % 3) : "";
              },
          .shown_file = [](const std::string& file) { return file.substr(10); }};
}

TEST(RunSarif, ObeysTheRulesOfTheSchema) {
  const std::string log = RunSarif({Racing(1), Racing(2)}, Options());
  EXPECT_THAT(SarifRules::BrokenBy(log), IsEmpty()) << log;
  EXPECT_THAT(SarifRules::BrokenBy(RunSarif({}, Options())), IsEmpty());
}

TEST(RunSarif, HasARuleForEachKindAndTheSecondAccess) {
  const Json run = Json::parse(RunSarif({Racing(1), Racing(2)}, Options()))["runs"][0];
  ASSERT_EQ(run["results"].size(), 2U) << "two processes made the same mistakes";
  const Json& race = run["results"][0];
  EXPECT_EQ(race["ruleId"], "shared_race");
  EXPECT_EQ(race["level"], "error");
  EXPECT_EQ(race["occurrenceCount"], 14);
  EXPECT_THAT(race["message"]["text"].get<std::string>(), HasSubstr("hint: "));
  EXPECT_EQ(race["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "my%20work/k.cu");
  EXPECT_EQ(race["locations"][0]["logicalLocations"][0]["fullyQualifiedName"],
            "tiled(float const*)");
  std::vector<int> lines;
  for (const Json& place : race["relatedLocations"]) {
    lines.push_back(place["physicalLocation"]["region"]["startLine"]);
  }
  EXPECT_THAT(lines, testing::Contains(9));
  const Json& leak = run["results"][1];
  EXPECT_EQ(leak["level"], "note");
  EXPECT_EQ(leak["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "k.cu");
  EXPECT_EQ(run["tool"]["driver"]["version"], "1.2.3");
  EXPECT_THAT(run["tool"]["driver"]["rules"][0]["help"]["text"].get<std::string>(),
              HasSubstr("What to do: "));
}

TEST(RunSarif, KeepsAFingerprintWhenLinesAreAdded) {
  run::ProcessResult moved = Racing();
  for (SourceLocation* where : {&moved.findings[0].where, &moved.findings[0].other,
                                &moved.findings[0].gap->after, &moved.findings[0].gap->before}) {
    where->line += 3;
  }
  const auto fingerprint = [](const run::ProcessResult& process) {
    return Json::parse(RunSarif(
        {process}, Options()))["runs"][0]["results"][0]["partialFingerprints"]["finding/v1"];
  };
  EXPECT_EQ(fingerprint(Racing()), fingerprint(moved));
  moved.findings[0].where.line += 1;
  moved.findings[0].gap->before.line += 1;
  EXPECT_NE(fingerprint(Racing()), fingerprint(moved));
}

TEST(Sarif, OfAGradeObeysTheRules) {
  for (const NamedGrade& named : TypicalGrades()) {
    EXPECT_THAT(SarifRules::BrokenBy(SarifReport(named.grade)), IsEmpty()) << named.name;
  }
}

TEST(SarifRules, SeeWhatIsBroken) {
  EXPECT_THAT(SarifRules::BrokenBy("{"), ElementsAre("no JSON"));
  EXPECT_THAT(SarifRules::BrokenBy(R"({"version": "2.0", "extra": 1, "runs": [{"tool": {"driver": {
        "name": "t", "rules": [{"id": "a"}, {"id": "a"}]}}, "results": [{"ruleId": "b",
        "level": "bad", "message": {"text": ""}, "locations": [{"physicalLocation":
        {"artifactLocation": {"uri": "a b"}, "region": {"startLine": 0}}}]}]}]})"),
              ElementsAre("log has extra", "version", "two rules of one id", "message is empty",
                          "level", "ruleId", "uri", "startLine", "fingerprint"));
}

// Returns the fingerprints of a grade's results, with another sentence in each complaint if `other`
// is set.
std::vector<std::string> FingerprintsOf(Grade grade, bool other) {
  std::size_t number = 0;
  for (CriterionGrade& criterion : grade.criteria) {
    for (CaseResult& result : criterion.cases) {
      for (Complaint& complaint : result.complaints) {
        if (other) complaint.message = fmt::format("sentence {}", number++);
      }
    }
  }
  std::vector<std::string> ids;
  const Json report = Json::parse(SarifReport(grade));
  for (const Json& result : report["runs"][0]["results"]) {
    ids.push_back(result["partialFingerprints"]["complaint/v2"]);
  }
  return ids;
}

TEST(Sarif, KnowsAComplaintAgainInOtherWords) {
  for (const NamedGrade& one : TypicalGrades()) {
    EXPECT_EQ(FingerprintsOf(one.grade, true), FingerprintsOf(one.grade, false)) << one.name;
  }
}

}  // namespace
}  // namespace warpcheck
