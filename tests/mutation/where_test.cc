#include "proof/mutation/where.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "proof/mutation/grader.h"

namespace warpcheck::mutation {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Source Program() {
  return Source::Parse("void f() {\n  int x = 1;\n\n  __syncthreads();\n}\n", "f.cu").value();
}

Mutant MutantNamed(const Source& source, std::string_view name) {
  for (Mutant& mutant : MutantsOf(source)) {
    if (mutant.Name() == name) return std::move(mutant);
  }
  ADD_FAILURE() << "no mutant " << name;
  return {};
}

TEST(Where, TheChangedLineIsWrong) {
  const Source source = Program();
  EXPECT_THAT(WrongLines(source, MutantNamed(source, "2:11 1 to 2")), ElementsAre(2));
}

TEST(Where, TheLineBeforeWhatIsMissingIsWrongToo) {
  const Source source = Program();
  EXPECT_THAT(WrongLines(source, MutantNamed(source, "4:3 without __syncthreads()")),
              ElementsAre(2, 4));
}

TEST(Where, CountsFoundMutantsAndRightLinesByKind) {
  const Source source = Program();
  const auto add = [&](WhereTable& table, std::vector<int> named, bool by_experiments) {
    Grading grading{.outcome = Grading::Outcome::kKilled, .detail = ""};
    grading.named = std::move(named);
    grading.named_by_experiments = by_experiments;
    AddTo(table, source, {MutantNamed(source, "2:11 1 to 2"), grading});
  };
  WhereTable table;
  add(table, {2, 4}, true);
  add(table, {2}, false);
  add(table, {4}, true);
  add(table, {}, false);
  const WhereCounts& counts = table.at("number");
  EXPECT_EQ(counts.lost, 4U);
  EXPECT_EQ(counts.found, 2U);
  EXPECT_EQ(counts.by_experiments, 1U);
  EXPECT_EQ(counts.lines, 4U);
  EXPECT_EQ(counts.right, 2U);
  EXPECT_EQ(TextOf(table),
            "kind of change          lost    line found  by experiments   lines         right\n"
            "number                     4      2   50 %               1       4      2   50 %\n"
            "all                        4      2   50 %               1       4      2   50 %\n");
}

TEST(Where, IgnoresMutantsThatLoseNothing) {
  const Source source = Program();
  WhereTable table;
  AddTo(
      table, source,
      {MutantNamed(source, "2:11 1 to 2"), {.outcome = Grading::Outcome::kSurvived, .detail = ""}});
  EXPECT_THAT(table, IsEmpty());
}

std::string Report(const std::string& cures) {
  return R"({"score": 0, "max_score": 10, "score_is_final": true, "verdict": "failed",
             "compile_error": null, "experiments": {"cures": [)" +
         cures + R"(]}, "criteria": [{"id": "right", "points": 0, "verdict": "failed", "cases": [
             {"verdict": "failed", "line": 7}, {"verdict": "failed", "line": 0},
             {"verdict": "failed", "line": 7}, {"verdict": "passed", "line": 9}]}]})";
}

TEST(Where, LinesOfExperimentsComeBeforeThoseOfComplaints) {
  EXPECT_THAT(GradingFrom(Report("")).named, ElementsAre(7));
  EXPECT_FALSE(GradingFrom(Report("")).named_by_experiments);
  const std::string cure = R"({"where": {"line": 3}})";
  EXPECT_THAT(GradingFrom(Report(cure)).named, ElementsAre(3));
  EXPECT_TRUE(GradingFrom(Report(cure)).named_by_experiments);
  const std::string many = cure + "," + cure + "," + cure + "," + cure;
  EXPECT_THAT(GradingFrom(Report(many)).named, ElementsAre(7)) << "none of many places is known";
}

}  // namespace
}  // namespace warpcheck::mutation
