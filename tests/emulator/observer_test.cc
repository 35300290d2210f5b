// Tests what an observer sees of a launch, and that watching changes nothing.
#include "emulator/core/observer.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "emulator/core/block.h"
#include "emulator/core/launch.h"
#include "emulator/record/source_lines.h"
#include "emulator/test_device.h"

namespace warpcheck::emulator {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string Text(const Dim3& at) { return fmt::format("{},{},{}", at.x, at.y, at.z); }

std::string Text(const Warp& warp, const Step& step) {
  return fmt::format("block {} warp {} {}", Text(warp.block->index), warp.index,
                     PlaceOf(warp, step).Text());
}

class Recorder : public Observer {
 public:
  void OnLaunchBegin(Launch& launch) override {
    seen.push_back(fmt::format("launch {} {} {}", launch.record.kernel, Text(launch.record.grid),
                               Text(launch.record.block)));
  }
  void OnLaunchEnd(Launch&) override { seen.push_back("launch ends"); }
  void OnBlockBegin(Block& block) override { seen.push_back("block " + Text(block.index)); }
  void OnBlockEnd(Block& block) override { seen.push_back("block ends " + Text(block.index)); }
  void OnAccess(const AccessEvent& event) override {
    constexpr const char* kKinds[] = {"load", "store", "atomic", "reduction"};
    constexpr const char* kMemories[] = {"global", "constant", "parameter", "shared", "local"};
    constexpr const char* kShapes[] = {"", " contiguous", " uniform"};
    const bool global = event.memory == MemoryKind::kGlobal;
    std::string addresses;
    Extent extent{~std::uint64_t{0}, 0};
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      if (((event.mask >> lane) & 1U) == 0) continue;
      extent.begin = std::min(extent.begin, event.addresses[lane]);
      extent.end = std::max(extent.end, event.addresses[lane] + event.info.bytes);
      addresses += fmt::format(" {}", event.addresses[lane] - (global ? base : 0));
    }
    EXPECT_EQ(event.extent.begin, extent.begin);
    EXPECT_EQ(event.extent.end, extent.end);
    seen.push_back(fmt::format(
        "{} {} bytes, {}{}: {}:{}", kKinds[static_cast<std::size_t>(event.info.kind)],
        event.info.bytes, kMemories[static_cast<std::size_t>(event.memory)],
        kShapes[static_cast<std::size_t>(event.shape)], Text(event.warp, event.step), addresses));
  }
  void OnBarrier(const BarrierEvent& event) override {
    seen.push_back(fmt::format("barrier {}: block {}: {:x} waited, {:x} arrived", event.barrier,
                               Text(event.block.index), event.waited, event.arrived));
  }
  void OnWarpSync(const WarpSyncEvent& event) override {
    seen.push_back(fmt::format("warp sync{}: {}: {:x}", event.orders_memory ? "" : " of values",
                               Text(event.warp, event.step), event.lanes));
  }
  void OnFence(const FenceEvent& event) override {
    constexpr const char* kScopes[] = {"block", "device", "system"};
    seen.push_back(fmt::format("fence of the {}: {}: {:x}",
                               kScopes[static_cast<std::size_t>(event.scope)],
                               Text(event.warp, event.step), event.lanes));
  }

  std::uint64_t base = 0;
  std::vector<std::string> seen;
};

// Lanes 0 and 1 load, all lanes meet at a barrier, and one lane adds.
constexpr std::string_view kBody = R"(
  mul.wide.u32 %rd2, %r1, 8;
  add.u64 %rd3, %rd1, %rd2;
  .loc 1 2 1
  setp.ge.u32 %p1, %r1, 2;
  @%p1 bra SKIP;
  .loc 1 3 1
  ld.global.u32 %r2, [%rd3+16];
SKIP:
  .loc 1 4 1
  bar.sync 0;
  .loc 1 5 1
  setp.eq.u32 %p2, %r1, 3;
  @%p2 red.global.add.u32 [%rd1], 1;
  .loc 1 6 1
  @!%p1 st.global.v2.u32 [%rd3], {%r1, %r1};
)";

