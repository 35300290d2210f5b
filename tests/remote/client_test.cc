// Tests that each request of a Device, made through a Client and a Server, has the same effect and
// result as on the device itself.
#include "remote/client.h"

#include <gtest/gtest.h>

#include "order/host_call.h"
#include "remote/hosts.h"

namespace warpcheck::remote {
namespace {

// This judge answers as the test says, and remembers the requests.
class ScriptedDevice : public FakeDevice {
 public:
  DeviceResult<ModuleInfo> LoadModule(std::string_view ptx) override {
    loaded = ptx;
    return answer;
  }
  DeviceError UnloadModule(ModuleId id) override {
    unloaded.push_back(id);
    return unload_error;
  }

  DeviceResult<ModuleInfo> answer;
  std::string loaded;
  std::vector<ModuleId> unloaded;
  DeviceError unload_error = DeviceError::kSuccess;
};

void RunOn(Device& device, const std::function<void(Client&)>& requests, const Call& call = {}) {
  HonestHost host(device, [&](Client& client, const Call&) {
    requests(client);
    return kFine;
  });
  EXPECT_EQ(host.Run(call), kFine);
}

Bytes Pattern(std::size_t bytes) {
  Bytes pattern(bytes);
  for (std::size_t i = 0; i < bytes; ++i) pattern[i] = static_cast<std::byte>(i * 7 + i / 251);
  return pattern;
}

TEST(Client, HasThePropertiesOfTheDevice) {
  FakeDevice device;
  RunOn(device, [&](Client& client) { EXPECT_EQ(client.Properties(), device.Properties()); });
}

TEST(Client, AsksForMemory) {
  FakeDevice device;
  RunOn(device, [](Client& client) {
    const MemoryInfo memory = client.Memory();
    EXPECT_EQ(memory.free_bytes, 600u);
    EXPECT_EQ(memory.total_bytes, 1000u);
  });
}

TEST(Client, AllocatesWritesReadsAndFrees) {
  FakeDevice device;
  RunOn(device, [&](Client& client) {
    const auto memory = client.Allocate(100, 0);
    ASSERT_TRUE(memory);
    EXPECT_EQ(device.Allocated(), 100u);
    const Bytes written = Pattern(100);
    EXPECT_EQ(client.Write(*memory, written), DeviceError::kSuccess);
    Bytes read(100);
    EXPECT_EQ(client.Read(*memory, read), DeviceError::kSuccess);
    EXPECT_EQ(read, written);
    EXPECT_EQ(client.Free(*memory), DeviceError::kSuccess);
    EXPECT_EQ(device.Allocated(), 0u);
    EXPECT_EQ(client.Free(*memory), DeviceError::kInvalidValue);
    EXPECT_EQ(client.Read(*memory, read), DeviceError::kInvalidValue);
  });
}

TEST(Client, AllocatesWhereItIsTold) {
  FakeDevice device;
  RunOn(device, [](Client& client) {
    EXPECT_EQ(client.Allocate(64, 0x10'0000).value(), 0x10'0000u);
    EXPECT_EQ(client.Allocate(64, 0x10'0000).error(), DeviceError::kInvalidValue);
  });
}

TEST(Client, PassesOnThatMemoryIsOut) {
  FakeDevice device;
  device.free_bytes = 10;
  RunOn(device, [](Client& client) {
    EXPECT_EQ(client.Allocate(11, 0).error(), DeviceError::kMemoryAllocation);
  });
}

TEST(Client, CopiesMoreThanAFrameHolds) {
  FakeDevice device;
  RunOn(device, [&](Client& client) {
    for (const std::size_t bytes :
         {kMaxCopyBytes - 1, kMaxCopyBytes, kMaxCopyBytes + 1, 2 * kMaxCopyBytes + 3}) {
      const auto memory = client.Allocate(bytes, 0);
      ASSERT_TRUE(memory);
      const Bytes written = Pattern(bytes);
      EXPECT_EQ(client.Write(*memory, written), DeviceError::kSuccess);
      Bytes read(bytes);
      EXPECT_EQ(client.Read(*memory, read), DeviceError::kSuccess);
      EXPECT_TRUE(read == written) << bytes;
    }
  });
}

TEST(Client, ACopyThatIsTooLongChangesNothing) {
  FakeDevice device;
  RunOn(device, [&](Client& client) {
    const auto memory = client.Allocate(kMaxCopyBytes + 8, 0);
    ASSERT_TRUE(memory);
    EXPECT_EQ(client.Write(*memory, Bytes(kMaxCopyBytes + 9, std::byte{1})),
              DeviceError::kInvalidValue);
    Bytes read(kMaxCopyBytes + 8);
    EXPECT_EQ(client.Read(*memory, read), DeviceError::kSuccess);
    EXPECT_TRUE(read == Bytes(kMaxCopyBytes + 8));
  });
}

TEST(Client, CopiesAndFills) {
  FakeDevice device;
  RunOn(device, [](Client& client) {
    const DeviceAddress from = client.Allocate(8, 0).value();
    const DeviceAddress to = client.Allocate(8, 0).value();
    EXPECT_EQ(client.Fill(from, std::byte{0xAB}, 8), DeviceError::kSuccess);
    EXPECT_EQ(client.Copy(to + 2, from, 3), DeviceError::kSuccess);
    Bytes read(8);
    EXPECT_EQ(client.Read(to, read), DeviceError::kSuccess);
    constexpr std::byte kZero{0};
    constexpr std::byte kFilled{0xAB};
    EXPECT_EQ(read, (Bytes{kZero, kZero, kFilled, kFilled, kFilled, kZero, kZero, kZero}));
  });
}

// Boxes are cut into slices, rows of a slice, and parts of a row, so that they fit into frames.
TEST(Client, MovesBoxesOfAnyShape) {
  const Extent3 extents[] = {{3, 5, 4},        {1000, 5000, 3},           {kMaxCopyBytes + 9, 2, 2},
                             {1, 100'000, 50}, {kMaxCopyBytes / 2, 3, 1}, {8, 1, 9}};
  FakeDevice device;
  for (const Extent3& extent : extents) {
    const Strides strides = {extent.width + 3, (extent.width + 3) * (extent.height + 1)};
    const std::uint64_t span = *SpanOf(strides, extent);
    RunOn(device, [&](Client& client) {
      const DeviceBox box = {.address = *client.Allocate(span, 0), .strides = strides};
      const Bytes written = Pattern(extent.Bytes());
      EXPECT_EQ(client.WriteBox(box, extent, written), DeviceError::kSuccess);
      Bytes read(extent.Bytes());
      EXPECT_EQ(client.ReadBox(box, extent, read), DeviceError::kSuccess);
      EXPECT_TRUE(read == written) << extent.width;
      Bytes all(span);
      EXPECT_EQ(client.Read(box.address, all), DeviceError::kSuccess);
      Bytes expected(span);
      MoveBox(expected.data(), strides, written.data(), Packed(extent), extent);
      EXPECT_TRUE(all == expected) << extent.width;
    });
  }
}

TEST(Client, FillsAndCopiesABoxInOneRequest) {
  FakeDevice device;
  RunOn(device, [&](Client& client) {
    const DeviceAddress memory = *client.Allocate(1 << 20, 0);
    const Extent3 extent = {.width = 4, .height = 8192};
    const DeviceBox from = {.address = memory, .strides = {.pitch = 64}};
    const DeviceBox to = {.address = memory + (1 << 19), .strides = {.pitch = 32}};
    device.writes = 0;
    EXPECT_EQ(client.FillBox(from, extent, std::byte{3}), DeviceError::kSuccess);
    EXPECT_EQ(client.CopyBox(to, from, extent), DeviceError::kSuccess);
    EXPECT_EQ(device.writes, 2);
    Bytes read(extent.Bytes());
    EXPECT_EQ(client.ReadBox(to, extent, read), DeviceError::kSuccess);
    EXPECT_TRUE(read == Bytes(extent.Bytes(), std::byte{3}));
  });
}

TEST(Client, AsksWhatTheDeviceHolds) {
  FakeDevice device;
  RunOn(device, [&](Client& client) {
    const DeviceAddress memory = *client.Allocate(100, 0);
    EXPECT_TRUE(client.Holds(memory, 100));
    EXPECT_FALSE(client.Holds(memory, 101));
    EXPECT_EQ(device.reads, 0);
    EXPECT_EQ(client.Reset(), DeviceError::kSuccess);
    EXPECT_FALSE(client.Holds(memory, 1));
  });
}

TEST(Client, LoadsAndUnloadsModules) {
  ScriptedDevice device;
  device.answer =
      ModuleInfo{.id = 77,
                 .kernels = {{.name = "_Z1kPf",
                              .parameters = {{.offset = 0, .size = 8}, {.offset = 16, .size = 4}},
                              .parameter_bytes = 20,
                              .static_shared_bytes = 1,
                              .local_bytes = 2,
                              .constant_bytes = 3,
                              .registers = 4,
                              .max_threads_per_block = 5}},
                 .variables = {{.name = "v", .address = 0x4000, .bytes = 12}}};
  RunOn(device, [&](Client& client) {
    EXPECT_EQ(client.LoadModule("the text"), device.answer);
    EXPECT_EQ(device.loaded, "the text");
    EXPECT_EQ(client.UnloadModule(77), DeviceError::kSuccess);
    EXPECT_EQ(device.unloaded, std::vector<ModuleId>{77});
    EXPECT_EQ(client.UnloadModule(77), DeviceError::kInvalidResourceHandle);
    device.answer = tl::unexpected(DeviceError::kInvalidPtx);
    EXPECT_EQ(client.LoadModule("?"), device.answer);
  });
}

TEST(Client, LaunchesKernels) {
  FakeDevice device;
  RunOn(device, [&](Client& client) {
    const auto module = client.LoadModule(".visible .entry k(.param .u64 p) { ret; }");
    ASSERT_TRUE(module);
    LaunchRequest launch{.module = module->id,
                         .kernel = "k",
                         .grid = {1, 2, 3},
                         .block = {4, 5, 6},
                         .dynamic_shared_bytes = std::uint64_t{7} << 40,
                         .allowed_shared_bytes = std::uint64_t{8} << 40,
                         .cooperative = true,
                         .parameters = Pattern(8)};
    EXPECT_EQ(client.Launch(launch), DeviceError::kSuccess);
    ASSERT_EQ(device.launches.size(), 1u);
    const LaunchRequest& got = device.launches[0];
    EXPECT_EQ(got.module, launch.module);
    EXPECT_EQ(got.kernel, launch.kernel);
    EXPECT_EQ(got.grid, launch.grid);
    EXPECT_EQ(got.block, launch.block);
    EXPECT_EQ(got.dynamic_shared_bytes, launch.dynamic_shared_bytes);
    EXPECT_EQ(got.allowed_shared_bytes, launch.allowed_shared_bytes);
    EXPECT_EQ(got.cooperative, launch.cooperative);
    EXPECT_EQ(got.parameters, launch.parameters);
    launch.block = {1025, 1, 1};
    EXPECT_EQ(client.Launch(launch), DeviceError::kInvalidConfiguration);
    launch.kernel = std::string(kMaxNameBytes + 1, 'k');
    EXPECT_EQ(client.Launch(launch), DeviceError::kInvalidDeviceFunction);
    launch.kernel = "k";
    launch.parameters.resize(kMaxParameterBytes + 1);
    EXPECT_EQ(client.Launch(launch), DeviceError::kInvalidValue);
  });
}

TEST(Client, NotesMisuse) {
  FakeDevice device;
  RunOn(device, [](Client& client) {
    client.NoteMisuse({.kind = FindingKind::kWrongCopy, .message = "too long"});
    client.NoteMisuse({.kind = FindingKind::kLeak, .message = std::string(2000, 'x')});
  });
  EXPECT_EQ(device.misuses,
            (std::vector<std::string>{"wrong_copy: too long",
                                      "leak: " + std::string(kMaxMisuseBytes, 'x')}));
}

// Takes the record that a client sends.
struct Listening : FakeDevice {
  void NoteHostCalls(const HostCalls& calls) override { noted = calls; }
  HostCalls noted{.streams = {}};
};

TEST(Client, SendsTheRecordOfCallsAsFarAsItFits) {
  HostCalls calls{.streams = {{.name = "the default stream", .is_default = true},
                              {.name = "stream 1", .non_blocking = true}}};
  calls.calls.push_back({.kind = HostCall::Kind::kCopy,
                         .function = "cudaMemcpyAsync",
                         .where = {"a.cu", 7, 0},
                         .stream = 1,
                         .from = HostCall::Memory::kPinned,
                         .to = HostCall::Memory::kDevice,
                         .bytes = 64,
                         .asynchronous = true,
                         .uses = {{MemoryUse::Kind::kWrite, 1, 65}},
                         .count = 3});
  calls.totals.Add(calls.calls[0]);
  Listening device;
  RunOn(device, [&](Client& client) { client.NoteHostCalls(calls); });
  EXPECT_EQ(device.noted, calls);

  calls.calls.assign(HostCalls::kMost, calls.calls[0]);
  for (HostCall& call : calls.calls) call.kernel = std::string(1000, 'k');
  RunOn(device, [&](Client& client) { client.NoteHostCalls(calls); });
  EXPECT_LT(device.noted.calls.size(), HostCalls::kMost);
  EXPECT_EQ(device.noted.left_out, 3 * (HostCalls::kMost - device.noted.calls.size()));
}

TEST(Client, NotesUnsupportedCallsOnce) {
  FakeDevice device;
  RunOn(device, [](Client& client) {
    client.NoteUnsupportedCall("cudaGraphCreate");
    client.NoteUnsupportedCall("cudaGraphCreate");
    client.NoteUnsupportedCall(std::string(1000, 'x'));
  });
  EXPECT_EQ(
      device.unsupported,
      (std::vector<std::string>{"cudaGraphCreate", std::string(kMaxUnsupportedCallBytes, 'x')}));
}

TEST(Client, PassesOnStickyErrors) {
  FakeDevice device;
  device.on_launch = [](const LaunchRequest&) { return DeviceError::kIllegalAddress; };
  RunOn(device, [](Client& client) {
    const auto module = client.LoadModule("");
    ASSERT_TRUE(module);
    LaunchRequest launch;
    launch.module = module->id;
    EXPECT_EQ(client.Launch(launch), DeviceError::kIllegalAddress);
    EXPECT_EQ(client.Allocate(1, 0).error(), DeviceError::kIllegalAddress);
  });
}

TEST(Client, SharesTheConnectionAmongThreads) {
  FakeDevice device;
  RunOn(device, [](Client& client) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&client, value = static_cast<std::byte>(i)] {
        const DeviceAddress memory = client.Allocate(64, 0).value();
        for (int turn = 0; turn < 50; ++turn) {
          Bytes read(64);
          EXPECT_EQ(client.Fill(memory, value, 64), DeviceError::kSuccess);
          EXPECT_EQ(client.Read(memory, read), DeviceError::kSuccess);
          EXPECT_EQ(read, Bytes(64, value));
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  });
}

TEST(Client, KnowsWhichAddressesMayBeTheDevices) {
  FakeDevice device;
  const DeviceAddress judges = device.Allocate(4096, 0).value();
  RunOn(device,
        [&](Client& client) {
          EXPECT_TRUE(client.MayBeDeviceMemory(judges));
          EXPECT_TRUE(client.MayBeDeviceMemory(judges + 4095));
          EXPECT_FALSE(client.MayBeDeviceMemory(judges - 1));
          EXPECT_FALSE(client.MayBeDeviceMemory(judges + 4096));
          const DeviceAddress own = client.Allocate(16, 0).value();
          EXPECT_TRUE(client.MayBeDeviceMemory(own + 15));
          EXPECT_FALSE(client.MayBeDeviceMemory(own + 16));
          EXPECT_FALSE(client.MayBeDeviceMemory(0));
        },
        {.function = "f", .arguments = {DevicePointer{judges, 4096}, DevicePointer{}}});
}

TEST(Client, ReceivesEachCallAndSendsEachOutcome) {
  FakeDevice device;
  std::vector<Call> received;
  const CallOutcome outcome{.end = CallEnd::kException, .text = "no", .last_error = 700};
  HonestHost host(device, [&](Client& client, const Call& call) {
    received.push_back(call);
    (void)client.Memory();
    return CallOutcome(outcome);
  });
  const std::vector<Call> calls = {
      {.function = "f", .arguments = {}},
      {.function = "g", .arguments = {1.5f, HostArray{Pattern(5'000'000)}}}};
  for (const Call& call : calls) EXPECT_EQ(host.Run(call), outcome);
  EXPECT_TRUE(received == calls);
}

// In the second call, the host still has the memory that it allocated in the first.
TEST(Client, KeepsItsMemoryFromCallToCall) {
  FakeDevice device;
  std::optional<DeviceAddress> memory;
  {
    HonestHost host(device, [&](Client& client, const Call&) {
      if (memory) {
        EXPECT_EQ(client.Fill(*memory, std::byte{1}, 64), DeviceError::kSuccess);
      } else {
        memory = client.Allocate(64, 0).value();
      }
      return kFine;
    });
    EXPECT_EQ(host.Run({}), kFine);
    EXPECT_EQ(host.Run({}), kFine);
    EXPECT_EQ(device.Allocated(), 64u);
  }
  EXPECT_EQ(device.Allocated(), 0u);
}

// Connects a client to a judge that sends `bytes` and closes.
void ServeBroken(const Bytes& bytes) {
  const auto [judge, host] = SocketPair();
  Peer peer(judge);
  peer.Send(bytes);
  peer.Close();
  Client(host).Serve([](const Call&) { return kFine; });
}

TEST(ClientDeathTest, EndsTheProcessWhenTheConnectionBreaks) {
  for (const Bytes& bytes : {BytesOf("x"), BytesOf("HTTP/1.1 200 OK\r\n\r\n")}) {
    EXPECT_EXIT(ServeBroken(bytes), testing::ExitedWithCode(kConnectionLostStatus), "^$");
  }
}

TEST(Client, ReturnsWhenTheJudgeCloses) { ServeBroken({}); }

}  // namespace
}  // namespace warpcheck::remote
