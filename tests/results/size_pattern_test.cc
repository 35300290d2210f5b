#include "results/size_pattern.h"

#include <gtest/gtest.h>

namespace warpcheck {
namespace {

std::vector<SizedTest> Tests(const std::vector<std::string>& right,
                             const std::vector<std::string>& wrong) {
  std::vector<SizedTest> tests;
  for (const std::string& name : right) tests.push_back({name, true});
  for (const std::string& name : wrong) tests.push_back({name, false});
  return tests;
}

TEST(SizePattern, FindsADivisor) {
  EXPECT_EQ(SizePattern(Tests({"16x16x16", "17x15x32", "5x3x48"}, {"1x1x1", "16x16x17", "8x8x40"})),
            "right in the 3 tests in whose names the 3rd number is a multiple of 16; wrong in the "
            "3 others");
  EXPECT_EQ(
      SizePattern(Tests({"64", "1000", "2"}, {"1", "63", "1001"})),
      "right in the 3 tests in whose names the number is a multiple of 2; wrong in the 3 others");
}

TEST(SizePattern, ComparesNumbers) {
  const std::string text = SizePattern(Tests({"1x40", "16x16", "7x9"}, {"40x1", "5x2", "17x15"}));
  EXPECT_NE(text.find("the 1st number is at most the 2nd number"), std::string::npos) << text;
}

TEST(SizePattern, FindsABound) {
  const std::string text = SizePattern(Tests({"7", "1023", "500"}, {"1025", "2001", "4097"}));
  EXPECT_NE(text.find("at most 1,023"), std::string::npos) << text;
}

TEST(SizePattern, SaysNothingIfNoRuleFits) {
  EXPECT_EQ(SizePattern(Tests({"7", "1023", "500"}, {"8", "501", "1024"})), "");
  EXPECT_EQ(SizePattern(Tests({"16"}, {"17", "18", "19"})), "");
  EXPECT_EQ(SizePattern(Tests({"16", "32", "64"}, {"1x1", "2", "3"})), "");
  EXPECT_EQ(SizePattern({}), "");
}

ChecksReport ReportOf(const std::vector<std::pair<std::string, bool>>& cases) {
  ChecksReport report;
  for (const auto& [name, right] : cases) {
    CaseResult result;
    result.name = "Shapes/Right/" + name;
    result.verdict = right ? Verdict::kPassed : Verdict::kFailed;
    if (!right) result.complaints.push_back({.message = "1 of 1 element is wrong"});
    if (!right) result.complaints.back().wrong_result = true;
    report.cases.push_back(result);
  }
  return report;
}

TEST(AddSizePatterns, TellsOnlyOfWrongNumbers) {
  const std::vector<std::pair<std::string, bool>> cases = {
      {"16", true}, {"32", true}, {"48", true}, {"17", false}, {"24", false}, {"1", false}};
  ChecksReport report = ReportOf(cases);
  AddSizePatterns(report);
  EXPECT_NE(report.cases[3].complaints[0].message.find("a multiple of 16"), std::string::npos);
  report = ReportOf(cases);
  report.cases[4].complaints[0].where = {"matmul.cu", 7, 0};
  AddSizePatterns(report);
  EXPECT_EQ(report.cases[3].complaints[0].message, "1 of 1 element is wrong");
}

}  // namespace
}  // namespace warpcheck
