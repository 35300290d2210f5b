#include "batch/journal/journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "batch/batch_rig.h"

namespace warpcheck::batch {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class JournalTest : public testing::Test {
 protected:
  Journal Open() const {
    auto journal = Journal::Open(folder_.path());
    EXPECT_TRUE(journal) << journal.error().Text();
    return *std::move(journal);
  }
  Grade GradeOf(const std::string& text) const {
    Job job;
    job.submission = folder_.Write("x.cu", text);
    job.shown = text;
    return TestGrade(job);
  }
  TemporaryFolder folder_;
};

TEST_F(JournalTest, SaysTheSameWhenItIsReadAgain) {
  {
    Journal journal = Open();
    EXPECT_FALSE(journal.state().identity);
    ASSERT_TRUE(journal.Begin(TestTerms()));
    Roster roster;
    Entry entry;
    entry.id = "ann";
    entry.name = "Änn";
    entry.submitted = "2026-11-21T10:00:00";
    entry.late = true;
    roster.entries.push_back(entry);
    roster.refused.push_back({.what = "x.zip", .reason = "it is a bomb"});
    ASSERT_TRUE(journal.SetRoster(roster));
    ASSERT_TRUE(journal.Started("ann"));
    ASSERT_TRUE(journal.Started("bob"));
    ASSERT_TRUE(journal.Died("carl", "c", "was killed"));
    ASSERT_TRUE(journal.Graded("ann", "a", GradeOf("wrong")));
    ASSERT_TRUE(journal.Graded("ann", "a2", GradeOf("right")));
  }
  const Journal journal = Open();
  const JournalState& state = journal.state();
  EXPECT_EQ(state.identity, TestTerms());
  ASSERT_EQ(state.roster.entries.size(), 1U);
  EXPECT_EQ(state.roster.entries[0].name, "Änn");
  EXPECT_TRUE(state.roster.entries[0].late);
  EXPECT_EQ(state.roster.refused[0].reason, "it is a bomb");
  EXPECT_THAT(state.unfinished, ElementsAre("bob"));
  EXPECT_EQ(state.deaths.at("c").count, 1);
  EXPECT_EQ(state.deaths.at("c").last, "was killed");
  EXPECT_EQ(state.graded.at("ann").digest, "a2");
  EXPECT_EQ(journal.GradeOfFiles("a")->score, Points()) << "the older files are known still";
  EXPECT_EQ(journal.GradeOf("ann")->score, Points::FromHundredths(10'000));
}

TEST_F(JournalTest, ForgetsDeathsWithAGrade) {
  Journal journal = Open();
  ASSERT_TRUE(journal.Begin(TestTerms()));
  ASSERT_TRUE(journal.Died("ann", "a", "was killed"));
  ASSERT_TRUE(journal.Graded("ann", "a", GradeOf("right")));
  EXPECT_THAT(journal.state().deaths, IsEmpty());
}

TEST_F(JournalTest, RefusesWhatIsNoJournal) {
  auto file = CheckedFile::Open(Journal::PathIn(folder_.path()),
                                [](std::string_view, Extent) -> Result<> { return {}; });
  ASSERT_TRUE(file->Append(R"({"event":"graded","id":"x","digest":"d"})", true));
  const auto journal = Journal::Open(folder_.path());
  ASSERT_FALSE(journal);
  EXPECT_THAT(journal.error().Text(), HasSubstr("records before \"batch\""));
}

TEST(BatchIdentity, SayInWhatTheyDiffer) {
  const BatchIdentity begun = TestTerms();
  BatchIdentity now = begun;
  now.begun = 99;
  now.plan.device_remark = "another";
  EXPECT_EQ(begun.Conflict(now), std::nullopt);
  now.plan.count_every_launch = true;
  EXPECT_EQ(begun.Conflict(now), "it was begun with count_every_launch off, not on");
  now.checks_digest = "other";
  EXPECT_THAT(*begun.Conflict(now), HasSubstr("have changed since it began"));
  now.assignment = "matmul";
  EXPECT_EQ(begun.Conflict(now), "it was begun with assignment transpose, not matmul");
}

}  // namespace
}  // namespace warpcheck::batch
