#include "trial/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "trial/fakes.h"
#include "trial/session_fixture.h"

namespace warpcheck {
namespace {

using testing::ElementsAre;

TEST_F(SessionTest, MakesEachTrialOnce) {
  int made = 0;
  const auto make = [&made] {
    ++made;
    return std::vector{ReturnedTrial()};
  };
  const std::vector<Trial>& first = session_.Once("a", make);
  EXPECT_EQ(&session_.Once("a", make), &first);
  session_.Once("b", make);
  EXPECT_EQ(made, 2);
}

TEST_F(SessionTest, DoesNotKeepWhatFailed) {
  EXPECT_THROW(session_.Once("a", []() -> std::vector<Trial> { throw CaseStopped("no"); }),
               CaseStopped);
  EXPECT_EQ(session_.Once("a", [] { return std::vector{ReturnedTrial()}; }).size(), 1U);
}

TEST_F(SessionTest, ReportsASandboxThatDoesNotWork) {
  EXPECT_THROW(session_.Call({IdlePlan()}, {}), CaseStopped);
  EXPECT_THAT(CaseLog::Current().Take(),
              ElementsAre(MakeFailure(ComplaintKind::kMachineFault, Verdict::kHarnessFault,
                                      "the submission host did not start: no user namespaces here",
                                      "ask the administrator")));
}

}  // namespace
}  // namespace warpcheck
