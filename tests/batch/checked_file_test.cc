#include "batch/journal/checked_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

#include "base/files.h"
#include "grading/temporary_folder.h"

namespace warpcheck::batch {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class CheckedFileTest : public testing::Test {
 protected:
  std::filesystem::path Path() const { return folder_.path() / "file"; }

  Result<CheckedFile> Open() {
    read_.clear();
    return CheckedFile::Open(Path(), [this](std::string_view text, Extent extent) -> Result<> {
      read_.emplace_back(text);
      extents_.push_back(extent);
      return {};
    });
  }

  void Append(const std::vector<std::string>& texts) {
    auto file = Open();
    ASSERT_TRUE(file) << file.error().Text();
    for (const std::string& text : texts) ASSERT_TRUE(file->Append(text, true));
  }

  TemporaryFolder folder_;
  std::vector<std::string> read_;
  std::vector<Extent> extents_;
};

TEST_F(CheckedFileTest, KeepsLinesFromOneOpeningToTheNext) {
  Append({R"({"a":1})", R"({"b":2})"});
  Append({R"({"c":3})"});
  const auto file = Open();
  ASSERT_TRUE(file);
  EXPECT_THAT(read_, ElementsAre(R"({"a":1})", R"({"b":2})", R"({"c":3})"));
  EXPECT_EQ(file->dropped(), 0U);
}

TEST_F(CheckedFileTest, FindsALineByItsExtent) {
  auto file = Open();
  ASSERT_TRUE(file->Append("first", false));
  const auto extent = file->Append("second", false);
  ASSERT_TRUE(extent);
  EXPECT_EQ(*file->TextAt(*extent), "second");
  Open();
  EXPECT_EQ(*file->TextAt(extents_.back()), "second");
}

// A crash may leave any beginning of the last line.
TEST_F(CheckedFileTest, DropsALastLineThatIsTornAnywhere) {
  Append({"first", "second"});
  const std::string whole = *ReadFile(Path());
  const std::size_t kept = whole.find('\n') + 1;
  for (std::size_t size = kept; size < whole.size(); ++size) {
    ASSERT_TRUE(WriteFile(Path(), whole.substr(0, size)));
    const auto file = Open();
    ASSERT_TRUE(file) << size << ": " << file.error().Text();
    EXPECT_THAT(read_, ElementsAre("first")) << size;
    EXPECT_EQ(file->dropped(), size - kept);
    EXPECT_EQ(*ReadFile(Path()), whole.substr(0, kept)) << "what is torn is cut off";
  }
}

TEST_F(CheckedFileTest, GoesOnAfterATornLine) {
  Append({"first", "second"});
  const std::string whole = *ReadFile(Path());
  ASSERT_TRUE(WriteFile(Path(), whole.substr(0, whole.size() - 3)));
  Append({"third"});
  ASSERT_TRUE(Open());
  EXPECT_THAT(read_, ElementsAre("first", "third"));
}

// After a power failure a block may contain anything.
TEST_F(CheckedFileTest, DropsADamagedLastLine) {
  Append({"first", "second"});
  std::string bytes = *ReadFile(Path());
  const std::size_t kept = bytes.find('\n') + 1;
  for (std::size_t i = kept; i + 1 < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = damaged[i] == 'x' ? 'y' : 'x';
    ASSERT_TRUE(WriteFile(Path(), damaged));
    ASSERT_TRUE(Open()) << i;
    EXPECT_THAT(read_, ElementsAre("first")) << i;
  }
}

TEST_F(CheckedFileTest, RefusesDamageBeforeTheEndAndNamesTheLine) {
  Append({"first", "second", "third"});
  const std::string whole = *ReadFile(Path());
  const std::size_t begin = whole.find('\n') + 1;
  const std::size_t end = whole.find('\n', begin);
  for (std::size_t i = begin; i < end; ++i) {
    std::string damaged = whole;
    damaged[i] = damaged[i] == 'x' ? 'y' : 'x';
    ASSERT_TRUE(WriteFile(Path(), damaged));
    const auto file = Open();
    ASSERT_FALSE(file) << i;
    EXPECT_EQ(file.error().where.line, 2);
    EXPECT_THAT(file.error().Text(), HasSubstr("head -n 1"));
    EXPECT_EQ(*ReadFile(Path()), damaged) << "nothing is cut off";
  }
}

TEST_F(CheckedFileTest, SeesALineThatIsMissing) {
  Append({"first", "second", "third"});
  std::string bytes = *ReadFile(Path());
  const std::size_t begin = bytes.find('\n') + 1;
  bytes.erase(begin, bytes.find('\n', begin) + 1 - begin);
  bytes += bytes.substr(0, begin);
  ASSERT_TRUE(WriteFile(Path(), bytes));
  const auto file = Open();
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().where.line, 2);
}

// On a full disk, only a part of a line can be written.
TEST_F(CheckedFileTest, IsAsBeforeWhereALineCannotBeWritten) {
  auto file = Open();
  ASSERT_TRUE(file->Append("first", true));
  const std::string before = *ReadFile(Path());
  const auto old_action = std::signal(SIGXFSZ, SIG_IGN);
  struct rlimit old_limit = {};
  ::getrlimit(RLIMIT_FSIZE, &old_limit);
  struct rlimit limit = old_limit;
  limit.rlim_cur = before.size() + 10;
  ::setrlimit(RLIMIT_FSIZE, &limit);
  const auto failed = file->Append("second", true);
  ::setrlimit(RLIMIT_FSIZE, &old_limit);
  std::signal(SIGXFSZ, old_action);
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message, HasSubstr("File too large"));
  EXPECT_EQ(*ReadFile(Path()), before);
  ASSERT_TRUE(file->Append("third", true));
  ASSERT_TRUE(Open());
  EXPECT_THAT(read_, ElementsAre("first", "third"));
}

TEST_F(CheckedFileTest, ReadsWithoutAChange) {
  Append({"first", "second"});
  const std::string torn = ReadFile(Path())->substr(0, 30);
  ASSERT_TRUE(WriteFile(Path(), torn));
  const auto file =
      CheckedFile::OpenToRead(Path(), [](std::string_view, Extent) -> Result<> { return {}; });
  ASSERT_TRUE(file);
  EXPECT_EQ(*ReadFile(Path()), torn);
}

}  // namespace
}  // namespace warpcheck::batch
