#include "cli/watch/saved_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/scratch_folder.h"

namespace warpcheck {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;

using Names = std::vector<std::string>;

class SavedFilesTest : public testing::Test {
 protected:
  void Write(const std::string& name) const {
    std::ofstream(top() / name) << "// " << name << "\n";
  }
  const fs::path& top() const { return scratch_.path(); }

  // Everything that a test does is in the queue of events before it asks.
  static Names Next(SavedFiles& files) {
    const auto names = files.Next([] { ADD_FAILURE() << "nothing is gone"; });
    EXPECT_TRUE(names) << names.error().Text();
    return names.value_or(Names());
  }

  ScratchFolder scratch_ = ScratchFolder::Make().value();
};

TEST_F(SavedFilesTest, NoticeAFileThatIsWrittenAndOneThatIsReplaced) {
  Write("a.cu");
  auto files = SavedFiles::Watch(top() / "a.cu", {}).value();
  Write("a.cu");
  EXPECT_THAT(Next(files), ElementsAre("a.cu"));
  Write(".a.cu.new");
  fs::rename(top() / ".a.cu.new", top() / "a.cu");
  EXPECT_THAT(Next(files), ElementsAre("a.cu"));
  fs::rename(top() / "a.cu", top() / "a.cu~");  // as an editor that keeps the old file
  Write("a.cu");
  EXPECT_THAT(Next(files), ElementsAre("a.cu"));
}

TEST_F(SavedFilesTest, TakeSeveralSavesAsOneAndLeaveOutOtherFiles) {
  Write("a.cu");
  Write("b.cu");
  auto files = SavedFiles::Watch(top(), {}).value();
  for (int i = 0; i < 5; ++i) Write("a.cu");
  EXPECT_THAT(Next(files), ElementsAre("a.cu"));
  Write("b.cu");
  EXPECT_THAT(Next(files), ElementsAre("b.cu")) << "a.cu was not saved again";
  auto one = SavedFiles::Watch(top() / "a.cu", {}).value();
  Write("b.cu");
  Write("a.cu");
  EXPECT_THAT(Next(one), ElementsAre("a.cu"));
}

TEST_F(SavedFilesTest, OfAFolderAreAllThatASubmissionHas) {
  fs::create_directories(top() / "inner");
  Write("a.cu");
  Write("inner/tile.cuh");
  auto files = SavedFiles::Watch(top(), {top() / "report.html", top() / "dump"}).value();
  Write("inner/tile.cuh");
  EXPECT_THAT(Next(files), ElementsAre("inner/tile.cuh"));
  fs::create_directories(top() / "dump");
  for (const char* other : {".hidden", "a.cu~", "report.html", "dump/a.txt", "4913"}) Write(other);
  fs::remove(top() / "4913");
  fs::create_directories(top() / "new");
  Write("new/b.cuh");
  EXPECT_THAT(Next(files), ElementsAre("new/b.cuh"));
  Write("new/b.cuh");
  EXPECT_THAT(Next(files), ElementsAre("new/b.cuh"));
  fs::remove(top() / "inner/tile.cuh");
  EXPECT_THAT(Next(files), ElementsAre("inner/tile.cuh"));
}

TEST_F(SavedFilesTest, WaitForAFileThatIsGone) {
  Write("a.cu");
  auto files = SavedFiles::Watch(top() / "a.cu", {}).value();
  fs::remove(top() / "a.cu");
  int told = 0;
  const auto names = files.Next([&] {
    ++told;
    Write("a.cu");
  });
  EXPECT_THAT(names.value(), ElementsAre("a.cu"));
  EXPECT_EQ(told, 1);
  fs::rename(top() / "a.cu", top() / "aside");
  fs::create_hard_link(top() / "aside", top() / "a.cu");
  EXPECT_THAT(Next(files), ElementsAre("a.cu"));
}

TEST_F(SavedFilesTest, SayThatTheFolderIsGone) {
  fs::create_directories(top() / "mine");
  Write("mine/a.cu");
  for (const char* submission : {"mine/a.cu", "mine"}) {
    fs::create_directories(top() / "mine");
    Write("mine/a.cu");
    auto files = SavedFiles::Watch(top() / submission, {}).value();
    fs::remove_all(top() / "mine");
    const auto names = files.Next([] {});
    ASSERT_FALSE(names);
    EXPECT_THAT(names.error().message, HasSubstr("/mine is gone"));
  }
}

TEST_F(SavedFilesTest, SayWhatIsMissing) {
  const auto files = SavedFiles::Watch(top() / "a.cu", {});
  ASSERT_FALSE(files);
  EXPECT_THAT(files.error().message, HasSubstr("no such file or folder"));
}

}  // namespace
}  // namespace warpcheck
