// Tests that a spacing which avoids conflicts is found, and that it has no conflicts by the law.
#include "hardware/bank_conflicts.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <vector>

namespace warpcheck {
namespace {

using Kind = AccessExample::Kind;

constexpr MemoryGeometry Geometry() { return {}; }

AccessExample Access(std::uint32_t bytes, const std::function<std::uint32_t(std::uint32_t)>& offset,
                     Kind kind = Kind::kLoad) {
  AccessExample access{.kind = kind, .mask = ~0U, .bytes = bytes};
  for (std::uint32_t lane = 0; lane < 32; ++lane) access.offsets[lane] = offset(lane);
  return access;
}

struct Case {
  const char* name;
  AccessExample access;
  std::uint32_t excess;  // the excess with the present spacing
  std::uint32_t now;     // 0 if no spacing helps
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

TEST(BankConflict, TellsWhichOtherAccessNeedsAnotherOrder) {
  // Two columns need rows of 34 words, and four columns of eight lanes need rows of 36. No row is
  // good for both.
  const auto two = Access(4, [](std::uint32_t l) { return l % 16 * 128 + l / 16 * 4; });
  const auto four = Access(4, [](std::uint32_t l) { return l % 8 * 128 + l / 8 * 4; });
  const auto alone = SpacingWithoutConflict(Geometry(), two, 16, {});
  ASSERT_TRUE(alone);
  EXPECT_EQ(alone->wanted, 136U);
  const auto both = SpacingWithoutConflict(Geometry(), four, 8, std::vector{two});
  ASSERT_TRUE(both);
  EXPECT_EQ(both->wanted, 144U);
  EXPECT_EQ(both->unsuited, 0U);
}

// If another access reads whole elements of an array, its rows grow by whole elements: here by four
// words, with which a column lies in eight banks.
TEST(BankConflict, PaddingIsOfWholeElements) {
  const auto column = Access(4, [](std::uint32_t l) { return l * 128; });
  const auto wide = Access(16, [](std::uint32_t l) { return l * 16; });
  EXPECT_TRUE(SpacingWithoutConflict(Geometry(), column, 32, {}));
  EXPECT_FALSE(SpacingWithoutConflict(Geometry(), column, 32, std::vector{wide}));
}

// Represents a tile in shared memory as kernels use it. It has rows of `pitch` bytes. Each warp of
// a block with `width` threads in a row accesses it.
struct Tile {
  const char* name;
  std::uint32_t pitch;
  std::uint32_t bytes;  // bytes of an access
  std::uint32_t width;
  std::uint32_t warps;
  using Address = std::uint32_t (*)(std::uint32_t x, std::uint32_t y, std::uint32_t pitch);
  std::vector<Address> accesses;
};

void PrintTo(const Tile& tile, std::ostream* out) { *out << tile.name; }

// Returns the access of a warp.
AccessExample Of(const Tile& tile, Tile::Address address, std::uint32_t warp, std::uint32_t pitch) {
  AccessExample access{.mask = ~0U, .bytes = tile.bytes, .end = 65'536};
  std::uint64_t lowest = UINT64_MAX;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const std::uint32_t thread = warp * 32 + lane;
    access.offsets[lane] = address(thread % tile.width, thread / tile.width, pitch);
    lowest = std::min(lowest, access.offsets[lane] / 4 * 4);
  }
  access.base.bytes = static_cast<std::uint32_t>(lowest);
  for (std::uint64_t& offset : access.offsets) offset -= lowest;
  access.cost = ExcessOf(Geometry(), access);
  return access;
}

std::uint32_t WorstExcess(const Tile& tile, std::uint32_t pitch) {
  std::uint32_t worst = 0;
  for (const Tile::Address address : tile.accesses) {
    for (std::uint32_t warp = 0; warp < tile.warps; ++warp) {
      worst = std::max(worst, ExcessOf(Geometry(), Of(tile, address, warp, pitch)));
    }
  }
  return worst;
}

using u32 = std::uint32_t;
template <u32 bytes>
u32 Rows(u32 x, u32 y, u32 pitch) {
  return y * pitch + x * bytes;
}
template <u32 bytes>
u32 Columns(u32 x, u32 y, u32 pitch) {
  return x * pitch + y * bytes;
}
// Addresses the middle of a tile with a halo of one element, and the element to the left of it.
template <u32 bytes>
u32 Middle(u32 x, u32 y, u32 pitch) {
  return (y + 1) * pitch + (x + 1) * bytes;
}
template <u32 bytes>
u32 Left(u32 x, u32 y, u32 pitch) {
  return (y + 1) * pitch + x * bytes;
}
// Addresses a field of 4 bytes in elements of `bytes` bytes.
template <u32 bytes, u32 field>
u32 FieldOfColumn(u32 x, u32 y, u32 pitch) {
  return x * pitch + y * bytes + field * 4;
}
template <u32 bytes, u32 field>
u32 FieldOfRow(u32 x, u32 y, u32 pitch) {
  return y * pitch + x * bytes + field * 4;
}
// The number of padding bytes after each plane of 8 rows.
u32 plane_padding = 0;
u32 Box(u32 x, u32 y, u32 pitch) { return y * pitch + y / 8 * plane_padding + x * 4; }
u32 BoxAcross(u32 x, u32 y, u32 pitch) {
  return x * (8 * pitch + plane_padding) + y % 8 * pitch + y / 8 * 4;
}

std::vector<Tile> Tiles() {
  std::vector<Tile> tiles = {
      {"floats_32x32", 128, 4, 32, 8, {&Rows<4>, &Columns<4>}},
      {"floats_32x34", 136, 4, 32, 8, {&Rows<4>, &Columns<4>}},
      {"floats_32x36", 144, 4, 32, 8, {&Rows<4>, &Columns<4>}},
      {"floats_32x64", 256, 4, 32, 32, {&Rows<4>, &Columns<4>}},
      {"floats_16x16", 64, 4, 16, 8, {&Rows<4>, &Columns<4>}},
      {"floats_16x17", 68, 4, 16, 8, {&Rows<4>, &Columns<4>}},
      {"rows_of_16_on_17", 68, 4, 16, 8, {&Rows<4>}},
      {"rows_of_16_on_18", 72, 4, 16, 8, {&Middle<4>, &Left<4>}},
      {"rows_of_16_on_24", 96, 4, 16, 8, {&Rows<4>}},
      {"rows_of_16_on_32", 128, 4, 16, 8, {&Rows<4>}},
      {"floats_8x8", 32, 4, 8, 2, {&Rows<4>, &Columns<4>}},
      {"floats_8x9", 36, 4, 8, 2, {&Rows<4>, &Columns<4>}},
      {"rows_of_8_on_9", 36, 4, 8, 2, {&Rows<4>}},
      {"rows_of_8_on_10", 40, 4, 8, 2, {&Middle<4>, &Left<4>}},
      {"columns_of_8_on_9", 36, 4, 8, 2, {&Columns<4>}},
      {"rows_of_4_on_5", 20, 4, 4, 1, {&Rows<4>}},
      {"halo_of_32", 136, 4, 32, 8, {&Middle<4>, &Left<4>, &Columns<4>}},
      {"doubles_32x32", 256, 8, 32, 8, {&Rows<8>, &Columns<8>}},
      {"doubles_16x16", 128, 8, 16, 8, {&Rows<8>, &Columns<8>}},
      {"float4_8x32", 512, 16, 32, 8, {&Rows<16>, &Columns<16>}},
      {"float4_8x8", 128, 16, 8, 2, {&Rows<16>, &Columns<16>}},
      {"chars_32x32", 32, 1, 32, 8, {&Rows<1>, &Columns<1>}},
      {"chars_32x64", 64, 1, 32, 8, {&Rows<1>, &Columns<1>}},
      {"shorts_32x32", 64, 2, 32, 8, {&Rows<2>, &Columns<2>}},
      {"three_words_32",
       384,
       4,
       32,
       8,
       {&FieldOfRow<12, 0>, &FieldOfRow<12, 1>, &FieldOfRow<12, 2>, &FieldOfColumn<12, 0>,
        &FieldOfColumn<12, 1>, &FieldOfColumn<12, 2>}},
      {"five_words_32",
       640,
       4,
       32,
       8,
       {&FieldOfRow<20, 0>, &FieldOfRow<20, 4>, &FieldOfColumn<20, 0>, &FieldOfColumn<20, 4>}},
      {"box_of_8_rows", 128, 4, 32, 8, {&Box, &BoxAcross}},
      {"box_of_8_rows_of_33", 132, 4, 32, 8, {&Box, &BoxAcross}},
  };
  return tiles;
}

class TilesOfKernels : public testing::TestWithParam<Tile> {};

// A launch keeps the example of the worst warp. The spacing must be good for all warps.
TEST_P(TilesOfKernels, HaveNoConflictWithTheSpacingThatIsNamed) {
  const Tile& tile = GetParam();
  std::vector<AccessExample> worst;
  for (const Tile::Address address : tile.accesses) {
    worst.push_back(Of(tile, address, 0, tile.pitch));
    for (std::uint32_t warp = 1; warp < tile.warps; ++warp) {
      const AccessExample other = Of(tile, address, warp, tile.pitch);
      if (other.cost > worst.back().cost) worst.back() = other;
    }
  }
  std::ranges::stable_sort(worst, std::greater(), &AccessExample::cost);
  if (worst[0].cost == 0) return;
  const std::vector others(worst.begin() + 1, worst.end());
  const auto spacing = SpacingWithoutConflict(Geometry(), worst[0], tile.width, others);
  if (!spacing || spacing->unsuited) {  // in this case there is no spacing
    for (std::uint32_t pitch = tile.bytes; pitch <= tile.pitch + 128; pitch += tile.bytes) {
      const bool holds = pitch >= tile.width * tile.bytes;
      EXPECT_FALSE(holds && WorstExcess(tile, pitch) == 0) << pitch;
    }
    return;
  }
  for (const std::uint32_t named : {spacing->smaller, spacing->wanted}) {
    if (named == 0) continue;
    const bool planes = spacing->now == 8 * tile.pitch && tile.accesses[0] == &Box;
    ASSERT_TRUE(planes || spacing->now == tile.pitch) << spacing->now;
    plane_padding = planes ? named - spacing->now : 0;
    EXPECT_EQ(WorstExcess(tile, planes ? tile.pitch : named), 0U)
        << named << " instead of " << spacing->now;
    plane_padding = 0;
  }
}

INSTANTIATE_TEST_SUITE_P(Tiles, TilesOfKernels, testing::ValuesIn(Tiles()),
                         [](const auto& tested) { return tested.param.name; });

TEST(BankConflict, LanesThatTakeNoPartAreNotLookedAt) {
  auto half = Access(4, [](std::uint32_t lane) { return lane * 128; });
  half.mask = 0xFFFF0000;
  const auto spacing = SpacingWithoutConflict(Geometry(), half, 32, {});
  ASSERT_TRUE(spacing);
  EXPECT_EQ(spacing->wanted, 132U);
}

}  // namespace
}  // namespace warpcheck
