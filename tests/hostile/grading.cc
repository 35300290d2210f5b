#include "hostile/grading.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/check.h"
#include "base/files.h"
#include "grading/assignments.h"
#include "host/local_grader.h"
#include "host/places.h"
#include "report/reports.h"
#include "report/terminal/terminal_report.h"

namespace warpcheck::hostile {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kSeed = 4611685912345678901;

void DropTimes(nlohmann::json& value) {
  if (value.is_object()) {
    for (const char* name :
         {"seconds", "started", "build_seconds", "checks_seconds", "from_cache"}) {
      value.erase(name);
    }
  }
  if (value.is_structured()) {
    for (nlohmann::json& element : value) DropTimes(element);
  }
}

std::string AllText(const Graded& graded) {
  if (!graded) return graded.error().Text();
  const compile::Outcome& build = graded->attempt.build;
  return JsonReport(*graded) + JunitReport(*graded) + TerminalReport(*graded, {}) +
         graded->attempt.report.host_output + graded->attempt.report.device_output +
         (build.error ? build.error->log : "") + (build.artifact ? build.artifact->warnings : "");
}

// Expects that the text has no long line of the judge's solution, which no other text would have.
void ExpectNothingOfTheReference(const std::string& assignment, const std::string& output) {
  const auto text = ReadFile(fs::path(WARPCHECK_SOURCE_DIR) / "reference" / (assignment + ".cu"));
  ASSERT_TRUE(text);
  for (std::size_t at = 0, end; (end = text->find('\n', at)) != std::string::npos; at = end + 1) {
    const std::string line = text->substr(at, end - at);
    if (line.size() > 50) {
      EXPECT_EQ(output.find(line), std::string::npos) << line;
    }
  }
}

Assignment Named(const std::string& assignment) {
  const auto found = FindAssignment({{WARPCHECK_SOURCE_DIR, Programs()}}, assignment);
  WARPCHECK_CHECK(found.has_value(), "no such assignment");
  return *found;
}

// These tests are about the sandbox: programs may include any header.
void WriteRubric(const Assignment& assignment, const fs::path& path) {
  std::string text = ReadFile(assignment.rubric).value();
  const std::size_t begin = text.find("forbid = [");
  WARPCHECK_CHECK(begin != std::string::npos, "no rule on headers in the rubric");
  text.erase(begin, text.find(']', begin) + 1 - begin);
  WARPCHECK_CHECK(WriteFile(path, text).has_value(), "cannot write a rubric");
}

fs::path RubricIn(const ScratchFolder& folder, const std::string& assignment) {
  return folder.path() / (assignment + ".toml");
}

std::unique_ptr<LocalGrader> MakeGrader(CompilerLimits limits) {
  LocalGrader::Settings settings;
  settings.plan.seed = kSeed;
  settings.handles_signals = limits == CompilerLimits::kUsual;  // one grader may do so
  if (limits == CompilerLimits::kSmall) {
    settings.compile_limits.cpu_time = std::chrono::seconds(6);
    settings.compile_limits.memory_bytes = std::uint64_t{2} << 30;
  }
  auto made = LocalGrader::Make(std::move(settings));
  WARPCHECK_CHECK(made.has_value(), "cannot grade here");
  return *std::move(made);
}

Graded RunGrader(const Stage& stage, const std::string& name, const fs::path& submission,
                 CompilerLimits limits) {
  Assignment assignment = Named(name);
  assignment.rubric = RubricIn(stage.rubrics, name);
  return stage.graders.at(limits)->GradeIt(assignment, submission);
}

}  // namespace

Stage::Stage() : rubrics(ScratchFolder::Make().value()) {
  const auto assignments = ListAssignments({{WARPCHECK_SOURCE_DIR, Programs()}}).value();
  for (const Assignment& assignment : assignments) {
    WriteRubric(assignment, RubricIn(rubrics, assignment.name));
  }
  for (const CompilerLimits limits : {CompilerLimits::kUsual, CompilerLimits::kSmall}) {
    graders[limits] = MakeGrader(limits);
    // The first grading makes some things that later ones use again: a folder and descriptors.
    const fs::path solution = fs::path(WARPCHECK_SOURCE_DIR) / "reference/transpose.cu";
    (void)RunGrader(*this, "transpose", solution, limits);
  }
  (void)world.Changes();
}

Stage& Stage::Get() {
  static Stage stage;
  return stage;
}

Graded GradeInTheWorld(const std::string& assignment, const fs::path& submission,
                       CompilerLimits limits) {
  Stage& stage = Stage::Get();
  Graded graded = RunGrader(stage, assignment, submission, limits);
  for (const std::string& change : stage.world.Changes()) ADD_FAILURE() << change;
  for (const std::string& secret : stage.world.SecretsIn(AllText(graded))) {
    ADD_FAILURE() << "it got " << secret;
  }
  if (!graded) return graded;
  const std::string& output = graded->attempt.report.host_output;
  EXPECT_EQ(output.find(std::to_string(kSeed)), std::string::npos) << "it got the seed";
  ExpectNothingOfTheReference(assignment, output);
  return graded;
}

std::string Comparable(const Grade& grade) {
  nlohmann::json report = nlohmann::json::parse(JsonReport(grade));
  DropTimes(report);
  return report.dump(1);
}

fs::path Written(const std::string& name, std::string_view text) {
  fs::path path = Stage::Get().world.workplace() / (name + ".cu");
  WARPCHECK_CHECK(WriteFile(path, text).has_value(), "cannot write a submission");
  return path;
}

}  // namespace warpcheck::hostile
