// Tests which bytes count as copied, and which no longer count because kernels stored over them.
#include "provenance/copied_bytes.h"

#include <gtest/gtest.h>

#include <set>

#include "cudart/fake_device.h"

namespace warpcheck {
namespace {

constexpr DeviceAddress kIn = 0x10000;
constexpr DeviceAddress kOut = 0x20000;
constexpr DeviceAddress kScratch = 0x30000;
constexpr DeviceAddress kOther = 0x40000;
constexpr std::uint64_t kRows = 64;  // the arrays are squares of 64 x 64 words
constexpr std::uint64_t kPitch = 4 * kRows;
constexpr std::uint64_t kBytes = kPitch * kRows;

// A device on which the test says what kernels stored.
struct StoringDevice : cudart::FakeDevice {
  std::optional<std::vector<bool>> TakeStored(DeviceAddress address, std::uint64_t bytes) override {
    if (!tells) return std::nullopt;
    std::vector<bool> taken(bytes);
    for (std::uint64_t i = 0; i < bytes; ++i) taken[i] = stored.erase(address + i) != 0;
    return taken;
  }
  void Store(DeviceAddress address, std::uint64_t bytes) {
    for (std::uint64_t i = 0; i < bytes; ++i) stored.insert(address + i);
  }
  bool tells = true;
  std::set<DeviceAddress> stored;
};

class Copied : public testing::Test {
 protected:
  void Copy(DeviceAddress to, DeviceAddress from, std::uint64_t bytes) {
    copied_.Copied({.address = to}, {.address = from}, {.width = bytes}, IsInput(from));
  }
  void CopyRows(DeviceAddress to, std::uint64_t to_pitch, DeviceAddress from,
                std::uint64_t from_pitch, std::uint64_t width, std::uint64_t rows) {
    copied_.Copied({.address = to, .strides = {.pitch = to_pitch}},
                   {.address = from, .strides = {.pitch = from_pitch}},
                   {.width = width, .height = rows}, IsInput(from));
  }
  static bool IsInput(DeviceAddress from) { return from >= kIn && from < kOut; }
  // Copies column `from` of one square to a row of another.
  void ColumnToRow(DeviceAddress to, DeviceAddress from, std::uint64_t column, std::uint64_t row) {
    CopyRows(to + row * kPitch, 4, from + column * 4, kPitch, 4, kRows);
  }
  void RowToColumn(DeviceAddress to, DeviceAddress from, std::uint64_t row, std::uint64_t column) {
    CopyRows(to + column * 4, kPitch, from + row * kPitch, 4, 4, kRows);
  }
  void Launch(DeviceAddress stored = 0, std::uint64_t bytes = 0) {
    copied_.Launched();
    device_.Store(stored, bytes);
  }
  CopiedBytes::Content Result() { return copied_.ContentOf(kOut, kBytes); }

