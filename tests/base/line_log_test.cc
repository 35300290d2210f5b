#include "base/text/line_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>
#include <vector>

#include "base/files.h"
#include "base/scratch_folder.h"

namespace warpcheck {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class LineLogTest : public testing::Test {
 protected:
  std::filesystem::path Path() const { return folder_.path() / "log"; }
  LineLogWriter Writer() const { return LineLogWriter::Open(Path()).value(); }
  // Returns the lines that the reader sees now.
  static std::vector<std::string> Now(LineLogReader& reader) {
    std::vector<std::string> lines;
    const auto read = reader.Read([&](std::string_view line) -> Result<> {
      lines.emplace_back(line);
      return {};
    });
    EXPECT_TRUE(read) << read.error().message;
    return lines;
  }
  void AddBytes(std::string_view bytes) const {
    std::ofstream(Path(), std::ios::app | std::ios::binary) << bytes;
  }

  ScratchFolder folder_ = ScratchFolder::Make().value();
};

TEST_F(LineLogTest, IsReadWhileItIsWritten) {
  LineLogReader reader(Path());
  EXPECT_THAT(reader.Read([](std::string_view) { return Result<>(); }).error().message,
              HasSubstr("No such file or directory"));
  LineLogWriter writer = Writer();
  ASSERT_TRUE(writer.Append("first"));
  ASSERT_TRUE(writer.Append("", true));
  EXPECT_THAT(Now(reader), ElementsAre("first", ""));
  EXPECT_THAT(Now(reader), IsEmpty());
  LineLogWriter later = Writer();
  ASSERT_TRUE(later.Append("of another writer"));
  ASSERT_TRUE(writer.Append("of the first writer"));
  EXPECT_THAT(Now(reader), ElementsAre("of another writer", "of the first writer"));
  EXPECT_EQ(reader.BytesAt(6, 3).value(), "\nof");
  EXPECT_THAT(reader.BytesAt(6, 1000).error().message, HasSubstr("has become shorter"));
}

TEST_F(LineLogTest, ALineThatIsNotCompleteIsLeftForALaterCall) {
  LineLogReader reader(Path());
  AddBytes("whole\nto");
  EXPECT_THAT(Now(reader), ElementsAre("whole"));
  EXPECT_EQ(reader.begun(), "to");
  AddBytes("rn\n");
  EXPECT_THAT(Now(reader), ElementsAre("torn"));
  EXPECT_EQ(reader.begun(), "");
  EXPECT_EQ(reader.bytes(), 11U);
}

// On a full disk, only a part of a line can be written.
TEST_F(LineLogTest, IsAsBeforeIfALineCannotBeWritten) {
  LineLogWriter writer = Writer();
  ASSERT_TRUE(writer.Append("first"));
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before = {};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit less = {.rlim_cur = 10, .rlim_max = before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &less);
  const auto failed = writer.Append("second");
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message, HasSubstr("File too large"));
  EXPECT_EQ(ReadFile(Path()).value(), "first\n");
  ASSERT_TRUE(writer.Append("third"));
  EXPECT_EQ(ReadFile(Path()).value(), "first\nthird\n");
}

TEST_F(LineLogTest, CutsWhatIsTorn) {
  AddBytes("whole\ntor");
  LineLogWriter writer = Writer();
  ASSERT_TRUE(writer.CutTo(6));
  ASSERT_TRUE(writer.Append("next"));
  EXPECT_EQ(ReadFile(Path()).value(), "whole\nnext\n");
}

TEST_F(LineLogTest, ReadingStopsAtALineThatIsRefusedAndAtTheLimit) {
  AddBytes("a\nb\nc\n");
  LineLogReader reader(Path());
  std::vector<std::string> lines;
  const auto read = reader.Read([&](std::string_view line) -> Result<> {
    lines.emplace_back(line);
    if (line == "b") return Fail("refused");
    return {};
  });
  EXPECT_EQ(read.error().message, "refused");
  EXPECT_THAT(lines, ElementsAre("a", "b"));
  LineLogReader limited(Path(), 5);
  Now(limited);
  EXPECT_TRUE(limited.too_long());
  LineLogReader enough(Path(), 6);
  Now(enough);
  EXPECT_FALSE(enough.too_long());
}

}  // namespace
}  // namespace warpcheck
