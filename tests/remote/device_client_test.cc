// Tests a device that another process serves (here a thread), and everything that can happen to
// that process.
#include "remote/device_client.h"

#include <gmock/gmock.h>

#include <future>

#include "remote/device_server.h"
#include "remote/hosts.h"
#include "remote/protocol.h"

namespace warpcheck::remote {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr char kPtx[] = ".visible .entry _Z5scalePfi(.param .u64 a, .param .u32 b) { ret; }";

struct Log : DeviceLog {
  void OnLaunch(const LaunchRecord& record) override { launches.push_back(record); }
  void OnFinding(const Finding& finding) override { findings.push_back(finding); }
  void OnPrint(std::string_view text) override { printed += text; }

  std::vector<LaunchRecord> launches;
  std::vector<Finding> findings;
  std::string printed;
};

LaunchRecord FullRecord() {
  LaunchRecord record;
  record.kernel = "scale(float*, int)";
  record.grid = {2, 3, 4};
  record.block = {32, 1, 1};
  record.shared_bytes = 77;
  record.counters.Set(Counter::kGlobalSectors, std::uint64_t{1} << 60);
  record.lines.push_back({{"a.cu", 3, 0}, record.counters});
  Finding& finding = record.findings.emplace_back();
  finding.message = "reads 4 bytes";
  finding.thread = ThreadPosition{{1, 2, 3}, {4, 5, 6}, 7};
  record.not_measured = "no ideals here";
  record.timing.emplace().median_us = 1.25;
  record.resources.emplace().registers = 40;
  return record;
}

class DeviceClientTest : public testing::Test {
 protected:
  DeviceClientTest() {
    const auto [here, there] = SocketPair();
    client_ = std::make_unique<DeviceClient>(here, [] { return "it was shot"; });
    server_ = std::make_unique<DeviceServer>(there);
    thread_ = std::thread([this] { server_->Serve(device_); });
    EXPECT_TRUE(client_->Await(kLong));
    client_->BeginTrial(log_, kLong);
  }
  ~DeviceClientTest() override {
    client_.reset();
    thread_.join();
  }

  DeviceError Launch(std::uint32_t dynamic_shared_bytes = 0) {
    const auto module = client_->LoadModule(kPtx);
    EXPECT_TRUE(module);
    LaunchRequest request;
    request.module = module->id;
    request.kernel = "_Z5scalePfi";
    request.grid = {5, 1, 1};
    request.dynamic_shared_bytes = dynamic_shared_bytes;
    return client_->Launch(request);
  }

