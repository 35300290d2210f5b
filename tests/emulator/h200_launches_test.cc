// Compares the emulator's counters with the counters of an H200 for the same kernels
// (data/h200_counters.txt, measured with CUDA 13.0 through CUPTI's SASS metrics). They must be
// equal. Shared requests and wavefronts differ only where ptxas merges loads; these launches are
// listed.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>

#include "emulator/calibration.h"
#include "emulator/test_device.h"

namespace warpcheck::emulator {
namespace {

constexpr std::uint32_t kN = kCalibrationElements;

std::map<std::string, Measured> ReadMeasurements() {
  return warpcheck::ReadMeasurements(WARPCHECK_TEST_DATA "/h200_counters.txt");
}

class H200Launches : public testing::TestWithParam<Calibration> {};

std::string Text(std::uint64_t sectors, std::uint64_t ideal, std::uint64_t loads,
                 std::uint64_t stores, std::uint64_t excessive) {
  return fmt::format("sectors {} ideal {} loads {} stores {} excessive wavefronts {}", sectors,
                     ideal, loads, stores, excessive);
}

std::string SharedText(std::uint64_t loads, std::uint64_t stores, std::uint64_t wavefronts) {
  return fmt::format("loads {} stores {} wavefronts {}", loads, stores, wavefronts);
}

// In these launches the hardware makes fewer shared accesses than the PTX has; the list has the
// PTX's counts. In matmul16, ptxas merges each 16 scalar loads of the row operand to 4 LDS.128.
const std::map<std::string, std::string> kPtxHasMore = {
    {"matmul16", "loads 1048576 stores 65536 wavefronts 1114112"},
};

TEST_P(H200Launches, CountAsTheHardware) {
  const Calibration& launch = GetParam();
  TestDevice device;
  ASSERT_NO_FATAL_FAILURE(device.LoadFile("h200_kernels.ptx"));
  const DeviceAddress a = device.Upload(std::vector<std::uint8_t>(std::size_t{16} * kN, 1));
  const DeviceAddress b = device.Upload(std::vector<std::uint8_t>(std::size_t{16} * kN, 0));
  Parameters parameters;
  if (launch.pointers >= 2) parameters.Add(a);
  parameters.Add(b);
  if (launch.pointers == 3) parameters.Add(b + kN * sizeof(float));
  for (const int scalar : launch.scalars) parameters.Add(scalar);
  ASSERT_EQ(
      device.Launch(launch.kernel, launch.grid, launch.block, parameters, launch.dynamic_shared),
      DeviceError::kSuccess);
  EXPECT_THAT(device.Findings(), testing::IsEmpty());

  Measured measured = ReadMeasurements()[launch.name];
  ASSERT_FALSE(measured.empty());
  const CounterSet& totals = device.last().counters;
  EXPECT_EQ(Text(*totals[Counter::kGlobalSectors], *totals[Counter::kGlobalSectorsIdeal],
                 *totals[Counter::kGlobalLoadRequests], *totals[Counter::kGlobalStoreRequests],
                 *ExcessiveWavefronts(totals)),
            Text(measured["sectors_mem_global"], measured["sectors_mem_global_ideal"],
                 measured["inst_executed_op_global_ld"], measured["inst_executed_op_global_st"],
                 measured["l1tex_pipe_lsu_wavefronts_mem_shared"] -
                     measured["l1tex_pipe_lsu_wavefronts_mem_shared_ideal"]));

  const auto known = kPtxHasMore.find(launch.name);
  const std::string shared =
      SharedText(*totals[Counter::kSharedLoadRequests], *totals[Counter::kSharedStoreRequests],
                 *totals[Counter::kSharedWavefronts]);
  const std::string on_hardware =
      SharedText(measured["inst_executed_op_shared_ld"], measured["inst_executed_op_shared_st"],
                 measured["l1tex_pipe_lsu_wavefronts_mem_shared"]);
  EXPECT_EQ(shared, known == kPtxHasMore.end() ? on_hardware : known->second);
  EXPECT_EQ(known == kPtxHasMore.end(), shared == on_hardware) << "known differences are exact";
}

INSTANTIATE_TEST_SUITE_P(, H200Launches, testing::ValuesIn(CalibrationLaunches()),
                         [](const auto& tested) { return tested.param.name; });

// The input of hist was random, so only counters that do not depend on the values can be compared.
TEST(H200Histogram, CountsAtomicsAsTheHardware) {
  TestDevice device;
  ASSERT_NO_FATAL_FAILURE(device.LoadFile("h200_kernels.ptx"));
  std::vector<std::uint32_t> in(kN);
  for (std::uint32_t i = 0; i < kN; ++i) in[i] = i * 2654435761U >> 13;
  const DeviceAddress input = device.Upload(in);
  const DeviceAddress bins = device.Upload(std::vector<std::uint32_t>(256, 0));
  ASSERT_EQ(device.Launch("_Z6k_histPKjPji", {kN / 256, 1, 1}, {256, 1, 1},
                          Parameters().Add(input).Add(bins).Add(std::int32_t{kN})),
            DeviceError::kSuccess);
  std::vector<std::uint32_t> expected(256, 0);
  for (const std::uint32_t value : in) ++expected[value & 255];
  EXPECT_EQ(device.Download<std::uint32_t>(bins, 256), expected);
  const Measured measured = ReadMeasurements()["hist"];
  const CounterSet& totals = device.last().counters;
  EXPECT_EQ(totals[Counter::kGlobalSectors], measured.at("sectors_mem_global"));
  EXPECT_EQ(totals[Counter::kGlobalSectorsIdeal], measured.at("sectors_mem_global_ideal"));
  EXPECT_EQ(totals[Counter::kGlobalLoadRequests], measured.at("inst_executed_op_global_ld"));
  EXPECT_EQ(totals[Counter::kGlobalStoreRequests], 0U);
  EXPECT_EQ(totals[Counter::kSharedLoadRequests], measured.at("inst_executed_op_shared_ld"));
  EXPECT_EQ(totals[Counter::kSharedStoreRequests], measured.at("inst_executed_op_shared_st"));
  EXPECT_EQ(totals[Counter::kSharedWavefrontsIdeal],
            measured.at("l1tex_pipe_lsu_wavefronts_mem_shared_ideal"));
}

// Loads are counted separately from stores, even if a line does both.
TEST(LoadCounters, CountSectorsAndBytesOfLoadsAlone) {
  struct Case {
    const char* kernel;
    Dim3 grid;
    std::vector<int> scalars;
    std::uint64_t sectors, bytes;
  };
  const Case cases[] = {
      {"_Z6k_copyPKfPfi", {4, 1, 1}, {1000}, 125, 4000},           // the last warp has 8 lanes
      {"_Z7k_copy4PK6float4PS_i", {4, 1, 1}, {1000}, 500, 16000},  // 16 bytes for each lane
      // 8 lanes, each with a sector of its own.
      {"_Z8k_stridePKfPfii", {1, 1, 1}, {256, 32}, 8, 32},
  };
  for (const Case& c : cases) {
    TestDevice device;
    ASSERT_NO_FATAL_FAILURE(device.LoadFile("h200_kernels.ptx"));
    const DeviceAddress a = device.Upload(std::vector<std::uint8_t>(1 << 20, 1));
    const DeviceAddress b = device.Upload(std::vector<std::uint8_t>(1 << 20, 0));
    Parameters parameters;
    parameters.Add(a).Add(b);
    for (const int scalar : c.scalars) parameters.Add(scalar);
    ASSERT_EQ(device.Launch(c.kernel, c.grid, {256, 1, 1}, parameters), DeviceError::kSuccess);
    const CounterSet& totals = device.last().counters;
    EXPECT_EQ(totals[Counter::kGlobalLoadSectors], c.sectors) << c.kernel;
    EXPECT_EQ(totals[Counter::kGlobalLoadBytes], c.bytes) << c.kernel;
  }
}

// Both tree sums have 256 threads in a block. A block stores its elements, makes 255 additions of
// two loads and a store, and loads the sum. The numbers of lanes are the same, but the requests are
// not.
TEST(LaneCounters, TellDivergentAdditionsFromThoseOfNeighbours) {
  constexpr std::uint32_t kBlocks = 1024;
  for (const char* name : {"reddiv", "redseq"}) {
    TestDevice device;
    ASSERT_NO_FATAL_FAILURE(device.LoadFile("h200_kernels.ptx"));
    const DeviceAddress in = device.Upload(std::vector<float>(std::size_t{kBlocks} * 256, 1));
    const DeviceAddress out = device.Upload(std::vector<float>(kBlocks, 0));
    ASSERT_EQ(device.Launch(fmt::format("_Z8k_{}PKfPf", name), {kBlocks, 1, 1}, {256, 1, 1},
                            Parameters().Add(in).Add(out), 1024),
              DeviceError::kSuccess);
    const CounterSet& totals = device.last().counters;
    Measured measured = ReadMeasurements()[name];
    EXPECT_EQ(totals[Counter::kGlobalRequests],
              measured["inst_executed_op_global_ld"] + measured["inst_executed_op_global_st"]);
    EXPECT_EQ(totals[Counter::kGlobalLanes], kBlocks * (256 + 1));
    EXPECT_EQ(totals[Counter::kSharedRequests],
              measured["inst_executed_op_shared_ld"] + measured["inst_executed_op_shared_st"]);
    EXPECT_EQ(totals[Counter::kSharedLanes], kBlocks * (256 + 3 * 255 + 1));
  }
}

// Atomics are accesses too. hist has one in shared memory for each element, and one in global
// memory for each bin of each block.
TEST(LaneCounters, CountAtomics) {
  TestDevice device;
  ASSERT_NO_FATAL_FAILURE(device.LoadFile("h200_kernels.ptx"));
  const DeviceAddress in = device.Upload(std::vector<std::uint32_t>(1000, 7));
  const DeviceAddress bins = device.Upload(std::vector<std::uint32_t>(256, 0));
  ASSERT_EQ(device.Launch("_Z6k_histPKjPji", {4, 1, 1}, {256, 1, 1},
                          Parameters().Add(in).Add(bins).Add(std::int32_t{1000})),
            DeviceError::kSuccess);
  const CounterSet& totals = device.last().counters;
  EXPECT_EQ(totals[Counter::kGlobalRequests], 32U + 32U);
  EXPECT_EQ(totals[Counter::kGlobalLanes], 1000U + 1024U);
  EXPECT_EQ(totals[Counter::kSharedRequests], 32U + 32U + 32U);
  EXPECT_EQ(totals[Counter::kSharedLanes], 1024U + 1000U + 1024U);
}

}  // namespace
}  // namespace warpcheck::emulator
