#include "compile/cache.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "base/scratch_folder.h"

namespace warpcheck::compile {
namespace {

class CacheTest : public testing::Test {
 protected:
  // Stores the outcome of one of several compilations of the same text: an object and the digest of
  // its PTX.
  Outcome Store(const std::string& object, const std::string& digest) {
    auto scratch = cache_.MakeScratch();
    EXPECT_TRUE(scratch);
    const auto made = scratch->path() / "made.so";
    EXPECT_TRUE(WriteFile(made, object));
    const auto entry = scratch->path() / "entry";
    std::filesystem::create_directory(entry);
    Outcome outcome;
    outcome.artifact = Artifact{.shared_object = made, .sources = {}, .warnings = {}};
    outcome.artifact->modules = {{.digest = digest, .refusal = {}, .kernels = {}}};
    auto stored = cache_.Store(kKey, outcome, entry);
    EXPECT_TRUE(stored) << stored.error().Text();
    return stored ? *stored : Outcome{};
  }
  static std::string ObjectOf(const Outcome& outcome) {
    return outcome.artifact ? ReadFile(outcome.artifact->shared_object).value_or("") : "";
  }

  static constexpr char kKey[] = "0123456789abcdef";
  ScratchFolder folder_ = *ScratchFolder::Make();
  Cache cache_{folder_.path() / "cache", std::uint64_t{1} << 30};
};

// nvcc gives some variables other names in each compilation, so the PTX differs.
TEST_F(CacheTest, GivesAnObjectWithWhatWasSaidOfItsOwnPtx) {
  const Outcome first = Store("first", "PTX of the first");
  const Outcome second = Store("second", "PTX of the second");
  EXPECT_EQ(ObjectOf(first), "first");
  EXPECT_EQ(ObjectOf(second), "first") << "the entry of whoever was first stays";
  ASSERT_TRUE(second.artifact);
  EXPECT_EQ(second.artifact->modules.at(0).digest, "PTX of the first");
  EXPECT_FALSE(second.artifact->from_cache);
}

TEST_F(CacheTest, KeepsWhatComesAfterAnEntryWasRemoved) {
  Store("first", "a");
  cache_.Remove(kKey);
  EXPECT_FALSE(cache_.Find(kKey));
  const Outcome second = Store("second", "b");
  EXPECT_EQ(ObjectOf(second), "second");
  ASSERT_TRUE(second.artifact);
  EXPECT_EQ(second.artifact->modules.at(0).digest, "b");
}

}  // namespace
}  // namespace warpcheck::compile
