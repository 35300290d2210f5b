// What keeps lanes apart is found, and is free of conflicts by the law.
#include "emulator/counters/bank_conflicts.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <bit>
#include <functional>
#include <vector>

#include "emulator/test_device.h"

namespace warpcheck::emulator {
namespace {

using Kind = AccessExample::Kind;

const MemoryGeometry& Geometry() { return DefaultHardware().memory; }

AccessExample Access(std::uint32_t bytes, const std::function<std::uint32_t(std::uint32_t)>& offset,
                     Kind kind = Kind::kLoad) {
  AccessExample access{.kind = kind, .mask = ~0U, .bytes = bytes};
  for (std::uint32_t lane = 0; lane < 32; ++lane) access.offsets[lane] = offset(lane);
  return access;
}

struct Case {
  const char* name;
  AccessExample access;
  std::uint32_t excess;  // now
  std::uint32_t now;     // 0: no spacing helps
  std::uint32_t wanted;
  bool rows = true;
  std::uint32_t block_width = 32;
};

std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }

std::vector<Case> Cases() {
  const auto by = [](std::uint32_t stride) {
    return [stride](std::uint32_t lane) { return lane * stride; };
  };
  const auto random = [](std::uint32_t lane) {
    return (lane * lane * 7919 + lane * 131) % 997 * 4;
  };
  return {
      {"column_of_32x32", Access(4, by(128)), 31, 128, 132},
      {"stored_column_of_32x32", Access(4, by(128), Kind::kStore), 31, 128, 132},
      {"column_of_33", Access(4, by(132)), 0, 0, 0},
      {"two_rows_of_16_on_32", Access(4, [](std::uint32_t l) { return l / 16 * 128 + l % 16 * 4; }),
       1, 128, 192, true, 16},
      {"two_columns_of_16_on_32",
       Access(4, [](std::uint32_t l) { return l % 16 * 128 + l / 16 * 4; }), 15, 128, 136, true,
       16},
      {"two_columns_of_16_on_17",
       Access(4, [](std::uint32_t l) { return l % 16 * 68 + l / 16 * 4; }), 1, 68, 72, true, 16},
      {"two_columns_of_16_on_16",
       Access(4, [](std::uint32_t l) { return l % 16 * 64 + l / 16 * 4; }), 7, 64, 72, true, 16},
      {"rows_of_24_on_32", Access(4, [](std::uint32_t l) { return l / 24 * 128 + l % 24 * 4; }), 1,
       128, 224, true, 24},
      {"backwards", Access(4, [](std::uint32_t l) { return (31 - l) * 128; }), 31, 128, 132},
      {"stride_2", Access(4, by(8)), 1, 8, 12, false},
      {"stride_3", Access(4, by(12)), 0, 0, 0},
      {"stride_4", Access(4, by(16)), 3, 16, 20, false},
      {"column_of_doubles", Access(8, by(256)), 30, 256, 264},
      {"column_of_float4", Access(16, by(128)), 28, 128, 144},
      {"struct_of_3_words", Access(4, by(12), Kind::kStore), 0, 0, 0},
      {"struct_of_4_words", Access(4, by(16), Kind::kStore), 3, 16, 20, false},
      {"struct_of_5_words", Access(4, by(20), Kind::kStore), 0, 0, 0},
      {"random", Access(4, random), 3, 0, 0},
      {"broadcast", Access(4, by(0)), 0, 0, 0},
      {"atomics_at_one_word", Access(4, by(0), Kind::kAtomic), 31, 0, 0},
  };
}

class BankConflicts : public testing::TestWithParam<Case> {};

TEST_P(BankConflicts, AreMendedByTheSmallestSpacing) {
  const Case& c = GetParam();
  if (c.now != 0 || c.excess == 0) {
    EXPECT_EQ(ExcessOf(Geometry(), c.access), c.excess);
  } else {
    EXPECT_GT(ExcessOf(Geometry(), c.access), 0U);
  }
  const auto spacing = SpacingWithoutConflict(Geometry(), c.access, c.block_width, {});
  ASSERT_EQ(spacing.has_value(), c.now != 0);
  if (!spacing) return;
  EXPECT_EQ(spacing->now, c.now);
  EXPECT_EQ(spacing->wanted, c.wanted);
  EXPECT_EQ(spacing->rows, c.rows);
}

INSTANTIATE_TEST_SUITE_P(Accesses, BankConflicts, testing::ValuesIn(Cases()),
                         [](const auto& tested) { return tested.param.name; });

TEST(BankConflict, NamesTheLanesThatMeet) {
  const auto stride_4 = Access(4, [](std::uint32_t lane) { return lane * 16; });
  EXPECT_EQ(WorstBankConflict(Geometry(), stride_4).lanes, 0x01010101U);
  EXPECT_FALSE(WorstBankConflict(Geometry(), stride_4).same_word);
  const auto one_word = Access(
      4, [](std::uint32_t) { return 0; }, Kind::kAtomic);
  EXPECT_EQ(WorstBankConflict(Geometry(), one_word).lanes, ~0U);
  EXPECT_TRUE(WorstBankConflict(Geometry(), one_word).same_word);
  const auto broadcast = Access(4, [](std::uint32_t lane) { return lane / 8 * 4; });
  EXPECT_EQ(std::popcount(WorstBankConflict(Geometry(), broadcast).lanes), 1);
}

TEST(BankConflict, LeavesOtherAccessesOfTheArrayAsTheyAre) {
  // Two columns want rows of 34 words; four columns of eight lanes, that rows of 36 words suit, do
  // not bear them.
  const auto two = Access(4, [](std::uint32_t l) { return l % 16 * 128 + l / 16 * 4; });
  const auto four = Access(4, [](std::uint32_t l) { return l % 8 * 128 + l / 8 * 4; });
  const auto alone = SpacingWithoutConflict(Geometry(), two, 16, {});
  ASSERT_TRUE(alone);
  EXPECT_EQ(alone->wanted, 136U);
  const auto both = SpacingWithoutConflict(Geometry(), four, 8, std::vector{two});
  ASSERT_TRUE(both);
  EXPECT_EQ(both->wanted, 144U);
  EXPECT_TRUE(both->for_all);
}

// Rows of an array whose elements another access takes whole grow by whole elements: by four words
// here, which leave a column in eight banks.
TEST(BankConflict, PaddingIsOfWholeElements) {
  const auto column = Access(4, [](std::uint32_t l) { return l * 128; });
  const auto wide = Access(16, [](std::uint32_t l) { return l * 16; });
  EXPECT_TRUE(SpacingWithoutConflict(Geometry(), column, 32, {}));
  EXPECT_FALSE(SpacingWithoutConflict(Geometry(), column, 32, std::vector{wide}));
}

TEST(BankConflict, LanesThatTakeNoPartAreNotLookedAt) {
  auto half = Access(4, [](std::uint32_t lane) { return lane * 128; });
  half.mask = 0xFFFF0000;
  const auto spacing = SpacingWithoutConflict(Geometry(), half, 32, {});
  ASSERT_TRUE(spacing);
  EXPECT_EQ(spacing->wanted, 132U);
}

// The example that a launch keeps of each line.
std::vector<AccessExample> ExamplesOf(std::string_view body, unsigned threads, std::uint64_t seed) {
  Options options;
  options.threads = threads;
  options.order_seed = seed;
  TestDevice device(options);
  device.Load(SmallKernel(body, ".shared .align 4 .b8 tile[4224];\n"));
  const DeviceAddress out = device.Upload(std::vector<int>(64));
  EXPECT_EQ(device.Launch("k", {256, 1, 1}, {256, 1, 1}, Parameters().Add(out)),
            DeviceError::kSuccess);
  return device.last().lines.empty() ? std::vector<AccessExample>()
                                     : device.last().lines.front().examples;
}

constexpr std::string_view kColumns =
    "and.b32 %r2, %r1, 31; shr.u32 %r3, %r1, 5; shl.b32 %r4, %r2, 7; shl.b32 %r5, %r3, 2; "
    "add.u32 %r7, %r4, %r5; mov.u32 %r6, tile; add.u32 %r8, %r7, %r6; st.shared.u32 [%r8], %r1;";

TEST(BankConflict, OfALaunchAreShownByTheWorstAccess) {
  const auto examples = ExamplesOf(kColumns, 1, 1);
  ASSERT_THAT(examples, testing::SizeIs(1));
  auto expected = Access(
      4, [](std::uint32_t lane) { return lane * 128; }, Kind::kStore);
  expected.cost = 32;
  expected.ideal = 1;
  expected.end = 4224;
  EXPECT_EQ(examples[0], expected);
}

TEST(BankConflict, ExamplesAreTheSameWithManyThreadsAndInAnyOrder) {
  const auto examples = ExamplesOf(kColumns, 1, 1);
  for (std::uint64_t seed = 2; seed < 5; ++seed) {
    EXPECT_EQ(ExamplesOf(kColumns, 1, seed), examples);
    EXPECT_EQ(ExamplesOf(kColumns, 3, seed), examples);
  }
}

// Each lane of a block stores a word, `stride` bytes behind the one before.
std::vector<AccessExample> StoredWithStride(int stride, unsigned threads, std::uint64_t seed) {
  Options options;
  options.threads = threads;
  options.order_seed = seed;
  TestDevice device(options);
  device.Load(
      SmallKernel(fmt::format("mul.wide.u32 %rd2, %r1, {}; add.u64 %rd3, %rd1, %rd2; "
                              "st.global.u32 [%rd3], %r1;",
                              stride)));
  const DeviceAddress out = device.Upload(std::vector<int>(256 * 16));
  EXPECT_EQ(device.Launch("k", {256, 1, 1}, {256, 1, 1}, Parameters().Add(out)),
            DeviceError::kSuccess);
  return device.last().lines.front().examples;
}

TEST(AccessToGlobalMemory, IsShownWhereItMovesMoreThanItNeeds) {
  const auto examples = StoredWithStride(64, 1, 1);
  ASSERT_THAT(examples, testing::SizeIs(1));
  AccessExample expected = Access(
      4, [](std::uint32_t lane) { return lane * 64; }, Kind::kStore);
  expected.memory = AccessExample::Memory::kGlobal;
  expected.cost = 32;
  expected.ideal = 4;
  EXPECT_EQ(examples[0], expected);
  EXPECT_THAT(StoredWithStride(4, 1, 1), testing::IsEmpty());
}

TEST(AccessToGlobalMemory, IsTheSameWithManyThreadsAndInAnyOrder) {
  const auto examples = StoredWithStride(12, 1, 1);
  ASSERT_THAT(examples, testing::SizeIs(1));
  for (std::uint64_t seed = 2; seed < 5; ++seed) {
    EXPECT_EQ(StoredWithStride(12, 1, seed), examples);
    EXPECT_EQ(StoredWithStride(12, 3, seed), examples);
  }
}

TEST(BankConflict, AreNotShownWhereThereAreNone) {
  EXPECT_THAT(ExamplesOf("and.b32 %r2, %r1, 31; shl.b32 %r4, %r2, 2; mov.u32 %r6, tile; "
                         "add.u32 %r4, %r4, %r6; st.shared.u32 [%r4], %r1;",
                         1, 1),
              testing::IsEmpty());
}

}  // namespace
}  // namespace warpcheck::emulator
