// Tests what the reports for learning platforms may never do, whatever the submission does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "grading/student_view.h"
#include "report/grades.h"
#include "report/machine/text_budget.h"
#include "report/reports.h"
#include "report/terminal/terminal_report.h"

namespace warpcheck {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using Json = nlohmann::json;

TEST(Autolab, WritesOneLineWithTheProblemsOfTheLab) {
  for (const NamedGrade& named : TypicalGrades()) {
    const std::string text = AutolabReport(named.grade);
    EXPECT_EQ(text.find('\n'), text.size() - 1) << named.name;
    const Json result = Json::parse(text);
    double sum = 0;
    for (const auto& [id, points] : result["scores"].items()) sum += points.get<double>();
    EXPECT_EQ(std::llround(sum * 100), named.grade.score.hundredths()) << named.name;
    EXPECT_EQ(result.contains("scoreboard"), named.grade.score_is_final) << named.name;
    for (const CriterionGrade& criterion : named.grade.criteria) {
      EXPECT_EQ(result["scores"].contains(criterion.id), !IsUndecided(criterion.verdict))
          << named.name << ": " << criterion.id;
    }
  }
  const std::string hostile = AutolabReport(HostileGrade(20));
  EXPECT_EQ(hostile.find('\n'), hostile.size() - 1);
  EXPECT_TRUE(Json::accept(hostile));
}

TEST(Prairielearn, TakesNoAttemptForWhatIsNotGraded) {
  int gradable = 0, not_gradable = 0;
  for (const NamedGrade& named : TypicalGrades()) {
    const Grade& grade = named.grade;
    const Json result = Json::parse(PrairielearnReport(grade));
    const bool expected = grade.score_is_final && !grade.attempt.build.error;
    EXPECT_EQ(result["gradable"], expected) << named.name;
    ++(expected ? gradable : not_gradable);
    if (!expected) {
      EXPECT_FALSE(result.contains("score")) << named.name;
      EXPECT_EQ(result["format_errors"].size(), 1U) << named.name;
      continue;
    }
    EXPECT_GE(result["score"], 0.0);
    EXPECT_LE(result["score"], 1.0);
    ASSERT_EQ(result["tests"].size(), grade.criteria.size());
    for (std::size_t i = 0; i < grade.criteria.size(); ++i) {
      EXPECT_EQ(result["tests"][i]["name"], grade.criteria[i].name);
    }
  }
  EXPECT_GT(gradable, 0);
  EXPECT_GT(not_gradable, 0);
}

TEST(Prairielearn, DrawsTheAccessOfAComplaint) {
  std::size_t pictures = 0;
  for (const NamedGrade& named : TypicalGrades()) {
    const Json result = Json::parse(PrairielearnReport(named.grade));
    if (!result.contains("tests")) continue;
    for (const Json& test : result["tests"]) {
      if (!test.contains("images")) continue;
      for (const Json& picture : test["images"]) {
        ++pictures;
        EXPECT_THAT(picture["url"].get<std::string>(), StartsWith("data:image/svg+xml;base64,"));
        EXPECT_THAT(picture["label"].get<std::string>(), HasSubstr("lane"));
      }
    }
  }
  EXPECT_GT(pictures, 0U);
}

TEST(Coursera, SaysTheShareOfThePoints) {
  for (const NamedGrade& named : TypicalGrades()) {
    const Json result = Json::parse(CourseraReport(named.grade));
    EXPECT_DOUBLE_EQ(result["fractionalScore"].get<double>() *
                         static_cast<double>(named.grade.max_score.hundredths()),
                     static_cast<double>(named.grade.score.hundredths()))
        << named.name;
    EXPECT_EQ(result["feedbackType"], "HTML");
  }
}

TEST(HostileGrade, StaysWithinTheLimitsOfEachPlatform) {
  Grade grade = HostileGrade(20);
  EXPECT_LT(PrairielearnReport(grade).size(), 1'000'000U);
  EXPECT_LT(CourseraReport(grade).size(), 64'000U);
  // All criteria are long, and full of characters that JSON escapes.
  const std::string quotes(200'000, '"');
  for (int i = 0; i < 100; ++i) grade.criteria.push_back(grade.criteria.front());
  for (CriterionGrade& criterion : grade.criteria) {
    criterion.name = criterion.reason = quotes;
    criterion.verdict = Verdict::kFailed;
    criterion.cases.clear();
  }
  grade.score_is_final = true;
  grade.attempt.build.error.reset();
  const std::string prairielearn = PrairielearnReport(grade);
  EXPECT_LT(prairielearn.size(), 1'000'000U);
  EXPECT_TRUE(Json::parse(prairielearn)["gradable"]);
  EXPECT_LT(CourseraReport(grade).size(), 64'000U);
  auto& error = grade.attempt.build.error.emplace();
  error.log = quotes + quotes;
  EXPECT_LT(PrairielearnReport(grade).size(), 1'000'000U);
  EXPECT_LT(CourseraReport(grade).size(), 64'000U);
}

// Every text of the first criterion, of its tests and of its lines, has the word.
Grade WithASecret() {
  Grade grade = TypicalGrades().front().grade;
  for (const NamedGrade& named : TypicalGrades()) {
    if (named.name == "naive") grade = named.grade;
  }
  std::set<std::string> cases;
  for (CriterionGrade& criterion : grade.criteria) {
    if (criterion.verdict != Verdict::kFailed) continue;
    criterion.hidden = true;
    criterion.name += " Secret";
    criterion.id += "-secret";
    for (CaseResult& result : criterion.cases) {
      cases.insert(result.name);
      result.name += "Secret";
      for (Complaint& complaint : result.complaints) {
        complaint.message += " secret";
        complaint.hint += " secret";
      }
    }
  }
  EXPECT_FALSE(cases.empty());
  std::erase_if(grade.criteria, [](const CriterionGrade& one) {
    return one.verdict == Verdict::kSkipped;  // it names the one that it requires
  });
  ChecksReport& report = grade.attempt.report;
  for (CaseResult& result : report.cases) {
    if (cases.contains(result.name)) result.name += "Secret";
  }
  for (CaseLaunch& launch : report.launches) {
    if (!cases.contains(launch.case_name)) continue;
    launch.case_name += "Secret";
    launch.record.kernel = "secret";
  }
  report.device_output = report.host_output = "secret";
  return grade;
}

TEST(HiddenCriteria, AreInNoReportThatAStudentSees) {
  const Grade grade = WithASecret();
  const Grade shown = StudentView(grade);
  for (const ReportFormat& format : ReportFormats()) {
    std::string text = format.write(format.reader == Reader::kPlatform ? grade : shown);
    EXPECT_THAT(format.write(StaffView(grade)), AnyOf(HasSubstr("ecret"), HasSubstr("score")))
        << format.name;
    if (std::string_view(format.name) == "gradescope") {
      // Gradescope keeps tests back by their visibility.
      const Json result = Json::parse(text);
      int kept = 0;
      std::string visible;
      for (const Json& test : result["tests"]) {
        if (test["visibility"] == "after_due_date") {
          ++kept;
        } else {
          visible += test.dump();
        }
      }
      EXPECT_EQ(kept, 1);
      text = visible + result["output"].dump();
    }
    EXPECT_THAT(text, Not(HasSubstr("ecret"))) << format.name;
  }
  const std::string terminal = TerminalReport(shown, {});
  EXPECT_THAT(terminal, Not(HasSubstr("ecret")));
  EXPECT_THAT(terminal, HasSubstr("Hidden tests: 20 points, shown after the deadline"));
  EXPECT_THAT(TerminalReport(StaffView(grade), {}), HasSubstr("ecret"));
}

TEST(HiddenCriteria, CountInTheScoresOfPlatforms) {
  const Grade grade = WithASecret();
  const Json autolab = Json::parse(AutolabReport(grade));
  EXPECT_EQ(autolab["scores"]["hidden-tests"], 0);
  EXPECT_EQ(autolab["scoreboard"][0], 60);
  Grade full = grade;
  for (CriterionGrade& criterion : full.criteria) criterion.points = criterion.max_points;
  full.score = full.max_score;
  EXPECT_EQ(Json::parse(AutolabReport(full))["scores"]["hidden-tests"], 20);
  EXPECT_EQ(Json::parse(PrairielearnReport(full))["score"], 1.0);
  EXPECT_EQ(Json::parse(CourseraReport(full))["fractionalScore"], 1.0);
}

TEST(TextBudget, CountsWhatJsonNeeds) {
  TextBudget budget(100);
  EXPECT_EQ(budget.Within("short"), "short");
  const std::string cut = budget.Within(std::string(90, '\n'));
  EXPECT_LT(cut.size(), 50U);
  EXPECT_GT(cut.size(), 10U);
  EXPECT_FALSE(budget.Take(80));
  EXPECT_THAT(budget.Within(std::string(90, 'a')), Not(HasSubstr(std::string(60, 'a'))));
}

}  // namespace
}  // namespace warpcheck