  FakeDevice device_;
  Log log_;
  std::unique_ptr<DeviceServer> server_;
  std::unique_ptr<DeviceClient> client_;
  std::thread thread_;
};

TEST_F(DeviceClientTest, IsTheDevice) {
  EXPECT_EQ(client_->Properties(), device_.Properties());
  EXPECT_EQ(client_->Memory().total_bytes, 1000u);
  const auto address = client_->Allocate(9'000'000, 0);  // more than a frame may carry
  ASSERT_TRUE(address);
  Bytes written(9'000'000);
  for (std::size_t i = 0; i < written.size(); ++i) written[i] = static_cast<std::byte>(i / 251);
  EXPECT_EQ(client_->Write(*address, written), DeviceError::kSuccess);
  Bytes read(written.size());
  EXPECT_EQ(client_->Read(*address, read), DeviceError::kSuccess);
  EXPECT_EQ(read, written);
  EXPECT_EQ(client_->Read(*address + 8'999'999, std::span(read).first(2)),
            DeviceError::kInvalidValue);
}

TEST_F(DeviceClientTest, BringsBackWhatTheDeviceLogs) {
  Finding finding;
  finding.message = "outside";
  device_.on_launch = [&](const LaunchRequest&) {
    server_->OnPrint("hello\n");
    server_->OnFinding(finding);
    server_->OnLaunch(FullRecord());
    return DeviceError::kSuccess;
  };
  EXPECT_EQ(Launch(), DeviceError::kSuccess);
  EXPECT_EQ(log_.printed, "hello\n");
  EXPECT_THAT(log_.findings, ElementsAre(finding));
  EXPECT_THAT(log_.launches, ElementsAre(FullRecord()));
}

TEST_F(DeviceClientTest, GivesBackEverythingBetweenTrials) {
  ASSERT_TRUE(client_->Allocate(100, 0));
  ASSERT_TRUE(client_->LoadModule(kPtx));
  client_->NoteUnsupportedCall("cudaMallocPitch");
  EXPECT_TRUE(client_->EndTrial());
  EXPECT_EQ(device_.Allocated(), 0u);
  EXPECT_EQ(device_.modules_unloaded, 1);

  Log second;
  client_->BeginTrial(second, kLong);
  client_->NoteUnsupportedCall("cudaMallocPitch");
  device_.on_launch = [&](const LaunchRequest&) {
    server_->OnLaunch(FullRecord());
    return DeviceError::kSuccess;
  };
  EXPECT_EQ(Launch(), DeviceError::kSuccess);
  EXPECT_EQ(device_.unsupported.size(), 2u);
  EXPECT_THAT(second.launches, SizeIs(1));
  EXPECT_THAT(log_.launches, IsEmpty());
}

// The served device has one memory and no streams, as the emulator.
TEST_F(DeviceClientTest, RunsStepsInOrderOnADeviceWithoutStreams) {
  const auto host = client_->AllocateHost(4, HostMemory::kPinned);
  const auto array = client_->Allocate(4, 0);
  const auto module = client_->LoadModule(kPtx);
  ASSERT_TRUE(host && array && module);
  const Bytes seven(4, std::byte{7});
  EXPECT_EQ(client_->Write(*host, seven), DeviceError::kSuccess);
  Bytes seen(4);
  device_.on_launch = [&](const LaunchRequest&) { return device_.Read(*array, seen); };
  DeviceStep copy{.stream = 1, .is_copy = true, .to = *array, .from = *host, .bytes = 4};
  DeviceStep launch;
  launch.launch.module = module->id;
  launch.launch.kernel = "_Z5scalePfi";
  const auto times = client_->RunSteps({copy, launch});
  ASSERT_TRUE(times);
  EXPECT_THAT(*times, IsEmpty());
  EXPECT_EQ(seen, seven);
  copy.bytes = 5;
  EXPECT_EQ(client_->RunSteps({copy}).error(), DeviceError::kInvalidValue);
  copy.bytes = 4;
  copy.stream = kMaxStreams;
  EXPECT_EQ(client_->RunSteps({copy}).error(), DeviceError::kInvalidValue);
  EXPECT_EQ(client_->Free(*host), DeviceError::kSuccess);
}

TEST_F(DeviceClientTest, IsNotUsedAgainAfterAStickyError) {
  device_.on_launch = [](const LaunchRequest&) { return DeviceError::kIllegalAddress; };
  EXPECT_EQ(Launch(), DeviceError::kIllegalAddress);
  EXPECT_THAT(log_.findings, IsEmpty());
  EXPECT_FALSE(client_->EndTrial());
}

TEST_F(DeviceClientTest, LosesAProcessWhoseKernelNeverEnds) {
  std::promise<void> released;
  device_.on_launch = [&](const LaunchRequest&) {
    released.get_future().wait();
    return DeviceError::kSuccess;
  };
  client_->BeginTrial(log_, std::chrono::milliseconds(200));
  EXPECT_EQ(Launch(100), DeviceError::kLaunchTimeout);
  released.set_value();
  ASSERT_THAT(log_.launches, SizeIs(1));
  const LaunchRecord& record = log_.launches[0];
  EXPECT_EQ(record.kernel, "scale(float*, int)");
  EXPECT_EQ(record.grid, (Dim3{5, 1, 1}));
  EXPECT_EQ(record.shared_bytes, 100u);
  EXPECT_EQ(record.error, DeviceError::kLaunchTimeout);
  ASSERT_THAT(record.findings, SizeIs(1));
  EXPECT_EQ(record.findings[0].kind, FindingKind::kBudgetExceeded);
  EXPECT_EQ(record.findings[0].message, "the kernel did not end within 0.2 s; here it was stopped");
  EXPECT_EQ(client_->Free(0), DeviceError::kLaunchTimeout);
  EXPECT_THAT(log_.launches, SizeIs(1));
  EXPECT_FALSE(client_->EndTrial());
}

// This is a server's end whose bytes the test writes.
class Bare {
 public:
  Bare() {
    const auto [here, there] = SocketPair();
    client = std::make_unique<DeviceClient>(here, [] { return "it was shot"; });
    peer = std::make_unique<Peer>(there);
  }
  void Greet() {
    Encoder greeting;
    greeting.U8(1);
    Encode(greeting, FakeDevice().Properties());
    peer->Send(Kind::kGreeting, 0, greeting.payload());
    EXPECT_TRUE(client->Await(kLong));
    client->BeginTrial(log, kLong);
  }