TEST(Observer, SeesEveryEventOfAWarp) {
  Recorder recorder;
  Options options;
  options.observers = {&recorder};
  TestDevice device(options);
  device.Load(SmallKernel(kBody));
  const DeviceAddress memory = device.device->Allocate(64).value();
  recorder.base = memory;
  ASSERT_EQ(device.Launch("k", {1, 2, 1}, {4, 1, 1}, Parameters().Add(memory)),
            DeviceError::kSuccess);
  EXPECT_THAT(device.Findings(), IsEmpty());
  std::vector<std::string> expected{"launch k 1,2,1 4,1,1"};
  for (const int block : {0, 1}) {
    const std::string place = fmt::format("block 0,{},0 warp 0 student.cu:", block);
    expected.push_back(fmt::format("block 0,{},0", block));
    expected.push_back(fmt::format("load 4 bytes, global: {}3: 16 24", place));
    expected.push_back(fmt::format("barrier 0: block 0,{},0: 1 waited, 0 arrived", block));
    expected.push_back(fmt::format("reduction 4 bytes, global uniform: {}5: 0", place));
    expected.push_back(fmt::format("store 8 bytes, global: {}6: 0 8", place));
    expected.push_back(fmt::format("block ends 0,{},0", block));
  }
  expected.push_back("launch ends");
  EXPECT_EQ(recorder.seen, expected);
}

