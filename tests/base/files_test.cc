#include "base/files.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/shared_bytes.h"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Files : public testing::Test {
 protected:
  Files() {
    std::string name = (fs::temp_directory_path() / "warpcheck_files_XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~Files() override { fs::remove_all(folder_); }

  fs::path folder_;
};

TEST_F(Files, ReadsWhatWasWritten) {
  const std::string bytes("a\0b\n", 4);
  ASSERT_TRUE(WriteFile(folder_ / "f", bytes));
  EXPECT_EQ(ReadFile(folder_ / "f").value(), bytes);
}

TEST_F(Files, ReplacesAFileAndLeavesNothingElseBehind) {
  ASSERT_TRUE(WriteFile(folder_ / "f", "old and long"));
  ASSERT_TRUE(WriteFile(folder_ / "f", "new"));
  EXPECT_EQ(ReadFile(folder_ / "f").value(), "new");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(Files, ComparesBytesWhereverTheyLie) {
  const SharedBytes bytes = SharedBytes::Of<char>({'a', 'b'});
  EXPECT_EQ(bytes, SharedBytes::Of<char>({'a', 'b'}));
  EXPECT_NE(bytes, SharedBytes::Of<char>({'a', 'c'}));
  EXPECT_NE(bytes, SharedBytes::Of<char>({'a'}));
  EXPECT_EQ(SharedBytes(), SharedBytes::Of<char>({}));
}

TEST_F(Files, SaysWhyAFileCannotBeRead) {
  const std::string missing = (folder_ / "missing").string();
  EXPECT_EQ(ReadFile(missing).error().message,
            "cannot open " + missing + ": No such file or directory");
  EXPECT_EQ(ReadFile(folder_).error().message,
            "cannot read " + folder_.string() + ": it is not a regular file");
  ASSERT_EQ(::mkfifo((folder_ / "fifo").c_str(), 0600), 0);
  EXPECT_THAT(ReadFile(folder_ / "fifo").error().message, HasSubstr("is not a regular file"));
  EXPECT_THAT(ReadFile("/dev/zero").error().message, HasSubstr("is not a regular file"));
  ASSERT_TRUE(WriteFile(folder_ / "f", "12345"));
  EXPECT_TRUE(ReadFile(folder_ / "f", 5));
  EXPECT_THAT(ReadFile(folder_ / "f", 4).error().message, HasSubstr("larger than 4 bytes"));
}

TEST_F(Files, SaysWhyAFileCannotBeWritten) {
  EXPECT_THAT(WriteFile(folder_ / "no" / "f", "x").error().message,
              HasSubstr("No such file or directory"));
  EXPECT_FALSE(WriteFile(folder_ / ".", "x"));
}

// A report may be written to a pipe or to /dev/null. Writing must not replace it by a regular file.
TEST_F(Files, WritesThroughWhatIsNoRegularFile) {
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_FALSE(WriteFile(pipe, "nobody reads it"));
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  ASSERT_TRUE(WriteFile(pipe, "bytes"));
  char read[8] = {};
  EXPECT_EQ(::read(reader, read, sizeof read), 5);
  EXPECT_STREQ(read, "bytes");
  ::close(reader);
  EXPECT_TRUE(fs::is_fifo(pipe));

  fs::create_symlink("/dev/full", folder_ / "full");
  const auto written = WriteFile(folder_ / "full", "bytes");
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message, HasSubstr("No space left on device"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "full"));
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(Files, ReplacesWhatASymbolicLinkLeadsTo) {
  ASSERT_TRUE(fs::create_directory(folder_ / "kept"));
  fs::create_symlink("kept/report", folder_ / "link");
  ASSERT_TRUE(WriteFile(folder_ / "link", "1"));  // the link's target did not exist before
  ASSERT_TRUE(WriteFile(folder_ / "link", "2"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(ReadFile(folder_ / "kept/report").value(), "2");
  fs::create_symlink("circle", folder_ / "circle");
  EXPECT_FALSE(WriteFile(folder_ / "circle", "3"));
}

}  // namespace
}  // namespace warpcheck
