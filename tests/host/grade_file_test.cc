// Tests grading with JSON as input and output. The programs that it starts lie in the folder of
// this test.
#include "host/grade_file.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace warpcheck {
namespace {

using nlohmann::json;

json Graded(const json& order) { return json::parse(GradeFile(order.dump())); }

TEST(GradeFile, ReportsAGrade) {
  const std::string reference = WARPCHECK_SOURCE_DIR "/reference/transpose.cu";
  const json answer = Graded({{"assignment", "transpose"}, {"submission", reference}});
  ASSERT_TRUE(answer.contains("report")) << answer;
  const json& report = answer["report"];
  EXPECT_EQ(report["assignment"], "transpose");
  EXPECT_EQ(report["device"], "emulator");
  EXPECT_EQ(report["seed"], 0);
  EXPECT_EQ(report["score_is_final"], true);
  EXPECT_EQ(report["score"], report["max_score"]) << answer;
}

TEST(GradeFile, SaysWhatIsWrongWithAnOrder) {
  EXPECT_TRUE(json::parse(GradeFile("{")).contains("error"));
  EXPECT_TRUE(json::parse(GradeFile("[]")).contains("error"));
  const json lacking = Graded({{"assignment", "transpose"}});
  EXPECT_EQ(lacking["error"]["message"], "no field \"submission\"");
}

TEST(GradeFile, SaysWhichAssignmentIsMissing) {
  const json answer = Graded({{"assignment", "transpoze"}, {"submission", "t.cu"}});
  EXPECT_NE(answer["error"]["message"].get<std::string>().find("transpoze"), std::string::npos);
}

}  // namespace
}  // namespace warpcheck
