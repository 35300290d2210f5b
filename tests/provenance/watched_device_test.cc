#include "provenance/watched_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <span>

namespace warpcheck {
namespace {

using testing::ElementsAre;

// A device that accepts every request.
struct FakeDevice : Device {
  const DeviceProperties& Properties() const override { return properties; }
  MemoryInfo Memory() override { return {}; }
  DeviceResult<DeviceAddress> Allocate(std::uint64_t, DeviceAddress at) override {
    if (at != 0 && !places_memory) return tl::unexpected(DeviceError::kNotSupported);
    return 0x9000;
  }
  DeviceError Free(DeviceAddress address) override {
    freed.push_back(address);
    return DeviceError::kSuccess;
  }
  DeviceError Reset() override { return answer; }
  bool Holds(DeviceAddress, std::uint64_t) override { return true; }
  DeviceError WriteBox(const DeviceBox&, const Extent3&, std::span<const std::byte>) override {
    return answer;
  }
  DeviceError ReadBox(const DeviceBox&, const Extent3&, std::span<std::byte> bytes) override {
    std::ranges::fill(bytes, contents);
    return answer;
  }
  DeviceError CopyBox(const DeviceBox&, const DeviceBox&, const Extent3&) override {
    return answer;
  }
  DeviceError FillBox(const DeviceBox&, const Extent3&, std::byte) override { return answer; }
  DeviceResult<TextureHandle> CreateTexture(const TextureDescriptor&) override { return 1; }
  DeviceError DestroyTexture(const TextureKey&) override { return answer; }
  DeviceResult<ModuleInfo> LoadModule(std::string_view) override { return module; }
  DeviceError UnloadModule(ModuleId) override { return answer; }
  DeviceError Launch(const LaunchRequest&) override { return answer; }
  void NoteUnsupportedCall(std::string_view) override {}
  void NoteMisuse(const Finding& finding) override { misuses.emplace_back(Name(finding.kind)); }

  DeviceProperties properties;
  ModuleInfo module;
  DeviceError answer = DeviceError::kSuccess;
  std::byte contents{0};
  bool places_memory = true;  // at addresses of the host
  std::vector<DeviceAddress> freed;
  std::vector<std::string> misuses;
};

class Watched : public testing::Test {
 protected:
  Watched() {
    watched_.Watch(0x1000, 64, /*is_input=*/true);
    watched_.Watch(0x2000, 64, /*is_input=*/false);
  }

  // Returns the traffic without its moves, which byte_moves_test.cc tests.
  HostTraffic Bytes() {
    HostTraffic traffic = watched_.Traffic();
    traffic.moves = {};
    return traffic;
  }

