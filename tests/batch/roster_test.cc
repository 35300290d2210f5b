#include "batch/roster.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grading/temporary_folder.h"

namespace warpcheck::batch {
namespace {

using testing::ElementsAre;
using testing::Field;

TEST(Roster, TakesAFileOrAFolderAStudent) {
  TemporaryFolder folder;
  folder.Write("berta/transpose.cu", "// b");
  folder.Write("anna.cu", "// a");
  folder.Write("notes.txt", "");
  const auto roster = ReadRoster(folder.path(), folder.path() / ".scratch");
  ASSERT_TRUE(roster) << roster.error().Text();
  EXPECT_THAT(roster->entries, ElementsAre(Field(&Entry::id, "anna"), Field(&Entry::id, "berta")));
}

TEST(Roster, SaysWhatItExpectedWhereThereIsNoSubmission) {
  TemporaryFolder folder;
  folder.Write("notes.txt", "");
  const auto roster = ReadRoster(folder.path(), folder.path() / ".scratch");
  ASSERT_FALSE(roster);
  EXPECT_EQ(roster.error().hint, "expected one folder or one .cu file a student");
}

}  // namespace
}  // namespace warpcheck::batch