TEST(Observer, SeesAccessesThatAreRemembered) {
  // The same stores are made three times, by shared and by generic addresses. Then contiguous loads
  // follow.
  Recorder recorder;
  Options options;
  options.observers = {&recorder};
  TestDevice device(options);
  device.Load(SmallKernel(R"(
  .shared .align 4 .b8 tile[256];
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd3, %rd1, %rd2;
  mov.u32 %r4, tile;
  cvt.u64.u32 %rd4, %r4;
  cvta.shared.u64 %rd4, %rd4;
  mov.u32 %r5, 0;
AGAIN:
  .loc 1 2 1
  ld.global.u32 %r2, [%rd3+4];
  .loc 1 3 1
  st.shared.u32 [%r4+8], %r2;
  .loc 1 4 1
  st.u32 [%rd4+12], %r2;
  add.u32 %r5, %r5, 1;
  setp.lt.u32 %p1, %r5, 3;
  @%p1 bra AGAIN;
)"));
  const DeviceAddress memory = device.device->Allocate(256).value();
  recorder.base = memory;
  ASSERT_EQ(device.Launch("k", {1, 1, 1}, {32, 1, 1}, Parameters().Add(memory)),
            DeviceError::kSuccess);
  std::string lanes;
  for (int lane = 0; lane < 32; ++lane) lanes += fmt::format(" {}", lane * 4 + 4);
  std::string eights;
  std::string twelves;
  for (int lane = 0; lane < 32; ++lane) eights += " 8";
  for (int lane = 0; lane < 32; ++lane) twelves += " 12";
  std::vector<std::string> expected{"launch k 1,1,1 32,1,1", "block 0,0,0"};
  const std::string place = "block 0,0,0 warp 0 student.cu:";
  for (int i = 0; i < 3; ++i) {
    expected.push_back(fmt::format("load 4 bytes, global contiguous: {}2:{}", place, lanes));
    expected.push_back(fmt::format("store 4 bytes, shared uniform: {}3:{}", place, eights));
    expected.push_back(fmt::format("store 4 bytes, shared uniform: {}4:{}", place, twelves));
  }
  expected.insert(expected.end(), {"block ends 0,0,0", "launch ends"});
  EXPECT_EQ(recorder.seen, expected);
}

TEST(Observer, SeesWhichBytesOfSeveralVariablesAreAccessed) {
  Recorder recorder;
  Options options;
  options.observers = {&recorder};
  TestDevice device(options);
  device.Load(SmallKernel(R"(
  .shared .align 4 .b8 first[128];
  .shared .align 4 .b8 second[128];
  .shared .align 4 .b8 third[128];
  shl.b32 %r2, %r1, 2;
  mov.u32 %r3, first;
  mov.u32 %r4, second;
  mov.u32 %r5, third;
  add.u32 %r3, %r3, %r2;
  add.u32 %r4, %r4, %r2;
  add.u32 %r5, %r5, %r2;
  mov.u32 %r6, 0;
AGAIN:
  st.shared.u32 [%r3], %r1;
  st.shared.u32 [%r5], %r1;
  .loc 1 2 1
  st.shared.u32 [%r4], %r1;
  add.u32 %r6, %r6, 1;
  setp.lt.u32 %p1, %r6, 3;
  @%p1 bra AGAIN;
)"));
  const DeviceAddress memory = device.device->Allocate(256).value();
  ASSERT_EQ(device.Launch("k", {1, 1, 1}, {2, 1, 1}, Parameters().Add(memory)),
            DeviceError::kSuccess);
  const std::string second = "store 4 bytes, shared: block 0,0,0 warp 0 student.cu:2: 128 132";
  EXPECT_EQ(std::ranges::count(recorder.seen, second), 3);
}

TEST(Observer, SeesLocalMemoryAndWhatOrdersMemory) {
  Recorder recorder;
  Options options;
  options.observers = {&recorder};
  TestDevice device(options);
  device.Load(SmallKernel(R"(
  .local .align 4 .b8 depot[16];
  mov.u64 %rd2, depot;
  .loc 1 2 1
  st.local.u32 [%rd2+12], 1;
  .loc 1 3 1
  membar.cta;
  fence.acq_rel.gpu;
  membar.sys;
  .loc 1 4 1
  setp.lt.u32 %p1, %r1, 2;
  selp.b32 %r2, 3, 12, %p1;
  bar.warp.sync %r2;
  .loc 1 5 1
  shfl.sync.down.b32 %r3, %r1, 1, 31, 15;
)"));
  const DeviceAddress memory = device.device->Allocate(64).value();
  ASSERT_EQ(device.Launch("k", {1, 1, 1}, {4, 1, 1}, Parameters().Add(memory)),
            DeviceError::kSuccess);
  const std::string place = "block 0,0,0 warp 0 student.cu:";
  EXPECT_THAT(
      recorder.seen,
      ElementsAre("launch k 1,1,1 4,1,1", "block 0,0,0",
                  "store 4 bytes, local uniform: " + place + "2: 12 12 12 12",
                  "fence of the block: " + place + "3: f", "fence of the device: " + place + "3: f",
                  "fence of the system: " + place + "3: f", "warp sync: " + place + "4: 3",
                  "warp sync: " + place + "4: c", "warp sync of values: " + place + "5: f",
                  "block ends 0,0,0", "launch ends"));
}

TEST(Observer, SeesWhoComesToABarrier) {
  // The first warp only arrives; the second waits.
  Recorder recorder;
  Options options;
  options.observers = {&recorder};
  TestDevice device(options);
  device.Load(SmallKernel(R"(
  .loc 1 2 1
  setp.ge.u32 %p1, %r1, 32;
  @%p1 bra OTHER;
  bar.arrive 3, 64;
  ret;
OTHER:
  bar.sync 3, 64;
)"));
  const DeviceAddress memory = device.device->Allocate(64).value();
  ASSERT_EQ(device.Launch("k", {1, 1, 1}, {64, 1, 1}, Parameters().Add(memory)),
            DeviceError::kSuccess);
  EXPECT_THAT(recorder.seen, ElementsAre("launch k 1,1,1 64,1,1", "block 0,0,0",
                                         "barrier 3: block 0,0,0: 2 waited, 1 arrived",
                                         "block ends 0,0,0", "launch ends"));
}

TEST(Observer, TellsEachOfSeveral) {
  Recorder first;
  Recorder second;
  Options options;
  options.observers = {&first, &second};
  TestDevice device(options);
  device.Load(SmallKernel(kBody));
  const DeviceAddress memory = device.device->Allocate(64).value();
  ASSERT_EQ(device.Launch("k", {1, 2, 1}, {4, 1, 1}, Parameters().Add(memory)),
            DeviceError::kSuccess);
  EXPECT_EQ(first.seen, second.seen);
  EXPECT_GT(first.seen.size(), 10U);
}

TEST(Observer, ChangesNoCounter) {
  const auto totals = [](Observer* observer) {
    Options options;
    if (observer != nullptr) options.observers = {observer};
    TestDevice device(options);
    device.Load(SmallKernel(kBody));
    const DeviceAddress memory = device.device->Allocate(4096).value();
    EXPECT_EQ(device.Launch("k", {7, 1, 1}, {100, 1, 1}, Parameters().Add(memory)),
              DeviceError::kSuccess);
    return std::pair(device.last(), device.Download<std::uint32_t>(memory, 1024));
  };
  Recorder recorder;
  EXPECT_EQ(totals(&recorder), totals(nullptr));
}

}  // namespace
}  // namespace warpcheck::emulator
