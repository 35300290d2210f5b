#include "report/access_picture.h"

#include <gtest/gtest.h>

#include "report/kernel_costs.h"
#include "report/register_table.h"

namespace warpcheck {
namespace {

using run::AccessSample;
using run::SampledMemory;

// Lane i at first + i * step, for the lanes of `mask`.
AccessSample Sample(SampledMemory memory, std::uint64_t step, std::uint32_t mask,
                    std::uint32_t bytes = 4, std::uint64_t first = 0) {
  AccessSample sample;
  sample.memory = memory;
  sample.bytes = bytes;
  sample.mask = mask;
  for (std::uint64_t i = 0; i < 32; ++i) sample.addresses[i] = first + i * step;
  return sample;
}

std::string Draw(const AccessSample& sample) { return AccessPicture(sample, {.colours = false}); }

TEST(AccessPicture, OfABankConflictStacksLanesInAColumn) {
  EXPECT_EQ(Draw(Sample(SampledMemory::kShared, 128, 0x7)),
            "bank 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 "
            "27 28 29 30 31\n"
            "  1  0  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  "
            ".  .  .  .  .\n"
            "  2  1  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  "
            ".  .  .  .  .\n"
            "  3  2  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  "
            ".  .  .  .  .\n"
            "  rows: different words of one bank; bank 0 has to give 3\n");
}

TEST(AccessPicture, OfALineOfSharedMemoryIsOneRow) {
  EXPECT_EQ(Draw(Sample(SampledMemory::kShared, 4, ~0U)),
            "bank 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 "
            "27 28 29 30 31\n"
            "  1  0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 "
            "27 28 29 30 31\n");
}

TEST(AccessPicture, MarksLanesThatShareAWord) {
  const std::string picture = Draw(Sample(SampledMemory::kShared, 0, ~0U));
  EXPECT_NE(picture.find("  1  0* .  ."), std::string::npos) << picture;
  EXPECT_NE(picture.find("*: this lane and others"), std::string::npos) << picture;
}

TEST(AccessPicture, OfGlobalMemoryIsARowASector) {
  EXPECT_EQ(Draw(Sample(SampledMemory::kGlobal, 4096, 0x3, 4, 1 << 20)),
            "sector    at byte     0  4  8 12 16 20 24 28   bytes used\n"
            "     1           +0     0  .  .  .  .  .  .  .    4 of 32\n"
            "     2       +4,096     1  .  .  .  .  .  .  .    4 of 32\n");
  EXPECT_EQ(Draw(Sample(SampledMemory::kGlobal, 8, 0xF, 8, 16)),
            "sector    at byte     0  4  8 12 16 20 24 28   bytes used\n"
            "     1           +0     .  .  .  .  0  0  1  1   16 of 32\n"
            "     2          +32     2  2  3  3  .  .  .  .   16 of 32\n");
}

TEST(AccessPicture, CountsBytesWithinAWord) {
  EXPECT_EQ(Draw(Sample(SampledMemory::kGlobal, 1, 0x3F, 1)),
            "sector    at byte     0  4  8 12 16 20 24 28   bytes used\n"
            "     1           +0     0* 4* .  .  .  .  .  .    6 of 32\n"
            "  *: this lane and others after it touch the same word\n");
}

TEST(AccessPicture, FitsAHundredColumns) {
  for (const SampledMemory memory : {SampledMemory::kGlobal, SampledMemory::kShared}) {
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
  EXPECT_EQ(Draw(Sample(SampledMemory::kGlobal, 4, 0)), "");
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
