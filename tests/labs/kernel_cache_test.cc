#include "lab/run/kernel_cache.h"

#include <gmock/gmock.h>

#include <chrono>

#include "base/files.h"
#include "base/scratch_folder.h"

namespace warpcheck::lab {
namespace {

namespace fs = std::filesystem;

class KernelCacheTest : public testing::Test {
 protected:
  // Finds or makes an entry, and counts how often it is made.
  Result<fs::path> Use(const std::string& key) {
    return KernelCache(folder_->path(), 2).FindOrMake(key, [this](const fs::path& folder) {
      ++made_;
      return WriteFile(folder / "kernels.ptx", "text");
    });
  }
  bool Has(const std::string& key) const { return fs::exists(folder_->path() / key); }
  void UsedBefore(const std::string& key, std::chrono::hours time) {
    fs::last_write_time(folder_->path() / key, fs::file_time_type::clock::now() - time);
  }

  Result<ScratchFolder> folder_ = ScratchFolder::Make();
  int made_ = 0;
};

TEST_F(KernelCacheTest, MakesAnEntryOnce) {
  const auto first = Use("a"), second = Use("a");
  ASSERT_TRUE(first && second);
  EXPECT_EQ(*first, *second);
  EXPECT_EQ(*ReadFile(*first / "kernels.ptx"), "text");
  EXPECT_EQ(made_, 1);
}

TEST_F(KernelCacheTest, RemovesWhatWasUnusedForLongest) {
  for (const char* key : {"a", "b"}) ASSERT_TRUE(Use(key));
  UsedBefore("a", std::chrono::hours(4));
  UsedBefore("b", std::chrono::hours(3));
  ASSERT_TRUE(Use("a"));  // now b was unused for longest
  ASSERT_TRUE(Use("c"));
  EXPECT_TRUE(Has("a"));
  EXPECT_FALSE(Has("b"));
  EXPECT_TRUE(Has("c"));
}

TEST_F(KernelCacheTest, KeepsWhatMayBeInUse) {
  for (const char* key : {"a", "b", "c"}) ASSERT_TRUE(Use(key));
  EXPECT_TRUE(Has("a")) << "it was used within the last hour";
}

TEST_F(KernelCacheTest, KeepsNothingThatFailed) {
  const auto failed = KernelCache(folder_->path()).FindOrMake("a", [](const fs::path&) {
    return Result<>(Fail("no"));
  });
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "no");
  EXPECT_TRUE(fs::is_empty(folder_->path()));
}

}  // namespace
}  // namespace warpcheck::lab
