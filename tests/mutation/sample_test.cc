#include "proof/mutation/sample.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace warpcheck::mutation {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::SizeIs;

const std::vector<int> kAll = {0, 1, 2, 3, 4, 5, 6};

TEST(Sample, IsAllIfNoneOrMoreAreWanted) {
  EXPECT_THAT(Sample(kAll, 0, {}), ElementsAreArray(kAll));
  EXPECT_THAT(Sample(kAll, 7, 5), ElementsAreArray(kAll));
  EXPECT_THAT(Sample(kAll, 8, {}), ElementsAreArray(kAll));
}

TEST(Sample, IsTheSameWithoutASeed) {
  EXPECT_THAT(Sample(kAll, 2, {}), ElementsAre(1, 5));
  EXPECT_THAT(Sample(kAll, 1, {}), ElementsAre(3));
}

TEST(Sample, HasOneOfEachPartByTheSeed) {
  std::set<int> of_first_part, of_second_part;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const std::vector<int> drawn = Sample(kAll, 2, seed);
    ASSERT_THAT(drawn, SizeIs(2));
    EXPECT_EQ(drawn, Sample(kAll, 2, seed));
    of_first_part.insert(drawn[0]);
    of_second_part.insert(drawn[1]);
  }
  EXPECT_THAT(of_first_part, ElementsAre(0, 1, 2));
  EXPECT_THAT(of_second_part, ElementsAre(3, 4, 5, 6));
}

}  // namespace
}  // namespace warpcheck::mutation
