// What an observer sees of a launch, and that watching changes nothing.
#include "emulator/observer.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "emulator/test_device.h"

namespace warpcheck::emulator {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string Text(const Dim3& at) { return fmt::format("{},{},{}", at.x, at.y, at.z); }

std::string Text(const WarpPlace& place) {
  return fmt::format("block {} warp {} {}", Text(place.block), place.warp, place.where.Text());
}

class Recorder : public Observer {
 public:
  void OnLaunchBegin(std::string_view kernel, const Dim3& grid, const Dim3& block) override {
    seen.push_back(fmt::format("launch {} {} {}", kernel, Text(grid), Text(block)));
  }
  void OnLaunchEnd() override { seen.push_back("launch ends"); }
  void OnBlockBegin(const Dim3& block) override { seen.push_back("block " + Text(block)); }
  void OnBlockEnd(const Dim3& block) override { seen.push_back("block ends " + Text(block)); }
  void OnAccess(const AccessEvent& event) override {
    constexpr const char* kKinds[] = {"load", "store", "atomic"};
    std::string addresses;
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      if (((event.mask >> lane) & 1U) == 0) continue;
      addresses += fmt::format(" {}", event.addresses[lane] - base);
    }
    seen.push_back(fmt::format("{} {} bytes, space {}: {}:{}",
                               kKinds[static_cast<std::size_t>(event.kind)], event.bytes,
                               static_cast<int>(event.space), Text(event.place), addresses));
  }
  void OnBranch(const BranchEvent& event) override {
    seen.push_back(
        fmt::format("branch: {}: {:x} of {:x}", Text(event.place), event.taken, event.active));
  }
  void OnBarrier(const BarrierEvent& event) override {
    seen.push_back(
        fmt::format("barrier {}: {}: {:x}", event.barrier, Text(event.place), event.mask));
  }

  std::uint64_t base = 0;
  std::vector<std::string> seen;
};

// Lanes 0 and 1 load, all meet at a barrier, one adds.
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
  options.observer = &recorder;
  TestDevice device(options);
  device.Load(SmallKernel(kBody));
  const DeviceAddress memory = device.device->Allocate(64).value();
  recorder.base = memory;
  ASSERT_EQ(device.Launch("k", {1, 2, 1}, {4, 1, 1}, Parameters().Add(memory)),
            DeviceError::kSuccess);
  EXPECT_THAT(device.Findings(), IsEmpty());
  const auto space = static_cast<int>(ptx::Space::kGlobal);
  std::vector<std::string> expected{"launch k 1,2,1 4,1,1"};
  for (const int block : {0, 1}) {
    const std::string place = fmt::format("block 0,{},0 warp 0 student.cu:", block);
    expected.push_back(fmt::format("block 0,{},0", block));
    expected.push_back(fmt::format("branch: {}2: c of f", place));
    expected.push_back(fmt::format("load 4 bytes, space {}: {}3: 16 24", space, place));
    expected.push_back(fmt::format("barrier 0: {}4: f", place));
    expected.push_back(fmt::format("atomic 4 bytes, space {}: {}5: 0", space, place));
    expected.push_back(fmt::format("store 8 bytes, space {}: {}6: 0 8", space, place));
    expected.push_back(fmt::format("block ends 0,{},0", block));
  }
  expected.push_back("launch ends");
  EXPECT_EQ(recorder.seen, expected);
}

TEST(Observer, SeesBranchesByTable) {
  Recorder recorder;
  Options options;
  options.observer = &recorder;
  TestDevice device(options);
  device.Load(SmallKernel(R"(
  .loc 1 8 1
TABLE: .branchtargets A, B;
  brx.idx %r1, TABLE;
A:
  add.u32 %r2, %r1, 1;
B:
)"));
  const DeviceAddress memory = device.device->Allocate(64).value();
  ASSERT_EQ(device.Launch("k", {1, 1, 1}, {2, 1, 1}, Parameters().Add(memory)),
            DeviceError::kSuccess);
  EXPECT_THAT(recorder.seen, ElementsAre("launch k 1,1,1 2,1,1", "block 0,0,0",
                                         "branch: block 0,0,0 warp 0 student.cu:8: 3 of 3",
                                         "block ends 0,0,0", "launch ends"));
}

TEST(Observer, ChangesNoCounter) {
  const auto totals = [](Observer* observer) {
    Options options;
    options.observer = observer;
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