  Log log;
  std::unique_ptr<DeviceClient> client;
  std::unique_ptr<Peer> peer;
};

TEST(DeviceClient, SaysWhyThereIsNoDevice) {
  const auto [here, there] = SocketPair();
  DeviceClient client(here, [] { return ""; });
  DeviceServer(there).Refuse({.message = "no GPU", .where = {}, .hint = "buy one"});
  const auto ready = client.Await(kLong);
  ASSERT_FALSE(ready);
  EXPECT_EQ(ready.error(), (Error{.message = "no GPU", .where = {}, .hint = "buy one"}));
}

TEST(DeviceClient, SaysHowAProcessEndedThatNeverGreeted) {
  Bare bare;
  bare.peer->Close();
  const auto ready = bare.client->Await(kLong);
  ASSERT_FALSE(ready);
  EXPECT_EQ(ready.error().message, "the process of the device ended: it was shot");
}

TEST(DeviceClient, DoesNotWaitForAGreetingForEver) {
  Bare bare;
  const auto ready = bare.client->Await(std::chrono::milliseconds(200));
  ASSERT_FALSE(ready);
  EXPECT_EQ(ready.error().message, "the device was not ready within 0.2 s");
}

TEST(DeviceClient, RefusesAGreetingThatIsNone) {
  Bare bare;
  bare.peer->Send(Kind::kGreeting, 0, Bytes(3));
  EXPECT_FALSE(bare.client->Await(kLong));
}

TEST(DeviceClient, SaysHowAProcessEndedInALaunch) {
  Bare bare;
  bare.Greet();
  bare.peer->Close();
  LaunchRequest request;
  request.kernel = "k";
  EXPECT_EQ(bare.client->Launch(request), DeviceError::kUnknown);
  ASSERT_THAT(bare.log.launches, SizeIs(1));
  EXPECT_EQ(bare.log.launches[0].error, DeviceError::kUnknown);
  ASSERT_THAT(bare.log.launches[0].findings, SizeIs(1));
  EXPECT_EQ(bare.log.launches[0].findings[0].kind, FindingKind::kDeviceLost);
  EXPECT_EQ(bare.log.launches[0].findings[0].message,
            "the process of the device ended: it was shot");
  EXPECT_FALSE(bare.client->EndTrial());
}

TEST(DeviceClient, SaysHowAProcessEndedOutsideALaunch) {
  Bare bare;
  bare.Greet();
  bare.peer->Close();
  EXPECT_EQ(bare.client->Allocate(8, 0).error(), DeviceError::kUnknown);
  EXPECT_EQ(bare.client->Allocate(8, 0).error(), DeviceError::kUnknown);
  EXPECT_EQ(bare.client->Memory().total_bytes, 0u);
  EXPECT_THAT(bare.log.launches, IsEmpty());
  ASSERT_THAT(bare.log.findings, SizeIs(1));
  EXPECT_EQ(bare.log.findings[0].kind, FindingKind::kDeviceLost);
}

TEST(DeviceClient, TakesNoReplyForAnother) {
  Bare bare;
  bare.Greet();
  std::thread answers([&] {
    (void)bare.peer->Receive();
    bare.peer->Send(Kind::kReply, 2, Bytes(4));
  });
  EXPECT_EQ(bare.client->Free(8), DeviceError::kUnknown);
  answers.join();
}

TEST(DeviceClient, TakesNothingForALogThatIsNone) {
  Bare bare;
  bare.Greet();
  std::thread answers([&] {
    (void)bare.peer->Receive();
    bare.peer->Send(Kind::kLaunched, 0, BytesOf("{\"kernel\": 3}"));
    bare.peer->Send(Kind::kReply, 1, Bytes(4));
  });
  EXPECT_EQ(bare.client->Free(8), DeviceError::kUnknown);
  answers.join();
}

TEST(DeviceServer, EndsWithAPeerThatSendsNoRequest) {
  const auto [here, there] = SocketPair();
  FakeDevice device;
  const Peer peer(here);
  std::thread serving([fd = there, &device] { DeviceServer(fd).Serve(device); });
  EXPECT_TRUE(peer.Receive());  // this is the greeting
  peer.Send(Kind::kReturned, 1);
  EXPECT_FALSE(peer.Receive());
  serving.join();
}

}  // namespace
}  // namespace warpcheck::remote
