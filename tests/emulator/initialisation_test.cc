// Tests uses of memory that nothing has written. The checker must report some kernels of
// data/initialisation.cu, with their lines, and must not report others.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/files.h"
#include "emulator/test_device.h"

namespace warpcheck::emulator {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr Dim3 kWarp{32, 1, 1};

Options Checked(bool every_read = false) {
  Options options;
  options.is_student_file = [](std::string_view path) {
    return path.ends_with("initialisation.cu");
  };
  options.checkers.push_back(CheckerNamed(every_read ? "every-read" : "initialisation"));
  return options;
}

// Returns the first line of `kernel` that has the word in its comment.
int LineOf(const std::string& kernel, std::string_view word) {
  const auto text = ReadFile(WARPCHECK_TEST_DATA "/initialisation.cu");
  if (!text) return 0;
  bool inside = false;
  int line = 0;
  for (std::size_t at = 0; at < text->size();) {
    const std::size_t end = text->find('\n', at);
    const std::string one = text->substr(at, end - at);
    ++line;
    inside = inside || one.find("void " + kernel + "(") != std::string::npos;
    const std::size_t comment = one.find("// ");
    const bool has = comment != std::string::npos && one.find(word, comment) != std::string::npos;
    if (inside && has) return line;
    at = end + 1;
  }
  return 0;
}

struct Ran {
  explicit Ran(Options options = Checked()) : device(std::move(options)) {
    const auto ptx = ReadFile(WARPCHECK_EMULATOR_COMPILED "/initialisation.ptx");
    EXPECT_TRUE(ptx.has_value());
    if (ptx) device.Load(*ptx);
    unwritten = device.device->Allocate(4096).value();
    out = device.device->Allocate(4096).value();
    written = device.Upload(std::vector<int>(1024, 3));
  }

  void Launch(const std::string& name, const Parameters& parameters, Dim3 block = kWarp,
              std::uint32_t shared = 0) {
    kernel = name;
    EXPECT_EQ(device.Launch(name, kSingle, block, parameters, shared), DeviceError::kSuccess);
  }
  // Checks that the only finding names the lines that the comments say.
  void Speaks(const std::string& text, std::uint64_t count = 32) const {
    ASSERT_THAT(device.Findings(), ElementsAre("uninitialised_use: " + text));
    const Finding& finding = device.last().findings.front();
    EXPECT_EQ(finding.where.line, LineOf(kernel, "speaks"));
    EXPECT_EQ(finding.count, count);
  }
  std::string Used() const { return fmt::format("line {}", LineOf(kernel, "used")); }

