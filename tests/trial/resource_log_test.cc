#include "trial/devices/resource_log.h"

#include <gtest/gtest.h>

#include "compile/embedded_ptx.h"

namespace warpcheck {
namespace {

constexpr char kLoggedPtx[] = ".entry plain .entry array .entry spills";

class Recorder : public DeviceLog {
 public:
  void OnLaunch(const LaunchRecord& record) override { records.push_back(record); }
  void OnFinding(const Finding&) override { ++findings; }
  void OnPrint(std::string_view) override { ++prints; }
  void OnModule(ModuleId, std::string_view) override { ++modules; }
  std::vector<LaunchRecord> records;
  int findings = 0;
  int prints = 0;
  int modules = 0;
};

DeviceProperties Hopper() {
  DeviceProperties properties;
  properties.warp_size = 32;
  properties.max_threads_per_block = 1024;
  properties.max_threads_per_multiprocessor = 2048;
  properties.max_blocks_per_multiprocessor = 32;
  properties.registers_per_block = 65536;
  properties.registers_per_multiprocessor = 65536;
  properties.max_registers_per_thread = 255;
  properties.register_allocation_unit = 256;
  properties.shared_bytes_per_block_optin = 232448;
  properties.shared_bytes_per_multiprocessor = 233472;
  properties.shared_bytes_reserved_per_block = 1024;
  properties.shared_allocation_unit = 128;
  return properties;
}

// Returns a launch of two blocks of 40 threads, which are four warps. Its line 7 accesses 100
// sectors of local memory in PTX.
LaunchRecord Launch(const std::string& kernel) {
  LaunchRecord record;
  record.kernel = kernel;
  record.grid = {2, 1, 1};
  record.block = {40, 1, 1};
  record.counters.Set(Counter::kLocalSectors, 100);
  record.counters.Set(Counter::kWarpInstructions, 1000);
  record.lines = {{.where = {"k.cu", 7}, .counters = record.counters}};
  return record;
}

class ResourceLogTest : public testing::Test {
 protected:
  ResourceLogTest() { log_.SetProperties(Hopper()); }
  LaunchRecord Told(const std::string& kernel) {
    log_.OnLaunch(Launch(kernel));
    return recorder_.records.back();
  }

  const std::vector<ModuleResources> modules_ = {
      {.digest = compile::PtxDigest(kLoggedPtx),
       .refusal = "",
       .kernels = {{.name = "_Z5plainPf", .registers = 32},
                   {.name = "_Z5arrayPf", .registers = 40, .stack_bytes = 256},
                   {.name = "_Z6spillsPf",
                    .registers = 64,
                    .stack_bytes = 16,
                    .spill_store_bytes = 16,
                    .spill_load_bytes = 24}}}};
  Recorder recorder_;
  ResourceLog log_{recorder_, modules_};
};

TEST_F(ResourceLogTest, LocalMemoryIsWhatPtxasLeavesThere) {
  log_.OnModule(1, kLoggedPtx);
  const LaunchRecord plain = Told("plain(float*)");
  EXPECT_EQ(plain.counters[Counter::kLocalSectors], 0U);
  EXPECT_EQ(plain.lines[0].counters[Counter::kLocalSectors], 0U);
  EXPECT_EQ(plain.counters[Counter::kWarpInstructions], 1000U);
  const LaunchRecord array = Told("array(float*)");
  EXPECT_EQ(array.counters[Counter::kLocalSectors], 100U);
  EXPECT_EQ(array.lines, Launch("").lines);
}

TEST_F(ResourceLogTest, SpillsBelongToNoLine) {
  log_.OnModule(1, kLoggedPtx);
  const LaunchRecord spills = Told("spills(float*)");
  EXPECT_EQ(spills.counters[Counter::kLocalSectors], 100U + 4 * (16 + 24));
  ASSERT_EQ(spills.lines.size(), 2U);
  EXPECT_FALSE(spills.lines[0].where.known());
  EXPECT_EQ(spills.lines[0].counters[Counter::kLocalSectors], 4U * (16 + 24));
  CounterSet sum = spills.lines[0].counters;
  sum += spills.lines[1].counters;
  EXPECT_EQ(sum, spills.counters) << "the lines add up";
}

TEST_F(ResourceLogTest, TellsRegistersAndOccupancy) {
  log_.OnModule(1, kLoggedPtx);
  const auto plain = Told("plain(float*)").resources;
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->registers, 32U);
  EXPECT_EQ(plain->local_bytes, 0U);
  EXPECT_EQ(plain->active_blocks, 32U);
  EXPECT_EQ(plain->occupancy, 1.0);
  EXPECT_EQ(Told("spills(float*)").resources->active_blocks, 16U);
  EXPECT_EQ(Told("spills(float*)").resources->occupancy, 0.5);
}

TEST_F(ResourceLogTest, KnowsTheRegistersOfLoadedKernels) {
  EXPECT_EQ(log_.RegistersOf("_Z5plainPf"), 0U) << "not loaded yet";
  log_.OnModule(1, kLoggedPtx);
  EXPECT_EQ(log_.RegistersOf("_Z5plainPf"), 32U);
  EXPECT_EQ(log_.RegistersOf("_Z5otherPf"), 0U);
  log_.OnModule(2, ".entry plain  // made at run time");
  EXPECT_EQ(log_.RegistersOf("_Z5plainPf"), 0U) << "nobody knows which of them is meant";
}

TEST_F(ResourceLogTest, PassesOnWhatItDoesNotKnow) {
  // An object pads it in this way.
  log_.OnModule(1, std::string(kLoggedPtx) + std::string("\0\0", 2));
  EXPECT_EQ(Told("other(int)"), Launch("other(int)"));
  log_.OnFinding({});
  log_.OnPrint("");
  EXPECT_EQ(recorder_.findings + recorder_.prints + recorder_.modules, 3);
}

TEST_F(ResourceLogTest, CodeThatWasNotBuiltIsSeenByNoCounter) {
  log_.OnModule(1, kLoggedPtx);
  log_.OnModule(2, ".entry plain  // of the same name, made at run time");
  EXPECT_EQ(Told("plain(float*)").unseen, "code that was not compiled with the submission");
}

}  // namespace
}  // namespace warpcheck
