#include "report/terminal/access_picture.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "report/access_layout.h"
#include "report/html/access_figure.h"
#include "report/line_accesses.h"
#include "report/terminal/register_table.h"

namespace warpcheck {
namespace {

using run::AccessSample;
using Memory = AccessExample::Memory;
using Kind = AccessExample::Kind;
using testing::HasSubstr;

// Returns an access in which lane i of `mask` accesses first + i * step.
AccessExample Sample(Memory memory, std::uint64_t step, std::uint32_t mask, std::uint32_t bytes = 4,
                     std::uint64_t first = 0) {
  AccessExample sample{.memory = memory, .mask = mask, .bytes = bytes};
  for (std::uint64_t i = 0; i < 32; ++i) sample.offsets[i] = first + i * step;
  return sample;
}

std::string Draw(const AccessExample& sample, std::uint64_t base = 0) {
  return AccessPicture(LayOut(sample, base), {.colours = false});
}

TEST(AccessPicture, OfABankConflictStacksLanesInAColumn) {
  EXPECT_EQ(Draw(Sample(Memory::kShared, 128, 0x7)),
            "bank 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 "
            "27 28 29 30 31\n"
            "  1  0  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  "
            ".  .  .  .  .\n"
            "  2  1  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  "
            ".  .  .  .  .\n"
            "  3  2  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  "
            ".  .  .  .  .\n"
            "  each row is a pass, in which a bank delivers one word; bank 0 needs 3 passes\n");
}

TEST(AccessPicture, OfALineOfSharedMemoryIsOneRow) {
  EXPECT_EQ(Draw(Sample(Memory::kShared, 4, ~0U)),
            "bank 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 "
            "27 28 29 30 31\n"
            "  1  0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 "
            "27 28 29 30 31\n");
}

TEST(AccessPicture, MarksLanesThatShareAWord) {
  const std::string picture = Draw(Sample(Memory::kShared, 0, ~0U));
  EXPECT_NE(picture.find("  1  0* .  ."), std::string::npos) << picture;
  EXPECT_NE(picture.find("*: this lane and later ones"), std::string::npos) << picture;
}

TEST(AccessPicture, OfGlobalMemoryIsARowASector) {
  EXPECT_EQ(Draw(Sample(Memory::kGlobal, 4096, 0x3, 4, 1 << 20)),
            "sector    at byte     0  4  8 12 16 20 24 28   bytes used\n"
            "     1           +0     0  .  .  .  .  .  .  .    4 of 32\n"
            "     2       +4,096     1  .  .  .  .  .  .  .    4 of 32\n");
  EXPECT_EQ(Draw(Sample(Memory::kGlobal, 8, 0xF, 8, 16)),
            "sector    at byte     0  4  8 12 16 20 24 28   bytes used\n"
            "     1           +0     .  .  .  .  0  0  1  1   16 of 32\n"
            "     2          +32     2  2  3  3  .  .  .  .   16 of 32\n");
}

TEST(AccessPicture, CountsBytesWithinAWord) {
  EXPECT_EQ(Draw(Sample(Memory::kGlobal, 1, 0x3F, 1)),
            "sector    at byte     0  4  8 12 16 20 24 28   bytes used\n"
            "     1           +0     0* 4* .  .  .  .  .  .    6 of 32\n"
            "  *: this lane and later ones touch the same word\n");
}

TEST(AccessPicture, FitsAHundredColumns) {
  for (const Memory memory : {Memory::kGlobal, Memory::kShared}) {
    for (const std::uint64_t step :
         {std::uint64_t{0}, std::uint64_t{4}, std::uint64_t{132}, std::uint64_t{1} << 34}) {
      const std::string picture = Draw(Sample(memory, step, ~0U, 4));
      for (std::size_t begin = 0; begin < picture.size();) {
        const std::size_t end = picture.find('\n', begin);
        EXPECT_LE(end - begin, 100U) << picture;
        begin = end + 1;
      }
    }
  }
  EXPECT_EQ(Draw(Sample(Memory::kGlobal, 4, 0)), "");
}

// Returns each row as "used cells good/part/bad".
std::vector<std::string> RowsOf(const AccessExample& access, std::uint64_t base = 0) {
  std::vector<std::string> rows;
  for (const AccessLayout::Row& row : LayOut(access, base).rows) {
    std::array<int, 4> uses = {};
    for (const AccessLayout::Cell& cell : row.cells) ++uses[static_cast<std::size_t>(cell.use)];
    rows.push_back(fmt::format("{}/{}/{}", uses[1], uses[2], uses[3]));
  }
  return rows;
}

using Rows = std::vector<std::string>;

TEST(AccessLayout, OfWideAccessesHasAPassForEachGroupOfLanes) {
  EXPECT_EQ(RowsOf(Sample(Memory::kShared, 16, ~0U, 16)), Rows(4, "32/0/0"));
  EXPECT_EQ(RowsOf(Sample(Memory::kShared, 8, ~0U, 8)), Rows(2, "32/0/0"));
  // The rows of 16 bytes lie 128 bytes apart, so that all eight lanes of a group access the same
  // four banks.
  EXPECT_EQ(RowsOf(Sample(Memory::kShared, 128, ~0U, 16)), Rows(32, "0/0/4"));
}

TEST(AccessLayout, JoinsGroupsOfALoadWithoutConflictsAsItsCostHasIt) {
  AccessExample broadcast = Sample(Memory::kShared, 0, ~0U, 8);
  EXPECT_EQ(RowsOf(broadcast), Rows(2, "2/0/0"));
  broadcast.cost = 1;
  EXPECT_EQ(RowsOf(broadcast), Rows(1, "2/0/0"));
}

TEST(AccessLayout, LetsAtomicsAtOneWordTakeTurns) {
  AccessExample atomic = Sample(Memory::kShared, 0, 0xF);
  EXPECT_EQ(RowsOf(atomic), Rows(1, "1/0/0"));
  atomic.kind = Kind::kAtomic;
  EXPECT_EQ(RowsOf(atomic), Rows(4, "0/0/1"));
}

TEST(AccessLayout, CountsBanksFromTheBase) {
  const AccessLayout layout = LayOut(Sample(Memory::kShared, 128, 0x3), 20);
  EXPECT_EQ(layout.fullest, 5U);
  EXPECT_EQ(layout.passes, 2U);
}

TEST(AccessLayout, OfStridesAndMisalignedAccessesShowsWhatIsMovedForNothing) {
  EXPECT_EQ(RowsOf(Sample(Memory::kGlobal, 4, ~0U)), Rows(4, "8/0/0"));
  EXPECT_EQ(RowsOf(Sample(Memory::kGlobal, 8, 0xF)), Rows(1, "0/0/4"));
  EXPECT_EQ(RowsOf(Sample(Memory::kGlobal, 4, ~0U, 4, 4)),
            (Rows{"0/7/0", "8/0/0", "8/0/0", "8/0/0", "0/0/1"}));
  EXPECT_EQ(RowsOf(Sample(Memory::kGlobal, 0, ~0U)), Rows(1, "0/0/1"));
  EXPECT_EQ(RowsOf(Sample(Memory::kGlobal, 16, 0x3, 16)), Rows(1, "8/0/0"));
}

TEST(AccessLayout, IsEmptyForWhatNoGpuDoes) {
  EXPECT_TRUE(RowsOf(Sample(Memory::kGlobal, 4, 0)).empty());
  EXPECT_TRUE(RowsOf(Sample(Memory::kGlobal, 4, ~0U, 0)).empty());
  EXPECT_TRUE(RowsOf(Sample(Memory::kShared, 4, ~0U, 1U << 30)).empty());
}

std::string Figure(const AccessExample& access) {
  return Rendered("access_figure", AccessFigureModel(access));
}

TEST(AccessFigure, SaysInWordsWhatItDraws) {
  AccessExample column = Sample(Memory::kShared, 128, ~0U);
  column.cost = 32;
  column.ideal = 1;
  const std::string figure = Figure(column);
  EXPECT_THAT(figure, HasSubstr("a shared load of 4 bytes by 32 lanes: 32 wavefronts, ideally 1"));
  EXPECT_THAT(figure, HasSubstr("<rect class=\"bad\""));
  EXPECT_THAT(figure, HasSubstr(">31</text>"));
  EXPECT_TRUE(AccessFigureModel(Sample(Memory::kGlobal, 4, 0)).is_null());
}

TEST(AccessFigure, DrawsAPartOfManySectors) {
  const std::string figure = Figure(Sample(Memory::kGlobal, 48, ~0U, 32));
  EXPECT_THAT(figure, HasSubstr("Rows not shown: 16."));
}

TEST(LineAccesses, PutUnrolledInstructionsTogether) {
  AccessSample good;
  good.where = {.file = "a.cu", .line = 3};
  good.cost = good.ideal = 4;
  good.requests = good.as_bad = 10;
  AccessSample bad = good;
  bad.cost = 32;
  bad.index = 1;
  AccessSample elsewhere = good;
  elsewhere.where.line = 4;
  const auto accesses = LineAccesses({good, bad, elsewhere, bad});
  ASSERT_EQ(accesses.size(), 2U);
  EXPECT_EQ(accesses[0].instructions, 3U);
  EXPECT_EQ(accesses[0].worst.cost, 32U);
  EXPECT_EQ(accesses[0].worst.requests, 30U);
  EXPECT_EQ(accesses[0].worst.as_bad, 20U);
}

TEST(RegisterTable, ShowsWhatDiffersLaneByLane) {
  run::FindingStop stop;
  stop.active = 0x0000000F;
  stop.lanes = 0x2;
  run::RegisterValues same{
      .name = "%p1", .type = run::RegisterValues::Type::kPredicate, .bytes = 1};
  same.lanes.fill(1);
  run::RegisterValues number{
      .name = "%r1", .type = run::RegisterValues::Type::kInteger, .bytes = 4};
  number.written = true;
  for (std::uint32_t i = 0; i < 32; ++i) number.lanes[i] = std::uint32_t(0) - i;
  run::RegisterValues real{.name = "%f1", .type = run::RegisterValues::Type::kFloat, .bytes = 4};
  real.lanes[1] = 0x3FC00000;
  stop.registers = {same, number, real};
  const std::string table = RegisterTable(stop, {.colours = false});
  EXPECT_EQ(table.substr(0, table.find("\n     2")),
            "%p1 = true in all active lanes\n"
            "  lane   %r1 (written)   %f1\n"
            "     0   0 0x0           0 0x0\n"
            ">    1   -1 0xffffffff   1.5 0x3fc00000");
  EXPECT_NE(table.find("\n-    4   -4 0xfffffffc"), std::string::npos) << table;
}

}  // namespace
}  // namespace warpcheck
