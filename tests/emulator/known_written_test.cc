#include "emulator/memory/known_written.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "emulator/checkers/initialisation/written_bytes.h"

namespace warpcheck::emulator {
namespace {

constexpr std::uint64_t kBytes = 10'000;  // two pages and a part of one

class KnownWrittenTest : public testing::Test {
 protected:
  void Write(std::uint64_t begin, std::uint64_t end) { Mark(begin, end, kWritten); }
  void Mark(std::uint64_t begin, std::uint64_t end, std::uint8_t mark) {
    std::fill(marks_.begin() + static_cast<std::ptrdiff_t>(begin),
              marks_.begin() + static_cast<std::ptrdiff_t>(end), mark);
  }
  bool Learn(std::uint64_t begin, std::uint64_t end) {
    return known_.Learn(marks_.data(), begin, end);
  }

  std::vector<std::uint8_t> marks_ = std::vector<std::uint8_t>(kBytes);
  KnownWritten known_{kBytes};
};

TEST_F(KnownWrittenTest, LearnsFromTheMarksUpToTheFirstGap) {
  Write(0, 1000);
  EXPECT_FALSE(known_.Holds(0, 4));
  EXPECT_TRUE(Learn(0, 4));
  EXPECT_TRUE(known_.Holds(0, 1000));
  EXPECT_TRUE(known_.Holds(999, 1000));
  EXPECT_FALSE(known_.Holds(999, 1001));
  EXPECT_FALSE(Learn(999, 1001));
  Write(1000, 1001);
  EXPECT_TRUE(Learn(999, 1001));
}

TEST_F(KnownWrittenTest, CountsEveryByteBeforeAGap) {
  for (const std::uint64_t gap : {0U, 1U, 7U, 8U, 63U, 64U, 100U, 4095U}) {
    known_.Reset(kBytes);
    Write(0, kBytes);
    Mark(gap, gap + 1, 0);
    EXPECT_EQ(Learn(0, std::max<std::uint64_t>(gap, 1)), gap != 0) << gap;
    EXPECT_FALSE(Learn(0, gap + 1)) << gap;
    EXPECT_FALSE(known_.Holds(gap, gap + 1)) << gap;
  }
}

TEST_F(KnownWrittenTest, KnowsPagesByThemselves) {
  Write(4096, kBytes);
  EXPECT_TRUE(Learn(4096, 4100));
  EXPECT_FALSE(known_.Holds(8192, 8196));
  EXPECT_TRUE(Learn(5000, kBytes));
  EXPECT_TRUE(known_.Holds(8192, kBytes));
  EXPECT_FALSE(Learn(4092, 4100));
  Write(0, 4096);
  EXPECT_TRUE(Learn(4092, 8200));
  EXPECT_TRUE(known_.Holds(0, kBytes));
}

TEST_F(KnownWrittenTest, TakesNotesWithoutALook) {
  known_.Note(0, 100);
  EXPECT_TRUE(known_.Holds(0, 100));
  EXPECT_FALSE(known_.Holds(0, 101));
  known_.Note(100, 5000);
  EXPECT_TRUE(known_.Holds(0, 5100));
  known_.Note(6000, 10);  // these bytes lie after a gap, so that the marks must be read
  EXPECT_FALSE(known_.Holds(6000, 6010));
  known_.Note(0, kBytes);
  EXPECT_TRUE(known_.Holds(0, kBytes));
}

TEST_F(KnownWrittenTest, ForgetsFromTheFirstByteOn) {
  known_.Note(0, kBytes);
  known_.Forget(5000, 4);
  EXPECT_TRUE(known_.Holds(0, 5000));
  EXPECT_FALSE(known_.Holds(5000, 5001));
  EXPECT_FALSE(known_.Holds(4000, 5001));
  EXPECT_FALSE(known_.Holds(8000, 8001));
  EXPECT_TRUE(known_.Holds(8192, kBytes));
  known_.Forget(0, kBytes);
  EXPECT_FALSE(known_.Holds(8192, kBytes));
}

TEST_F(KnownWrittenTest, GivesUpOnLongStretchesUnlessAllIsWritten) {
  constexpr std::uint64_t kMuch = 1 << 20;
  const std::vector<std::uint8_t> marks(kMuch, kWritten);
  KnownWritten known(kMuch);
  EXPECT_FALSE(known.Learn(marks.data(), 0, kMuch));
  known.Note(0, kMuch);
  EXPECT_TRUE(known.Holds(0, kMuch));
}

}  // namespace
}  // namespace warpcheck::emulator
