// Tests the places of machine code with the machine's CUPTI, which needs no GPU for this.
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <set>
#include <vector>

#include "gpu/cupti/cubin.h"
#include "gpu/cupti/cupti_api.h"

namespace warpcheck::gpu {
namespace {

using testing::HasSubstr;

constexpr const char* kKernel = "_Z5LinesPKfPfPi";

class CodePlacesTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!cupti_) GTEST_SKIP() << cupti_.error().Text();
    std::ifstream file(WARPCHECK_GPU_TEST_OBJECTS "/lines.cubin", std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    const auto all = std::as_bytes(std::span(bytes));
    cubin_.assign(all.begin(), all.end());
    ASSERT_FALSE(cubin_.empty());
  }

  const Result<const CuptiApi*> cupti_ = LoadCupti();
  std::vector<std::byte> cubin_;
};

TEST_F(CodePlacesTest, FindsEveryLineThatDoesSomething) {
  std::set<int> lines;
  std::set<std::string> files;
  // The table has no lines beyond the end of the code.
  for (std::uint32_t offset = 0; offset < 4096; offset += 16) {
    const auto place = PlaceOf(**cupti_, cubin_, kKernel, offset);
    ASSERT_TRUE(place) << place.error().Text();
    if (!place->known()) continue;
    files.insert(place->file);
    if (place->file.ends_with("/tests/gpu/needs_gpu/data/lines.cu")) lines.insert(place->line);
  }
  EXPECT_THAT(lines, testing::IsSupersetOf({5, 10, 11, 12, 13, 15}));
  EXPECT_LE(*lines.rbegin(), 16);
  EXPECT_THAT(files, testing::SizeIs(2)) << "lines.cu, and CUDA's header of atomicAdd";
}

TEST_F(CodePlacesTest, KnowsNothingBeyondTheEnd) {
  const auto place = PlaceOf(**cupti_, cubin_, kKernel, 1 << 20);
  ASSERT_TRUE(place) << place.error().Text();
  EXPECT_FALSE(place->known());
}

TEST_F(CodePlacesTest, FailsForAnotherFunctionAndForNoCubin) {
  const auto other = PlaceOf(**cupti_, cubin_, "other", 0);
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("cuptiGetSassToSourceCorrelation"));
  EXPECT_FALSE(PlaceOf(**cupti_, {}, kKernel, 0));
  const std::vector<std::byte> cut(cubin_.begin(), cubin_.begin() + 100);
  EXPECT_FALSE(PlaceOf(**cupti_, cut, kKernel, 0));
}

}  // namespace
}  // namespace warpcheck::gpu
