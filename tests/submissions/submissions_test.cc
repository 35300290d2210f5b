#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/files.h"
#include "expectation.h"

namespace warpcheck::submissions {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct Submission {
  std::string assignment;
  std::string verdict;
  fs::path path;
};

void PrintTo(const Submission& submission, std::ostream* out) { *out << submission.path; }

std::vector<Submission> AllSubmissions() {
  std::vector<Submission> all;
  const fs::path root = fs::path(WARPCHECK_SOURCE_DIR) / "tests/submissions";
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".cu") continue;
    const fs::path verdict = entry.path().parent_path();
    all.push_back({verdict.parent_path().filename(), verdict.filename(), entry.path()});
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return all;
}

std::string Quoted(const fs::path& path) { return "'" + path.string() + "'"; }

// Grades as `warpcheck check` does and returns its JSON report.
json Grade(const std::string& assignment, const fs::path& submission, const std::string& tag) {
  const fs::path build = WARPCHECK_BUILD_DIR;
  const fs::path report = build / ("submission_" + tag + ".json");
  fs::remove(report);
  const std::string command = "WARPCHECK_CACHE=" + Quoted(build / "submission_cache") + " " +
                              Quoted(build / "warpcheck") + " check " + assignment + " " +
                              Quoted(submission) + " --device emulator --seed 20260 --json " +
                              Quoted(report) + " > /dev/null 2>&1";
  const int status = std::system(command.c_str());
  EXPECT_TRUE(WIFEXITED(status)) << command;
  EXPECT_LE(WEXITSTATUS(status), 1) << command;
  const auto text = ReadFile(report);
  if (!text) {
    ADD_FAILURE() << text.error().Text() << "\n" << command;
    return json::object();
  }
  return json::parse(*text);
}

void DropTimes(json& value) {
  if (value.is_object()) value.erase("seconds");
  if (value.is_structured()) {
    for (auto& element : value) DropTimes(element);
  }
}

class Submissions : public testing::TestWithParam<Submission> {};

TEST_P(Submissions, AreGradedAsTheySay) {
  const auto source = ReadFile(GetParam().path);
  ASSERT_TRUE(source) << source.error().Text();
  json report = Grade(GetParam().assignment, GetParam().path, "first");
  ASSERT_TRUE(report.contains("score"));
  EXPECT_THAT(Unmet(ParseExpectation(*source), GetParam().verdict, report), testing::IsEmpty())
      << report.at("criteria").dump(1).substr(0, 20'000);

  json again = Grade(GetParam().assignment, GetParam().path, "second");
  DropTimes(report);
  DropTimes(again);
  EXPECT_EQ(report, again) << json::diff(report, again).dump(1);
}

INSTANTIATE_TEST_SUITE_P(All, Submissions, testing::ValuesIn(AllSubmissions()),
                         [](const auto& submission) {
                           return submission.param.assignment + "_" + submission.param.verdict +
                                  "_" + submission.param.path.stem().string();
                         });

// The reference and the skeleton that students receive, for every assignment.
class Assignments : public testing::TestWithParam<std::string> {};

std::vector<std::string> AllAssignments() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(WARPCHECK_SOURCE_DIR) / "assignments")) {
    if (entry.is_directory()) names.push_back(entry.path().filename());
  }
  std::sort(names.begin(), names.end());
  return names;
}

TEST_P(Assignments, GiveTheReferenceFullMarksAndTheSkeletonNone) {
  const fs::path root = WARPCHECK_SOURCE_DIR;
  const json reference = Grade(GetParam(), root / "reference" / (GetParam() + ".cu"), "reference");
  EXPECT_EQ(reference.at("score"), reference.at("max_score"));
  const json skeleton =
      Grade(GetParam(), root / "student_template" / (GetParam() + ".cu"), "skeleton");
  EXPECT_EQ(skeleton.at("score"), 0);
}

INSTANTIATE_TEST_SUITE_P(All, Assignments, testing::ValuesIn(AllAssignments()),
                         [](const auto& submission) { return submission.param; });

TEST(Expectation, ReadsWhatAFileSaysOfItself) {
  const Expectation expectation =
      ParseExpectation("// score: 60\n// says: one thing\n  out[i] = 1;  // expect: sectors\n");
  EXPECT_EQ(expectation.score, 60);
  EXPECT_THAT(expectation.says, testing::ElementsAre("one thing"));
  EXPECT_THAT(expectation.lines, testing::ElementsAre(LineExpectation{3, "sectors"}));
}

TEST(Expectation, NamesWhatAReportDoesNotHold) {
  const json report = {{"score", 0},
                       {"verdict", "error"},
                       {"criteria", {{{"cases", {{{"message", "all well"}, {"line", 2}}}}}}}};
  const Expectation expectation{
      .score = 60, .says = {"all well", "bad"}, .lines = {{2, "all"}, {3, "all"}}};
  EXPECT_THAT(Unmet(expectation, "failed", report),
              testing::ElementsAre("score: expected 60.000000, got 0.000000",
                                   "verdict: expected failed, got error", "nothing says 'bad'",
                                   "nothing says 'all' of line 3"));
}

}  // namespace
}  // namespace warpcheck::submissions