  TestDevice device;
  std::string kernel;
  DeviceAddress unwritten = 0;
  DeviceAddress out = 0;
  DeviceAddress written = 0;
};

TEST(Initialisation, ACopyIsReportedAtTheReadWithItsStore) {
  Ran run;
  run.Launch("copies_unwritten", Parameters().Add(run.unwritten + 64).Add(run.out));
  run.Speaks(
      fmt::format("reads element 16 of the 4,096-byte array of the kernel's 1st parameter, which "
                  "nothing has written, and {} stores a value that depends on it",
                  run.Used()));
  EXPECT_EQ(run.device.last().findings.front().thread, (ThreadPosition{{0, 0, 0}, {0, 0, 0}, 0}));
}

TEST(Initialisation, ByByte) {
  Ran run;
  ASSERT_EQ(run.device.device->Fill(run.unwritten, std::byte{1}, 16), DeviceError::kSuccess);
  ASSERT_EQ(run.device.device->Fill(run.unwritten + 20, std::byte{1}, 108), DeviceError::kSuccess);
  run.Launch("copies_unwritten", Parameters().Add(run.unwritten).Add(run.out));
  run.Speaks(fmt::format("reads element 4 of the 4,096-byte array of the kernel's 1st parameter, "
                         "which nothing has written, and {} stores a value that depends on it",
                         run.Used()),
             1);
  EXPECT_EQ(run.device.last().findings.front().thread->lane, 4);
}

TEST(Initialisation, Branches) {
  Ran run;
  run.Launch("branches_by_unwritten", Parameters().Add(run.unwritten).Add(run.out));
  ASSERT_THAT(run.device.Findings(), SizeIs(1));
  EXPECT_EQ(run.device.last().findings[0].where.line, LineOf(run.kernel, "speaks"));
  EXPECT_THAT(run.device.Findings()[0], testing::HasSubstr(run.Used() + " branches on a value"));
}

TEST(Initialisation, Addresses) {
  Ran run;
  run.Launch("addresses_by_unwritten", Parameters().Add(run.unwritten).Add(run.out));
  run.Speaks(
      fmt::format("reads element 0 of the 4,096-byte array of the kernel's 1st parameter, which "
                  "nothing has written, and {} uses a value that depends on it as an address",
                  run.Used()));
}

TEST(Initialisation, Atomics) {
  Ran run;
  run.Launch("adds_to_unwritten", Parameters().Add(run.out));
  run.Speaks(
      "an atomic operation updates element 0 of the 4,096-byte array of the kernel's 1st "
      "parameter, which nothing has written");
  // The use is reported once, because the memory counts as written from then on.
  run.Launch("adds_to_unwritten", Parameters().Add(run.out));
  EXPECT_THAT(run.device.Findings(), IsEmpty());
}

TEST(Initialisation, AnAtomicStoresToo) {
  Ran run;
  run.Launch("adds_unwritten", Parameters().Add(run.unwritten).Add(run.written));
  run.Speaks(
      fmt::format("reads element 0 of the 4,096-byte array of the kernel's 1st parameter, which "
                  "nothing has written, and {} stores a value that depends on it",
                  run.Used()));
}

TEST(Initialisation, ShufflesMoveItToOtherLanes) {
  Ran run;
  run.Launch("shuffles_unwritten", Parameters().Add(run.unwritten).Add(run.out));
  run.Speaks(fmt::format("reads element 8 of the 4,096-byte array of the kernel's 1st parameter, "
                         "which nothing has written, and {} stores a value that depends on it",
                         run.Used()),
             1);
}

TEST(Initialisation, ElementsOfAVector) {
  Ran run;
  for (DeviceAddress at = 0; at < 512; at += 16) {
    ASSERT_EQ(run.device.device->Fill(run.unwritten + at, std::byte{0}, 12), DeviceError::kSuccess);
  }
  run.Launch("stores_the_last_element", Parameters().Add(run.unwritten).Add(run.out));
  run.Speaks(
      fmt::format("reads element 3 of the 4,096-byte array of the kernel's 1st parameter, which "
                  "nothing has written, and {} stores a value that depends on it",
                  run.Used()));
}

TEST(Initialisation, ThroughCalls) {
  Ran run;
  run.Launch("passes_unwritten_to_functions", Parameters().Add(run.unwritten).Add(run.written));
  run.Speaks(
      fmt::format("reads element 0 of the 4,096-byte array of the kernel's 1st parameter, which "
                  "nothing has written, and {} stores a value that depends on it",
                  run.Used()));
}

TEST(Initialisation, TheEdgeOfATile) {
  Ran run;
  run.Launch("forgets_the_edge_of_a_tile", Parameters().Add(run.written).Add(run.out));
  // Values from both ends of the tile go into one register, which keeps one origin.
  run.Speaks(
      "reads element 0 of tile, which nothing has written, and the same line stores a value that "
      "depends on it",
      2);
}

TEST(Initialisation, AnAccumulatorInSharedMemory) {
  Ran run;
  run.Launch("never_clears_its_accumulator", Parameters().Add(run.written).Add(run.out));
  ASSERT_THAT(run.device.Findings(),
              ElementsAre("uninitialised_use: an atomic operation updates sum, which nothing has "
                          "written"));
  EXPECT_EQ(run.device.last().findings[0].where.line, LineOf(run.kernel, "speaks"));
}

TEST(Initialisation, AReductionOverMoreThanWasFilled) {
  Ran run;
  run.Launch("reduces_a_half_filled_tile", Parameters().Add(run.written).Add(run.out), {64, 1, 1},
             64 * sizeof(int));
  run.Speaks(fmt::format("reads element 40 of values, which nothing has written, and {} stores a "
                         "value that depends on it",
                         run.Used()),
             1);
}

TEST(Initialisation, ThroughSharedMemoryItKeepsItsOrigin) {
  Ran run;
  run.Launch("carries_unwritten_through_a_tile", Parameters().Add(run.unwritten).Add(run.out));
  run.Speaks(
      fmt::format("reads element 0 of the 4,096-byte array of the kernel's 1st parameter, which "
                  "nothing has written, and {} stores a value that depends on it",
                  run.Used()));
}

TEST(Initialisation, LocalArrays) {
  Ran run;
  std::vector<int> in(33, 2);
  in[0] = 5;
  in[20] = 6;
  const DeviceAddress input = run.device.Upload(in);
  run.Launch("forgets_part_of_a_local_array", Parameters().Add(input).Add(run.out));
  run.Speaks(
      "reads 4 bytes at byte 24 of the thread's local memory, which nothing has written, and the "
      "same line stores a value that depends on it",
      1);
  EXPECT_EQ(run.device.last().findings[0].thread->thread.x, 19U);
}

struct Silent {
  const char* kernel;
  Parameters (*parameters)(const Ran& run);
};

class SilentInitialisation : public testing::TestWithParam<Silent> {};

TEST_P(SilentInitialisation, SaysNothing) {
  Ran run;
  run.Launch(GetParam().kernel, GetParam().parameters(run));
  EXPECT_THAT(run.device.Findings(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    All, SilentInitialisation,
    testing::Values(
        Silent{"copies_unwritten",
               [](const Ran& run) { return Parameters().Add(run.written).Add(run.out); }},
        Silent{"reads_without_use",
               [](const Ran& run) { return Parameters().Add(run.unwritten).Add(run.out); }},
        Silent{"writes_before_it_reads", [](const Ran& run) { return Parameters().Add(run.out); }},
        Silent{"uses_variables", [](const Ran& run) { return Parameters().Add(run.out); }},
        Silent{"exchanges",
               [](const Ran& run) { return Parameters().Add(run.unwritten).Add(run.out); }},
        Silent{"uses_a_local_array",
               [](const Ran& run) { return Parameters().Add(run.written).Add(run.out); }},
        Silent{"asks_for_the_end_first",
               [](const Ran& run) { return Parameters().Add(run.written).Add(run.out); }},
        Silent{"merges_with_an_exhausted_side",
               [](const Ran& run) { return Parameters().Add(run.written).Add(run.out); }},
        Silent{"masks_with_numbers",
               [](const Ran& run) { return Parameters().Add(run.written).Add(run.out); }},
        Silent{"joins_two_results",
               [](const Ran& run) { return Parameters().Add(run.written).Add(run.out); }},
        Silent{"stores_halves",
               [](const Ran& run) { return Parameters().Add(run.written).Add(run.out); }}),
    [](const auto& test) { return std::string(test.param.kernel); });

TEST(Initialisation, OneElementTooMany) {
  Ran run;
  run.Launch("asks_the_wrong_way", Parameters().Add(run.written).Add(run.out));
  run.Speaks(
      "reads element 20 of values, which nothing has written, and the same line branches on a "
      "value that depends on it",
      1);
}

TEST(Initialisation, AMaskThatLeavesABit) {
  Ran run;
  run.Launch("masks_too_little", Parameters().Add(run.written).Add(run.out));
  run.Speaks(fmt::format("reads element 20 of values, which nothing has written, and {} stores a "
                         "value that depends on it",
                         run.Used()),
             12);
}

TEST(Initialisation, AHaloThatIsLoadedAndNeverUsedIsSilent) {
  Ran run;
  ASSERT_EQ(run.device.device->Fill(run.unwritten, std::byte{1}, 128), DeviceError::kSuccess);
  run.Launch("loads_a_halo_and_never_uses_it", Parameters().Add(run.unwritten).Add(run.out));
  EXPECT_THAT(run.device.Findings(), IsEmpty());
}

TEST(Initialisation, CopiesOnTheDeviceTakeItWithThem) {
  Ran run;
  ASSERT_EQ(run.device.device->Copy(run.unwritten, run.written, 64), DeviceError::kSuccess);
  ASSERT_EQ(run.device.device->Copy(run.written, run.out, 64), DeviceError::kSuccess);
  run.Launch("copies_unwritten", Parameters().Add(run.unwritten).Add(run.out), {16, 1, 1});
  EXPECT_THAT(run.device.Findings(), IsEmpty());
  run.Launch("copies_unwritten", Parameters().Add(run.written + 32).Add(run.out), {16, 1, 1});
  EXPECT_EQ(run.device.last().findings.at(0).count, 8U);
}

TEST(Initialisation, WhatAKernelWroteIsWrittenForTheNext) {
  Ran run;
  run.Launch("writes_before_it_reads", Parameters().Add(run.unwritten));
  run.Launch("copies_unwritten", Parameters().Add(run.unwritten).Add(run.out));
  EXPECT_THAT(run.device.Findings(), IsEmpty());
}

TEST(Initialisation, TheHostMaySayThatBytesMeanNothing) {
  Ran run;
  run.device.device->MarkUnwritten(run.written + 4, 4);
  run.Launch("copies_unwritten", Parameters().Add(run.written).Add(run.out));
  EXPECT_EQ(run.device.last().findings.at(0).count, 1U);
}

TEST(Initialisation, ValuesThatAreWrittenInPartCountAsWritten) {
  Ran run;
  for (DeviceAddress at = 0; at < 128; at += 4) {
    ASSERT_EQ(run.device.device->Fill(run.unwritten + at, std::byte{0}, 1), DeviceError::kSuccess);
  }
  run.Launch("reads_partly_written", Parameters().Add(run.unwritten).Add(run.out));
  EXPECT_THAT(run.device.Findings(), IsEmpty());
}

TEST(Initialisation, EveryReadIsReportedWhereThatIsAskedFor) {
  Ran run(Checked(true));
  run.Launch("reads_without_use", Parameters().Add(run.unwritten).Add(run.out));
  EXPECT_THAT(run.device.Findings(),
              ElementsAre("uninitialised_read: reads element 0 of the 4,096-byte array of the "
                          "kernel's 1st parameter, but some of these bytes were never written"));
  Ran partly(Checked(true));
  ASSERT_EQ(partly.device.device->Fill(partly.unwritten, std::byte{0}, 126), DeviceError::kSuccess);
  partly.Launch("reads_partly_written", Parameters().Add(partly.unwritten).Add(partly.out));
  ASSERT_THAT(partly.device.Findings(), SizeIs(1));
  EXPECT_EQ(partly.device.last().findings[0].thread->lane, 31);
}

TEST(Initialisation, CheckingChangesNoCounterAndNoResult) {
  const auto run = [](Options options) {
    Ran one(std::move(options));
    one.Launch("reduces_a_half_filled_tile", Parameters().Add(one.written).Add(one.out), {64, 1, 1},
               64 * sizeof(int));
    return std::pair(one.device.last().counters, one.device.Download<int>(one.out, 1));
  };
  EXPECT_EQ(run(Checked()), run({}));
}

TEST(Initialisation, UncheckedSaysNothing) {
  Ran run{Options{}};
  run.Launch("copies_unwritten", Parameters().Add(run.unwritten).Add(run.out));
  EXPECT_THAT(run.device.Findings(), IsEmpty());
}

}  // namespace
}  // namespace warpcheck::emulator
