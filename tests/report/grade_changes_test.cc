#include "report/changes/grade_changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/changes/watched_page.h"
#include "report/grades.h"

namespace warpcheck {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Grade Typical(const std::string& name) {
  for (const NamedGrade& one : TypicalGrades()) {
    if (one.name == name) return one.grade;
  }
  ADD_FAILURE() << "no grade " << name;
  return {};
}

TEST(GradeChanges, SayThatNothingChanged) {
  EXPECT_THAT(GradeChanges(Typical("naive"), Typical("naive")),
              ElementsAre("Score: still 60 of 100"));
}

TEST(GradeChanges, NameWhatWasGainedAndIsGone) {
  EXPECT_THAT(
      GradeChanges(Typical("naive"), Typical("full")),
      ElementsAre("Score: 60 before, now 100 of 100",
                  "Gained: Coalesced loads and stores (0 before, now 20 of 20)",
                  "Gained: No bank conflicts (0 before, now 20 of 20)",
                  "Gone: naive.cu:6: global store: 131,072 sectors moved for 16,384 sectors of "
                  "data: 8 for each needed (32 sectors a request, 4 is perfect here)"));
}

TEST(GradeChanges, NameWhatWasLostAndIsNew) {
  const auto changes = GradeChanges(Typical("full"), Typical("wrong"));
  EXPECT_EQ(changes[0], "Score: 100 before, now 0 of 100");
  EXPECT_THAT(changes, testing::Contains(HasSubstr("Lost: Right for every shape")));
  EXPECT_THAT(changes, testing::Contains(HasSubstr("New: naive.cu:6: 992 of 1,023 elements")));
  EXPECT_THAT(changes, Not(testing::Contains(HasSubstr("Gone"))));
}

TEST(GradeChanges, TakeAComplaintAtAnotherLineOrInOtherWordsAsTheSame) {
  Grade moved = Typical("naive");
  for (CriterionGrade& criterion : moved.criteria) {
    for (CaseResult& result : criterion.cases) {
      for (Complaint& complaint : result.complaints) {
        complaint.where.line += 3;
        complaint.message = "in andern Worten";
      }
    }
  }
  EXPECT_THAT(GradeChanges(Typical("naive"), moved), ElementsAre("Score: still 60 of 100"));
}

TEST(GradeChanges, SayOnlyThatItDoesNotCompile) {
  EXPECT_THAT(GradeChanges(Typical("naive"), Typical("compile_error")),
              ElementsAre("It does not compile any more: naive.cu:6: identifier \"row\" is "
                          "undefined"));
}

TEST(WatchedPage, ReloadsItselfAndShowsTheChanges) {
  const std::string page = WatchedPage(Typical("full"), {"Gained: <b> & \"more\""}, 2);
  EXPECT_THAT(page, HasSubstr("<meta http-equiv=\"refresh\" content=\"2\">"));
  EXPECT_THAT(page, HasSubstr("<h2>Since the last time</h2>"));
  EXPECT_THAT(page, HasSubstr("Gained: &lt;b&gt; &amp;"));
  EXPECT_LT(page.find("Since the last time"), page.find("<h1>"));
}

TEST(WatchedPage, IsAnOrdinaryPageAtTheEnd) {
  const std::string page = WatchedPage(Typical("full"), {}, 0);
  EXPECT_THAT(page, Not(HasSubstr("http-equiv=\"refresh\"")));
  EXPECT_THAT(page, Not(HasSubstr("Since the last time")));
}

}  // namespace
}  // namespace warpcheck
