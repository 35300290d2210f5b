// Grades the programs of tests/submissions/hostile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/files.h"
#include "grading/validation.h"
#include "hostile/grading.h"

namespace warpcheck::hostile {
namespace {

namespace fs = std::filesystem;

struct Attack {
  fs::path path;

  std::string verdict() const { return path.parent_path().filename(); }
  std::string assignment() const { return path.parent_path().parent_path().filename(); }
};

void PrintTo(const Attack& attack, std::ostream* out) { *out << attack.path.string(); }

std::vector<Attack> AllAttacks() {
  std::vector<Attack> attacks;
  const fs::path folder = fs::path(WARPCHECK_SOURCE_DIR) / "tests/submissions/hostile";
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".cu") attacks.push_back({entry.path()});
  }
  std::ranges::sort(attacks, {}, &Attack::path);
  return attacks;
}

std::string FirstComplaint(const Grade& grade) {
  if (grade.attempt.build.error) return grade.attempt.build.error->log;
  for (const CaseResult& result : grade.attempt.report.cases) {
    if (!result.complaints.empty()) return result.complaints.front().message;
  }
  return {};
}

class HostileProgram : public testing::TestWithParam<Attack> {};

TEST_P(HostileProgram, GetsWhatItMust) {
  const auto text = ReadFile(GetParam().path);
  ASSERT_TRUE(text);
  const auto expectation = ParseExpectation(*text, GetParam().path);
  ASSERT_TRUE(expectation) << expectation.error().Text();
  const auto graded = GradeInTheWorld(GetParam().assignment(), GetParam().path);
  ASSERT_TRUE(graded) << graded.error().Text();
  EXPECT_THAT(Unmet(*expectation, *graded), testing::IsEmpty());
  EXPECT_EQ(Name(graded->verdict), GetParam().verdict()) << FirstComplaint(*graded);
}

INSTANTIATE_TEST_SUITE_P(All, HostileProgram, testing::ValuesIn(AllAttacks()),
                         [](const auto& instance) {
                           const Attack& attack = instance.param;
                           return attack.assignment() + "_" + attack.path.stem().string();
                         });

}  // namespace
}  // namespace warpcheck::hostile