  FakeDevice device_;
  WatchedDevice watched_{device_};
  std::vector<std::byte> bytes_ = std::vector<std::byte>(16);
};

TEST_F(Watched, CountsWhatTheHostWritesToOutputs) {
  EXPECT_EQ(watched_.Write(0x2030, bytes_), DeviceError::kSuccess);
  EXPECT_EQ(Bytes(), (HostTraffic{.written_to_outputs = 16}));
}

LaunchRequest LaunchWith(std::initializer_list<std::uint32_t> words) {
  LaunchRequest request;
  request.parameters.resize(words.size() * 4);
  std::ranges::copy(std::as_bytes(std::span(words)), request.parameters.begin());
  return request;
}

TEST_F(Watched, NotesWhatATextureTellsAKernel) {
  TextureDescriptor texture;
  texture.texels = 0x1000;
  const auto told = [&](float border) {
    WatchedDevice watched(device_);
    watched.Watch(0x1000, 64, /*is_input=*/true);
    EXPECT_EQ(watched.Read(0x1000, bytes_), DeviceError::kSuccess);
    texture.border[0] = border;
    const auto handle = watched.CreateTexture(texture);
    EXPECT_EQ(watched.Launch(LaunchWith({1})), DeviceError::kSuccess);
    EXPECT_EQ(watched.DestroyTexture({.handle = *handle}), DeviceError::kSuccess);
    return watched.Requests();
  };
  const HostRequests first = told(0);
  EXPECT_EQ(first.DifferenceTo(told(0)), std::nullopt);
  EXPECT_EQ(first.DifferenceTo(told(7)), "creates another texture or surface object");
}

// The bytes of the input are others in each run, and the host only passes them on.
TEST_F(Watched, TakesAnInputThatTheHostHandsBackForNoWork) {
  const auto told = [&](std::byte in_input, std::byte added) {
    device_.contents = in_input;
    WatchedDevice watched(device_);
    watched.Watch(0x1000, 64, /*is_input=*/true);
    EXPECT_EQ(watched.Read(0x1000, bytes_), DeviceError::kSuccess);
    bytes_.back() = std::byte(std::to_integer<int>(bytes_.back()) + std::to_integer<int>(added));
    EXPECT_EQ(watched.Write(0x9000, bytes_), DeviceError::kSuccess);
    EXPECT_EQ(watched.Launch(LaunchWith({1})), DeviceError::kSuccess);
    return watched.Requests();
  };
  const HostRequests first = told(std::byte{1}, std::byte{0});
  EXPECT_EQ(first.DifferenceTo(told(std::byte{2}, std::byte{0})), std::nullopt);
  EXPECT_EQ(told(std::byte{1}, std::byte{1}).DifferenceTo(told(std::byte{2}, std::byte{1})),
            "copies other bytes to the device");
}

// The host may make constants and tables. Requests count after it has read something back.
TEST_F(Watched, NotesWhatTheHostAsksForOnceItHasRead) {
  EXPECT_EQ(watched_.Write(0x9000, bytes_), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Launch(LaunchWith({1})), DeviceError::kSuccess);
  EXPECT_TRUE(watched_.Requests().empty());
  EXPECT_EQ(watched_.Read(0x1000, bytes_), DeviceError::kSuccess);
  EXPECT_EQ(Bytes(), (HostTraffic{.read_back = 16, .read_places = 16}));
  EXPECT_TRUE(watched_.Allocate(512, 0));
  EXPECT_EQ(watched_.Write(0x9000, bytes_), DeviceError::kSuccess);
  EXPECT_TRUE(watched_.Requests().empty());  // no kernel sees these requests yet
  EXPECT_EQ(watched_.Launch(LaunchWith({1})), DeviceError::kSuccess);
  EXPECT_FALSE(watched_.Requests().empty());
  watched_.ForgetTraffic();
  EXPECT_TRUE(watched_.Requests().empty());
}

TEST_F(Watched, TakesFreeMemoryForNewOnceKernelsMayHaveAllocated) {
  static_cast<void>(watched_.Memory());
  EXPECT_EQ(watched_.Traffic().read_back, 0u);
  EXPECT_EQ(watched_.Launch(LaunchWith({})), DeviceError::kSuccess);
  static_cast<void>(watched_.Memory());
  EXPECT_EQ(watched_.Traffic().read_back, 8u);
}

// If memory of the host contains a copy of an array, it tells the host something, even if no kernel
// has run.
TEST_F(Watched, CountsWhatWasCopiedToTheHostsMemory) {
  device_.contents = std::byte{1};
  EXPECT_EQ(watched_.Copy(0x9100, 0x9000, 16), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Read(0x9100, bytes_), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Traffic().read_back, 0u);
  EXPECT_EQ(watched_.Copy(0x9000, 0x1000, 16), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Read(0x9000, bytes_), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Traffic().read_back, 16u);
}

TEST_F(Watched, TakesWhatTheHostHadForKnown) {
  EXPECT_EQ(watched_.Write(0x9000, bytes_), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Launch(LaunchWith({})), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Read(0x9000, bytes_), DeviceError::kSuccess);
  EXPECT_EQ(Bytes(), HostTraffic{});
  device_.contents = std::byte{1};
  EXPECT_EQ(watched_.Read(0x9000, bytes_), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Read(0x9000, bytes_), DeviceError::kSuccess);
  EXPECT_EQ(Bytes(), (HostTraffic{.read_back = 16, .read_places = 16}));
}

TEST_F(Watched, LetsTheRuntimeAskForAddressesAndCountsEachByteThatIsRead) {
  const std::span<std::byte> one = std::span(bytes_).first(1);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(watched_.Holds(0x1000, 1));
  EXPECT_EQ(watched_.Write(0x9000, bytes_),
            DeviceError::kSuccess);  // the runtime writes a texture's descriptor in this way
  EXPECT_EQ(Bytes(), HostTraffic{});
  EXPECT_EQ(watched_.Read(0x1000, one), DeviceError::kSuccess);
  EXPECT_EQ(Bytes(), (HostTraffic{.read_back = 1, .read_places = 1}));
}

// A GPU has no memory at addresses of the host, so the runtime copies what both sides share.
TEST_F(Watched, JudgesNoBytesThatTheHostSentIfTheRuntimeSendsSome) {
  const std::vector<std::byte> array(SentBytes::kLeast, std::byte{1});
  const std::vector<std::byte> others(100, std::byte{2});
  for (const bool places_memory : {true, false}) {
    device_.places_memory = places_memory;
    WatchedDevice watched(device_);
    watched.BeginCall({array});
    EXPECT_EQ(watched.Allocate(4096, 0x7000).has_value(), places_memory);
    EXPECT_EQ(watched.Write(0x9000, others), DeviceError::kSuccess);
    EXPECT_EQ(watched.Traffic().foreign, 100U);
    EXPECT_EQ(watched.Traffic().host_arrays, places_memory ? SentBytes::kLeast : 0U);
  }
}

TEST_F(Watched, KnowsAPartOfWhatWasWrittenAsAWhole) {
  EXPECT_EQ(watched_.Write(0x9000, std::vector<std::byte>(64)), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Launch(LaunchWith({})), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Write(0x9010, std::vector<std::byte>(16, std::byte{7})),
            DeviceError::kSuccess);
  EXPECT_EQ(watched_.Read(0x9000, bytes_), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Traffic().read_back, 0u);
  device_.contents = std::byte{7};
  EXPECT_EQ(watched_.Read(0x9010, bytes_), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Traffic().read_back, 0u);
  EXPECT_EQ(watched_.Read(0x9018, bytes_), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Traffic().read_back, 8u);
}

// A flag that is read in each round of a loop is one place.
TEST_F(Watched, CountsAPlaceOnceHoweverOftenItIsRead) {
  EXPECT_EQ(watched_.Launch(LaunchWith({})), DeviceError::kSuccess);
  const std::span<std::byte> flag = std::span(bytes_).first(4);
  for (int round = 1; round <= 10; ++round) {
    device_.contents = static_cast<std::byte>(round);
    EXPECT_EQ(watched_.Read(0x9000, flag), DeviceError::kSuccess);
  }
  EXPECT_EQ(Bytes(), (HostTraffic{.read_back = 40, .read_places = 4}));
  EXPECT_EQ(watched_.Read(0x9008, flag), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Traffic().read_places, 8u);
  watched_.ForgetTraffic();
  EXPECT_EQ(watched_.Traffic().read_places, 0u);
}

// Through one place, copies on the device could bring the host everything.
TEST_F(Watched, CountsWhatCopiesBroughtToAPlaceEachTime) {
  EXPECT_EQ(watched_.Launch(LaunchWith({})), DeviceError::kSuccess);
  for (int round = 1; round <= 10; ++round) {
    device_.contents = static_cast<std::byte>(round);
    EXPECT_EQ(watched_.Copy(0x9000, 0x1000 + 4 * static_cast<DeviceAddress>(round), 4),
              DeviceError::kSuccess);
    EXPECT_EQ(watched_.Read(0x9000, std::span(bytes_).first(4)), DeviceError::kSuccess);
  }
  EXPECT_EQ(watched_.Traffic().read_places, 40u);
}

TEST_F(Watched, KeepsTheRecordOfTheHostsCallsAndComparesIt) {
  EXPECT_EQ(watched_.TakeHostCalls().calls, nullptr);
  EXPECT_EQ(watched_.Launch(LaunchWith({})), DeviceError::kSuccess);
  HostCalls calls{.streams = {{.name = "the default stream", .is_default = true}}};
  watched_.NoteHostCalls(calls);
  const auto hidden = watched_.TakeHostCalls();
  ASSERT_NE(hidden.calls, nullptr);
  EXPECT_EQ(hidden.doubt,
            "launches: the device saw 1, and the record of the program's calls has 0");
  EXPECT_EQ(watched_.Launch(LaunchWith({})), DeviceError::kSuccess);
  calls.totals.kernels = 1;
  watched_.NoteHostCalls(calls);
  EXPECT_EQ(watched_.TakeHostCalls().doubt, "");
}

TEST_F(Watched, NotesThatTheArraysWereGivenUp) {
  EXPECT_EQ(watched_.Reset(), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Reset(), DeviceError::kSuccess);
  EXPECT_THAT(device_.misuses, ElementsAre("invalid_free"));
  EXPECT_TRUE(watched_.Traffic().reset);
}

// The constants may belong to modules with kernels or without.
TEST_F(Watched, CountsWhatIsCopiedToConstantMemory) {
  device_.module.variables = {
      {"table", 0x5000, 256, true}, {"plain", 0x6000, 256, false}, {"used", 0x7000, 256, true}};
  EXPECT_TRUE(watched_.LoadModule(""));
  EXPECT_EQ(watched_.Copy(0x5080, 0x1000, 128), DeviceError::kSuccess);
  EXPECT_EQ(Bytes(), (HostTraffic{.copied_to_constants = 128,
                                  .copies_read_sectors = 4,
                                  .copies_written_sectors = 4}));
  EXPECT_EQ(watched_.Copy(0x6000, 0x1000, 128), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Copy(0x5100, 0x1000, 128), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Traffic().copied_to_constants, 128u);
  EXPECT_EQ(watched_.Copy(0x7000, 0x1000, 128), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Traffic().copied_to_constants, 256u);
}

TEST_F(Watched, CountsCopiesFromInputToOutputAlone) {
  EXPECT_EQ(watched_.Copy(0x2000, 0x9000, 16), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Fill(0x2000, std::byte{0}, 16), DeviceError::kSuccess);
  EXPECT_EQ(Bytes(), (HostTraffic{.copies_read_sectors = 1, .copies_written_sectors = 1}));
  EXPECT_EQ(watched_.Copy(0x2000, 0x1000, 16), DeviceError::kSuccess);
  EXPECT_EQ(Bytes(), (HostTraffic{.copied_input_to_output = 16,
                                  .copies_read_sectors = 2,
                                  .copies_written_sectors = 2}));
}

TEST_F(Watched, DoesNotCountWhatFailed) {
  device_.answer = DeviceError::kInvalidValue;
  EXPECT_EQ(watched_.Write(0x2000, bytes_), DeviceError::kInvalidValue);
  EXPECT_EQ(watched_.Read(0x1000, bytes_), DeviceError::kInvalidValue);
  EXPECT_EQ(watched_.Copy(0x2000, 0x1000, 16), DeviceError::kInvalidValue);
  EXPECT_EQ(Bytes(), HostTraffic{});
}

TEST_F(Watched, DoesNotLetTheArraysGo) {
  EXPECT_EQ(watched_.Free(0x1000), DeviceError::kInvalidValue);
  EXPECT_EQ(watched_.Free(0x9000), DeviceError::kSuccess);
  EXPECT_THAT(device_.freed, ElementsAre(DeviceAddress{0x9000}));
}

}  // namespace
}  // namespace warpcheck