  StoringDevice device_;
  CopiedBytes copied_{device_};
};

TEST_F(Copied, AreTheInputsUntilAKernelStoresThere) {
  Copy(kOut, kIn, kBytes);
  EXPECT_EQ(Result().of_inputs, kBytes);
  Launch(kOut, kBytes - 4);
  EXPECT_EQ(Result().of_inputs, 4u);
  Launch(kOut + kBytes - 4, 4);
  EXPECT_EQ(Result().of_inputs, 0u);
}

TEST_F(Copied, AreTheHostsUntilAKernelStoresThere) {
  copied_.Written({.address = kOut}, {.width = kBytes});
  EXPECT_EQ(Result().of_host, kBytes);
  Launch(kOut, kBytes);
  EXPECT_EQ(Result().of_host, 0u);
}

TEST_F(Copied, AreTheInputsBySeveralSteps) {
  Copy(kScratch, kIn, kBytes);
  Launch();
  Copy(kOther, kScratch, kBytes);
  Copy(kOut, kOther, kBytes);
  EXPECT_EQ(Result().of_inputs, kBytes);
}

TEST_F(Copied, AreTheKernelsWhereOneStoredOverTheInputsCopy) {
  Copy(kScratch, kIn, kBytes);
  Launch(kScratch, kBytes);
  Copy(kOut, kScratch, kBytes);
  EXPECT_EQ(Result().of_inputs, 0u);
  EXPECT_EQ(Result().rearranged, 0u);
}

TEST_F(Copied, AreNothingAfterAFill) {
  Copy(kOut, kIn, kBytes);
  copied_.Filled({.address = kOut}, {.width = kBytes});
  EXPECT_EQ(Result().of_inputs, 0u);
}

TEST_F(Copied, AreUnsureWhereTheDeviceDoesNotTell) {
  device_.tells = false;
  Copy(kOut, kIn, kBytes);
  EXPECT_EQ(Result().of_inputs, kBytes);  // no kernel has run since the copy
  Launch();
  EXPECT_EQ(Result().of_inputs, 0u);
  EXPECT_EQ(Result().unsure, kBytes);
}

TEST_F(Copied, MayChangeTheirPitch) {
  Launch(kScratch, 2 * kBytes);
  CopyRows(kOut, kPitch, kScratch, kPitch + 12, kPitch, kRows);
  EXPECT_EQ(Result().rearranged, 0u);
}

TEST_F(Copied, MayChangeTheirPitchWhereRowsAreNarrow) {
  Launch(kScratch, 2 * kBytes);
  CopyRows(kOut, 4, kScratch, 512, 4, kRows);  // each row is one word
  EXPECT_EQ(Result().rearranged, 0u);
}

TEST_F(Copied, MayChangeTheirPitchForAKernel) {
  CopyRows(kScratch, 512, kIn, 4, 4, kRows);
  Launch();
  EXPECT_EQ(copied_.Rearranged(), 0u);
}

TEST_F(Copied, MayChangeTheirPitchRowByRow) {
  for (std::uint64_t row = 0; row < kRows; ++row) Copy(kOther + row * 64, kIn + row * 20, 20);
  Launch();
  EXPECT_EQ(copied_.Rearranged(), 0u);
}

TEST_F(Copied, MayBePutTogetherFromChunksInAnyOrder) {
  for (const std::uint64_t chunk : {3U, 1U, 0U, 2U}) {
    Launch(kScratch, kBytes / 4);
    Copy(kOut + chunk * kBytes / 4, kScratch, kBytes / 4);
  }
  EXPECT_EQ(Result().rearranged, 0u);
}

TEST_F(Copied, MayBePaddedAtTheEnds) {
  Copy(kScratch, kIn + kBytes - 64, 64);
  Copy(kScratch + 64, kIn, kBytes);
  Copy(kScratch + 64 + kBytes, kIn, 64);
  Launch();
  EXPECT_EQ(copied_.Rearranged(), 0u);
}

TEST_F(Copied, MayBeRestoredAgainAndAgain) {
  for (int step = 0; step < 5; ++step) {
    CopyRows(kScratch, 32, kIn, 20, 20, kRows);
    Launch(kScratch, kBytes);
  }
  EXPECT_EQ(copied_.Rearranged(), 0u);
}

// A program may copy strips of narrow rows, one after the other, to memory of another pitch.
TEST_F(Copied, MayGoThroughTheSameMemoryStripByStrip) {
  for (std::uint64_t strip = 0; strip < 8; ++strip) {
    CopyRows(kScratch, 32, kIn + strip * 12 * kRows, 12, 12, kRows);
    Launch(kScratch, kBytes);
  }
  EXPECT_EQ(copied_.Rearranged(), 0u);
}

// A program may also copy the results of each strip out of that memory.
TEST_F(Copied, MayComeOutStripByStripToo) {
  for (std::uint64_t strip = 0; strip < 8; ++strip) {
    CopyRows(kScratch, 32, kIn + strip * 12 * kRows, 12, 12, kRows);
    Launch(kScratch, kBytes);
    CopyRows(kOut + strip * 12 * kRows, 12, kScratch, 32, 12, kRows);
  }
  EXPECT_EQ(copied_.Rearranged(), 0u);
}

TEST_F(Copied, TransposeStripsInTheSameMemory) {
  for (std::uint64_t strip = 0; strip < 8; ++strip) {
    for (std::uint64_t i = 0; i < 8; ++i) {  // copies eight rows in order
      CopyRows(kScratch + 4 * i, 32, kIn + (8 * strip + i) * kPitch, 4, 4, kRows);
      Launch();
    }
  }
  EXPECT_GT(copied_.Rearranged(), kBytes * 3 / 4);
}

// Each copy replaces one piece, and the other pieces stay.
TEST_F(Copied, TransposeBesideAPieceThatIsReplaced) {
  for (std::uint64_t i = 0; i < kRows; ++i) {
    RowToColumn(kScratch, kIn, i, i);
    Copy(kOther, kIn + (i + 1) * kPitch - 4, 4);
    Launch();
  }
  EXPECT_GT(copied_.Rearranged(), kBytes / 2);
}

TEST_F(Copied, TransposeTheKernelsResult) {
  Launch(kScratch, kBytes);
  for (std::uint64_t i = 0; i < kRows; ++i) ColumnToRow(kOut, kScratch, i, i);
  EXPECT_GT(Result().rearranged, kBytes * 9 / 10);
}

TEST_F(Copied, TransposeTheKernelsResultByPiecesThatOverlap) {
  Launch(kScratch, 2 * kBytes);
  for (std::uint64_t row = 0; row < kRows; ++row) {
    for (std::uint64_t column = 0; column < kRows; ++column) {
      Copy(kOut + 4 * (row * kRows + column), kScratch + 4 * (column * kRows + row), 68);
    }
  }
  EXPECT_GT(Result().rearranged, kBytes * 9 / 10);
}

TEST_F(Copied, TransposeRowsAsKernelsMakeThem) {
  for (std::uint64_t i = 0; i < kRows; ++i) {
    Launch(kScratch, kPitch);
    RowToColumn(kOut, kScratch, 0, i);
  }
  EXPECT_GT(Result().rearranged, kBytes * 9 / 10);
}

TEST_F(Copied, ReverseTheRowsOfTheKernelsResult) {
  Launch(kScratch, kBytes);
  for (std::uint64_t i = 0; i < kRows; ++i) {
    Copy(kOut + i * kPitch, kScratch + (kRows - 1 - i) * kPitch, kPitch);
  }
  EXPECT_EQ(Result().rearranged, kBytes - kPitch);
}

TEST_F(Copied, TransposeForAKernelThatCopies) {
  for (std::uint64_t i = 0; i < kRows; ++i) ColumnToRow(kScratch, kIn, i, i);
  Launch(kOut, kBytes);
  EXPECT_GT(copied_.Rearranged(), kBytes * 9 / 10);
}

TEST_F(Copied, TransposeForKernelsThatCopyARowEach) {
  Copy(kOther, kIn, kBytes);  // this copy is in order, and is not used again
  for (std::uint64_t i = 0; i < kRows; ++i) {
    ColumnToRow(kScratch, kIn, i, 0);
    Launch(kOut + i * kPitch, kPitch);
  }
  EXPECT_GT(copied_.Rearranged(), kBytes * 9 / 10);
}

TEST_F(Copied, TransposeIntoMemoryForEachRow) {
  for (std::uint64_t i = 0; i < kRows; ++i) {
    CopyRows(kScratch + i * 2 * kPitch, 4, kIn + 4 * i, kPitch, 4, kRows);
  }
  Launch(kOut, kBytes);
  EXPECT_GT(copied_.Rearranged(), kBytes * 9 / 10);
}

TEST_F(Copied, SeparateFieldsForAKernel) {
  for (const std::uint64_t field : {0U, 1U, 2U}) {
    CopyRows(kScratch + field * kBytes / 3, 4, kIn + field * 4, 12, 4, kBytes / 12);
  }
  Launch(kOut, kBytes);
  EXPECT_GT(copied_.Rearranged(), kBytes / 2);
}

TEST_F(Copied, CountOnceTheKernelCouldSeeThem) {
  for (std::uint64_t i = 0; i < kRows; ++i) ColumnToRow(kScratch, kIn, i, i);
  EXPECT_EQ(copied_.Rearranged(), 0u);
}

}  // namespace
}  // namespace warpcheck
