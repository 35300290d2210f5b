#include "base/scratch_folder.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>

#include "base/files.h"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;

// Makes a scratch folder with a file in it, and returns the path that it had.
fs::path Used() {
  const auto folder = ScratchFolder::Make();
  EXPECT_TRUE(folder) << folder.error().Text();
  EXPECT_TRUE(WriteFile(folder->path() / "file", "text"));
  return folder->path();
}

TEST(ScratchFolder, IsRemovedWithItsFiles) { EXPECT_FALSE(fs::exists(Used())); }

TEST(ScratchFolder, IsKeptForDebuggingAndNamed) {
  ::setenv("WARPCHECK_KEEP_SCRATCH", "1", 1);
  testing::internal::CaptureStderr();
  const fs::path path = Used();
  ::unsetenv("WARPCHECK_KEEP_SCRATCH");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "warpcheck: kept " + path.string() + "\n");
  EXPECT_TRUE(fs::exists(path / "file"));
  fs::remove_all(path);
}

}  // namespace
}  // namespace warpcheck
