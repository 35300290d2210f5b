#include "proof/mutation/grader.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/files.h"
#include "process/run_program.h"

namespace warpcheck::mutation {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Outcome = Grading::Outcome;

constexpr std::chrono::minutes kLimit{15};
constexpr char kSeed[] = "20260";  // any constant is right as the seed

Grading Fault(std::string detail) { return {Outcome::kFault, std::move(detail)}; }

ProgramRun RunOf(const GraderOptions& options, const std::string& assignment,
                 const fs::path& program, const fs::path& report) {
  ProgramRun run;
  run.program = "/usr/bin/env";
  run.arguments = {"WARPCHECK_CACHE=" + (options.scratch / "cache").string(),
                   "TMPDIR=" + program.parent_path().string(),
                   options.warpcheck.string(),
                   "check",
                   assignment,
                   program.string(),
                   "--device",
                   "emulator",
                   "--seed",
                   kSeed,
                   "--json",
                   report.string()};
  if (!options.experiments) run.arguments.push_back("--no-experiments");
  if (!options.sandboxed) run.arguments.push_back("--no-sandbox");
  run.limit = kLimit;
  run.max_output = 2000;
  return run;
}

Grading GradeOne(const GraderOptions& options, const std::string& assignment,
                 const std::string& program, std::size_t worker) {
  const fs::path folder = WorkIn(options.scratch) / fmt::format("{}_{}", assignment, worker);
  const fs::path source = folder / (assignment + ".cu");
  const fs::path report = folder / "report.json";
  std::error_code error;
  fs::create_directories(folder, error);
  fs::remove(report, error);
  if (const auto written = WriteFile(source, program); !written) {
    return Fault(written.error().Text());
  }
  const ProgramRun run = RunOf(options, assignment, source, report);
  const auto end = RunProgram(run);
  if (!end) return Fault(end.error().Text());
  const auto text = ReadFile(report);
  if (!text) return Fault(fmt::format("warpcheck {}: {}", end->Text(kLimit), end->output));
  return GradingFrom(*text);
}

void AddCriterion(const json& criterion, Grading& grading) {
  CriterionPoints& points = grading.criteria.emplace_back();
  points.id = criterion.at("id").get<std::string>();
  points.points = criterion.at("points").get<double>();
  const std::string verdict = criterion.at("verdict").get<std::string>();
  points.judged = verdict == "passed" || verdict == "failed" || verdict == "error";
  std::set<std::string> measures;
  for (const json& result : criterion.at("cases")) {
    for (const json& measure : result.value("measures", json::array())) {
      measures.insert(measure.get<std::string>());
    }
    grading.blamed.insert(result.at("line").get<int>());
    for (const json& complaint : result.value("more", json::array())) {
      grading.blamed.insert(complaint.at("line").get<int>());
    }
  }
  points.of_work = !measures.empty();
  points.of_local_memory = measures == std::set<std::string>{"sectors of local memory"};
}

// Returns ": <name>: <message>" of the first case with this verdict; empty if there is none.
std::string WhyOf(const json& grade, const std::string& verdict) {
  for (const json& criterion : grade.value("criteria", json::array())) {
    for (const json& result : criterion.at("cases")) {
      if (result.value("verdict", "") != verdict) continue;
      return fmt::format(": {}: {}", result.value("name", ""), result.value("message", ""));
    }
  }
  return {};
}

// If complaints or experiments name more lines, none of them is known to be the mistake.
constexpr std::size_t kMostNamed = 3;

// Returns the known lines of `places`, each once.
std::vector<int> LinesOf(const std::vector<int>& places) {
  std::vector<int> lines;
  for (const int line : places) {
    if (line != 0 && std::ranges::find(lines, line) == lines.end()) lines.push_back(line);
  }
  return lines;
}

void AddNamed(const json& grade, Grading& grading) {
  std::vector<int> cures;
  if (grade.contains("experiments") && grade.at("experiments").is_object()) {
    for (const json& cure : grade.at("experiments").at("cures")) {
      cures.push_back(cure.at("where").at("line").get<int>());
    }
  }
  if (!cures.empty() && cures.size() <= kMostNamed) {
    grading.named = LinesOf(cures);
    grading.named_by_experiments = true;
    return;
  }
  std::vector<int> blamed;
  for (const json& criterion : grade.value("criteria", json::array())) {
    for (const json& result : criterion.at("cases")) {
      if (result.value("verdict", "") != "passed") blamed.push_back(result.at("line").get<int>());
    }
  }
  grading.named = LinesOf(blamed);
  if (grading.named.size() > kMostNamed) grading.named.clear();
}

unsigned LocalBytes(const json& launches) {
  unsigned most = 0;
  for (const json& launch : launches) {
    const json resources = launch.value("resources", json::object());
    most = std::max(most, resources.value("local_bytes", 0U));
  }
  return most;
}

}  // namespace

Grading GradingFrom(const std::string& report) {
  const json grade = json::parse(report, nullptr, false);
  if (!grade.is_object() || !grade.contains("score")) return Fault("the report is no JSON report");
  if (!grade.at("compile_error").is_null()) {
    return {Outcome::kUncompiled, grade.at("compile_error").at("message").get<std::string>()};
  }
  if (!grade.at("score_is_final").get<bool>()) {
    const auto verdict = grade.at("verdict").get<std::string>();
    return Fault("the verdict is " + verdict + WhyOf(grade, verdict));
  }
  const json& score = grade.at("score");
  const json& max_score = grade.at("max_score");
  Grading grading{score == max_score ? Outcome::kSurvived : Outcome::kKilled,
                  fmt::format("{} of {} points", score.dump(), max_score.dump())};
  for (const json& criterion : grade.value("criteria", json::array())) {
    AddCriterion(criterion, grading);
  }
  AddNamed(grade, grading);
  grading.local_bytes = LocalBytes(grade.value("launches", json::array()));
  return grading;
}

fs::path WorkIn(const fs::path& scratch) { return scratch / "running"; }

Grader MakeGrader(GraderOptions options, std::string assignment) {
  return [options = std::move(options), assignment = std::move(assignment)](
             const std::string& program, std::size_t worker) {
    return GradeOne(options, assignment, program, worker);
  };
}

}  // namespace warpcheck::mutation
