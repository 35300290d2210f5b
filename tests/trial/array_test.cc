#include "trial/array.h"

#include <gmock/gmock.h>

#include <bit>

namespace warpcheck {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

MATCHER_P2(Range, begin, bytes, "") { return arg.begin == begin && arg.bytes == bytes; }

TEST(UnsetElements, AreStretchesOfElementsWithAllBitsSet) {
  const float unset = std::bit_cast<float>(0xFFFF'FFFFU);
  EXPECT_THAT(UnsetElements(BytesOf<float>({unset, 1, unset, unset, 2, unset}), sizeof(float)),
              ElementsAre(Range(0U, 4U), Range(8U, 8U), Range(20U, 4U)));
}

TEST(UnsetElements, AreWholeElements) {
  EXPECT_THAT(UnsetElements(BytesOf<std::uint64_t>({0xFFFF'FFFF, ~std::uint64_t{1}}), 8),
              IsEmpty());
}

}  // namespace
}  // namespace warpcheck
