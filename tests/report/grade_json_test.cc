#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "grading/grade.h"
#include "report/grades.h"
#include "report/reports.h"
#include "report/terminal/terminal_report.h"

namespace warpcheck {
namespace {

// Checks that everything which a report shows is unchanged.
void ExpectAlike(const Grade& read, const Grade& written) {
  EXPECT_EQ(JsonReport(read), JsonReport(written));
  EXPECT_EQ(JunitReport(read), JunitReport(written));
  EXPECT_EQ(TerminalReport(read, {}), TerminalReport(written, {}));
  EXPECT_EQ(read.attempt.report, written.attempt.report);
  EXPECT_EQ(read.attempt.sources, written.attempt.sources);
}

TEST(GradeJson, KeepsEveryKindOfGrade) {
  for (const NamedGrade& named : TypicalGrades()) {
    SCOPED_TRACE(named.name);
    const std::string text = ToJson(named.grade).dump();
    ExpectAlike(GradeFrom(nlohmann::json::parse(text)), named.grade);
  }
  ExpectAlike(GradeFrom(ToJson(Grade())), Grade());
}

TEST(GradeJson, TakesWhateverASubmissionCanBringIntoAGrade) {
  const Grade grade = HostileGrade(20);  // its texts are short enough not to be cut
  const std::string text =
      ToJson(grade).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  const Grade read = GradeFrom(nlohmann::json::parse(text));
  EXPECT_EQ(read.score, grade.score);
  EXPECT_EQ(read.criteria.size(), grade.criteria.size());
}

TEST(GradeJson, WritesTimesThatAreNoNumbersAsZero) {
  Grade grade;
  grade.information.emplace_back().seconds = std::numeric_limits<double>::quiet_NaN();
  const auto text = ToJson(grade).dump();
  EXPECT_EQ(GradeFrom(nlohmann::json::parse(text)).information.front().seconds, 0);
}

TEST(GradeJson, NamesWhatIsMissing) {
  nlohmann::json object = ToJson(TypicalGrades().front().grade);
  object["attempt"]["report"].erase("launches");
  try {
    GradeFrom(object);
    FAIL();
  } catch (const std::exception& exception) {
    EXPECT_STREQ(exception.what(), "no field \"launches\"");
  }
}

}  // namespace
}  // namespace warpcheck
