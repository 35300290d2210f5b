// Tests what the judge reports about a host that breaks the protocol, and how soon the judge stops.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include "device/step_runner.h"
#include "remote/hosts.h"
#include "remote/protocol.h"

namespace warpcheck::remote {
namespace {

using namespace std::chrono_literals;

CallOutcome Broken(std::string text) {
  return {.end = CallEnd::kProtocolError, .text = std::move(text), .last_error = 0};
}
CallOutcome Spent(std::string text) {
  return {.end = CallEnd::kSpent, .text = std::move(text), .last_error = 0};
}
const CallOutcome kGone{.end = CallEnd::kDisconnected, .text = "", .last_error = 0};
const CallOutcome kLate{.end = CallEnd::kGivenUp, .text = "", .last_error = 0};

Bytes Outcome(const CallOutcome& outcome) {
  Encoder encoder;
  Encode(encoder, outcome);
  return {encoder.payload().begin(), encoder.payload().end()};
}

Bytes Numbers(std::initializer_list<std::uint64_t> numbers) {
  Encoder encoder;
  for (const std::uint64_t number : numbers) encoder.U64(number);
  return {encoder.payload().begin(), encoder.payload().end()};
}

TEST(Hostile, AReturnIsFine) {  // each of the other tests changes one thing in this
  EXPECT_EQ(RunHostile([](Peer& host) { host.Send(Kind::kReturned, 1, Outcome(kFine)); }), kFine);
}

TEST(Hostile, Garbage) {
  EXPECT_EQ(RunHostile([](Peer& host) { host.Send(BytesOf("HTTP/1.1 200 OK\r\n\r\n")); }),
            Broken("the host sent an invalid message"));
}

TEST(Hostile, PaddingThatIsNotZero) {
  EXPECT_EQ(RunHostile([](Peer& host) {
              auto bytes = FrameHeader{0, Kind::kMemory, 1}.Encoded();
              bytes[7] = std::byte{1};
              host.Send(bytes);
            }),
            Broken("the host sent an invalid message"));
}

// These requests are valid, but only a trusted peer may make them.
TEST(Hostile, RequestsOfTrustedPeers) {
  const auto answer = [](Kind kind, const Encoder& request) {
    const Bytes payload(request.payload().begin(), request.payload().end());
    return RunHostile([&](Peer& host) { host.Send(kind, 1, payload); });
  };
  Encoder allocation;
  allocation.U64(64);
  allocation.U8(1);
  EXPECT_EQ(answer(Kind::kAllocateHost, allocation), Broken("the host sent an invalid message"));
  Encoder steps;
  Encode(steps, std::vector<DeviceStep>());
  EXPECT_EQ(answer(Kind::kRunSteps, steps), Broken("the host sent an invalid message"));
}

TEST(Hostile, KindsThatAHostDoesNotSend) {
  for (const int kind : {0, 1, 2, 3, 15, 38, 999, 65535}) {
    EXPECT_EQ(RunHostile([&](Peer& host) { host.Send(static_cast<Kind>(kind), 1); }),
              Broken("the host sent an invalid message"))
        << kind;
  }
}

TEST(Hostile, HugeLengths) {
  EXPECT_EQ(RunHostile([](Peer& host) {
              host.Send({0xFFFF'FFFF, Kind::kWrite, 1});
            }),
            Broken("the host announced a message of 4294967295 bytes; 67108928 are the most"));
  EXPECT_EQ(RunHostile([](Peer& host) {
              host.Send({67'108'929, Kind::kReturned, 1});
            }),
            Broken("the host announced a message of 67108929 bytes; 67108928 are the most"));
}

TEST(Hostile, CloseBeforeAFrame) {
  EXPECT_EQ(RunHostile([](Peer&) {}), kGone);
}

TEST(Hostile, CloseWithinAHeaderAndWithinAPayload) {
  const auto header = FrameHeader{100, Kind::kWrite, 1}.Encoded();
  for (std::size_t bytes = 1; bytes <= header.size(); ++bytes) {
    EXPECT_EQ(RunHostile([&](Peer& host) { host.Send(std::span(header).first(bytes)); }), kGone);
  }
  EXPECT_EQ(RunHostile([&](Peer& host) { host.Send({100, Kind::kWrite, 1}, Bytes(99)); }), kGone);
}

TEST(Hostile, SilenceAfterPartOfAFrame) {
  const auto header = FrameHeader{100, Kind::kWrite, 1}.Encoded();
  for (const std::size_t bytes : {0U, 5U, 12U}) {
    EXPECT_EQ(RunHostile(
                  [&](Peer& host) {
                    host.Send(std::span(header).first(bytes));
                    host.AwaitClose();
                  },
                  &Impatient),
              kLate);
  }
}

TEST(Hostile, RequestsOutOfSequence) {
  for (const std::uint32_t sequence : {0u, 2u, 0xFFFF'FFFFu}) {
    EXPECT_EQ(RunHostile([&](Peer& host) { host.Send(Kind::kMemory, sequence); }),
              Broken("the host sent request " + std::to_string(sequence) + ", not 1"));
  }
  EXPECT_EQ(RunHostile([](Peer& host) {
              host.Send(Kind::kMemory, 1);
              host.Send(Kind::kMemory, 1);
              host.AwaitClose();
            }),
            Broken("the host sent request 1, not 2"));
}

TEST(Hostile, ReturnsFromAnotherCall) {
  for (const std::uint32_t sequence : {0u, 2u}) {
    EXPECT_EQ(RunHostile([&](Peer& host) { host.Send(Kind::kReturned, sequence, Outcome(kFine)); }),
              Broken("the host returned from call " + std::to_string(sequence) + ", not 1"));
  }
}

TEST(Hostile, OutcomesThatAreNotValid) {
  Bytes trailing = Outcome(kFine);
  trailing.push_back({});
  for (const Bytes& payload : {Bytes(), Bytes(3), trailing, Outcome(kLate), Outcome(kGone),
                               Outcome(Broken("I blame the judge"))}) {
    EXPECT_EQ(RunHostile([&](Peer& host) { host.Send(Kind::kReturned, 1, payload); }),
              Broken("the host sent an outcome that is not valid"));
  }
}

TEST(Hostile, RequestsThatAreNotValid) {
  struct Case {
    Kind kind;
    Bytes payload;
  };
  const std::vector<Case> cases = {
      {Kind::kMemory, Bytes(1)},
      {Kind::kAllocate, Bytes(15)},
      {Kind::kAllocate, Bytes(17)},
      {Kind::kFree, Bytes(7)},
      {Kind::kWrite, Numbers({0x200})},
      {Kind::kWrite, Bytes(57)},                          // more bytes than the box has in all
      {Kind::kRead, Numbers({0x200, 0, 0, 2, 1, 1, 1})},  // more bytes than the box has in all
      {Kind::kRead,
       Numbers({0x200, 0, 0, (4 << 20) + 1, 1, 1, ~0ull})},       // more than a frame may carry
      {Kind::kRead, Numbers({0x200, ~0ull, 0, 1, 2, 1, ~0ull})},  // an invalid box
      {Kind::kCopy, Bytes(71)},
      {Kind::kFill, Bytes(50)},
      {Kind::kHolds, Bytes(15)},
      {Kind::kReset, Bytes(1)},
      {Kind::kUnloadModule, Bytes(3)},
      {Kind::kLaunch, Bytes(3)},
      {Kind::kNoteUnsupportedCall, Bytes(3)},
      {Kind::kNoteMisuse, Bytes(3)},
      {Kind::kNoteHostCalls, Bytes(3)},
      {Kind::kNoteHostCalls, Bytes(60)},         // a record without streams
      {Kind::kNoteHostCalls, Bytes(600 << 10)},  // a record that is too long
  };
  for (const auto& [kind, payload] : cases) {
    const auto send = [kind = kind, &payload = payload](Peer& host) {
      host.Send(kind, 1, payload);
    };
    EXPECT_EQ(RunHostile(send),
              Broken("the host sent a request of kind " + std::to_string(static_cast<int>(kind)) +
                     " and " + std::to_string(payload.size()) + " bytes that is not valid"));
  }
}

TEST(Hostile, ASecondWriterBetweenHeaderAndPayload) {
  EXPECT_EQ(RunHostile([](Peer& host) {
              const Bytes payload = Numbers({0x200, 0, 0, 8, 1, 1, 8});
              host.Send({64, Kind::kWrite, 1}, payload);
              host.Send(Kind::kMemory, 1);        // 8 of its bytes complete the write
              host.Send(Bytes(8, std::byte{7}));  // the other bytes are read as a header
              host.AwaitClose();
            }),
            Broken("the host sent an invalid message"));
}

TEST(Hostile, AFloodOfTinyRequestsEndsWithTheirNumber) {
  const auto flood = [](Peer& host) {
    for (std::uint32_t i = 1; host.Send(Kind::kFree, i, Bytes(8)); ++i) {
      if (!host.Receive()) return;
    }
  };
  EXPECT_EQ(RunHostile(flood, &Patient, {.number = 1000, .bytes = 1 << 20}),
            Spent("1000 requests to the device"));
  EXPECT_EQ(RunHostile(flood, &Patient, {.number = 1000, .bytes = 100}),
            Spent("100 bytes to move"));
}

// The limit counts all calls together, in both directions: bytes that are allocated and filled,
// 1,000 bytes each way, and a copy on the device, which counts as at least 2,048 bytes.
TEST(Hostile, WhatIsMovedIsCounted) {
  FakeDevice device;
  HonestHost host(device, [](Client& client, const Call&) {
    const DeviceAddress at = client.Allocate(4096, 0).value();
    Bytes bytes(1000);
    EXPECT_EQ(client.Write(at, bytes), DeviceError::kSuccess);
    EXPECT_EQ(client.Read(at, bytes), DeviceError::kSuccess);
    EXPECT_EQ(client.Copy(at + 1024, at, 1000), DeviceError::kSuccess);
    EXPECT_EQ(client.Fill(at, std::byte{1}, 4096), DeviceError::kSuccess);
    return kFine;
  });
  EXPECT_EQ(host.Run({}), kFine);
  const Requests once = host.server().requests();
  EXPECT_EQ(once.number, 5U);
  constexpr std::uint64_t kMoved = 2 * 4096 + 2 * 1000 + 2048;
  EXPECT_GE(once.bytes, kMoved);
  EXPECT_LE(once.bytes, kMoved + std::uint64_t{8} * 32);
  EXPECT_EQ(host.Run({}), kFine);
  EXPECT_EQ(host.server().requests().number, 10U);
  EXPECT_EQ(host.server().requests().bytes, 2 * once.bytes);
}

TEST(Hostile, BytesOneByOneEndWithTheLimit) {
  EXPECT_EQ(RunHostile(
                [](Peer& host) {
                  host.Send({1 << 20, Kind::kWrite, 1});
                  const auto pause = kPause;
                  while (host.Send(Bytes(1))) std::this_thread::sleep_for(pause);
                },
                &Impatient),
            kLate);
}

// Replies that the host does not read fill the socket.
TEST(Hostile, AHostThatStopsReading) {
  EXPECT_EQ(RunHostile(
                [](Peer& host) {
                  host.Send(Kind::kAllocate, 1, Numbers({4 << 20, 0}));
                  const auto reply = host.Receive();
                  ASSERT_TRUE(reply);
                  Decoder decoder(reply->second);
                  ASSERT_EQ(decoder.I32(), 0);
                  host.Send(Kind::kRead, 2, Numbers({decoder.U64(), 0, 0, 4 << 20, 1, 1, 4 << 20}));
                  // The reply does not fit, and the host sees no end of file when the judge stops.
                  fcntl(host.fd(), F_SETFL, O_NONBLOCK);
                  while (host.Send(Bytes(1))) std::this_thread::sleep_for(kPause);
                },
                &Impatient),
            kLate);
}

TEST(Hostile, AHostThatCannotBeAnswered) {
  EXPECT_EQ(RunHostile([](Peer& host) {
              shutdown(host.fd(), SHUT_RD);
              host.Send(Kind::kMemory, 1);
              while (host.Send(Bytes(1))) std::this_thread::yield();
            }),
            kGone);
}

// The host makes two calls; the first ends well.
CallOutcome SecondCall(const std::function<void(Peer&)>& script) {
  const auto [judge, fd] = SocketPair();
  FakeDevice device;
  Server server(judge, device);
  Peer host(fd);
  std::thread thread([&] {
    if (host.Receive()) script(host);
  });
  EXPECT_EQ(server.Run({}, &Patient), kFine);
  thread.join();
  return server.Run({}, &Impatient);
}

TEST(Hostile, AReturnTwice) {
  EXPECT_EQ(
      SecondCall([](Peer& host) {
        Bytes twice(2 * FrameHeader::kBytes + 2 * Outcome(kFine).size());
        twice.clear();
        for (int i = 0; i < 2; ++i) {
          const Bytes payload = Outcome(kFine);
          const auto header =
              FrameHeader{static_cast<std::uint32_t>(payload.size()), Kind::kReturned, 1}.Encoded();
          twice.insert(twice.end(), header.begin(), header.end());
          twice.insert(twice.end(), payload.begin(), payload.end());
        }
        host.Send(twice);
      }),
      Broken("the host sent a message while no call was running"));
}

TEST(Hostile, ARequestBetweenCalls) {
  EXPECT_EQ(SecondCall([](Peer& host) {
              host.Send(Kind::kReturned, 1, Outcome(kFine));
              host.Send(Kind::kMemory, 1);
            }),
            Broken("the host sent a message while no call was running"));
}

TEST(Hostile, SilenceInTheSecondCall) {
  EXPECT_EQ(SecondCall([](Peer& host) { host.Send(Kind::kReturned, 1, Outcome(kFine)); }), kLate);
}

TEST(Hostile, NothingIsServedAfterABrokenCall) {
  const auto [judge, fd] = SocketPair();
  FakeDevice device;
  Server server(judge, device);
  Peer host(fd);
  EXPECT_EQ(server.Run({}, &Impatient), kLate);
  host.Send(Kind::kReturned, 1, Outcome(kFine));
  EXPECT_EQ(server.Run({}, &Impatient), (CallOutcome{.end = CallEnd::kDisconnected,
                                                     .text = "an earlier call ended the connection",
                                                     .last_error = 0}));
}

class SlowDevice : public FakeDevice {
 public:
  explicit SlowDevice(std::chrono::milliseconds time) : time_(time) {}
  MemoryInfo Memory() override {
    std::this_thread::sleep_for(time_);
    return {};
  }

 private:
  std::chrono::milliseconds time_;
};

CallOutcome AskForMemory(Client& client, const Call&) {
  (void)client.Memory();
  return kFine;
}

// `may_wait` gets only the time of the host.
TEST(Waiting, DoesNotCountTheTimeOfTheDevice) {
  SlowDevice device(1'000ms);
  HonestHost host(device, &AskForMemory);
  EXPECT_EQ(host.Run({}, &Impatient), kFine);
}

TEST(Waiting, TellsOfSilence) {
  Clock::duration all{}, silent{};
  const auto sum = [&](Clock::duration passed, Clock::duration quiet) {
    all += passed;
    silent += quiet;
    return all < 1'000ms;
  };
  EXPECT_EQ(RunHostile([](Peer& host) { host.AwaitClose(); }, sum), kLate);
  EXPECT_GE(silent * 2, all);
}

// If a host makes requests rarely, so that no single wait is long, it still counts as silent.
CallOutcome NapsBetweenRequests(Client& client, const Call&) {
  for (int i = 0; i < 100; ++i) {
    std::this_thread::sleep_for(10ms);
    (void)client.Memory();
  }
  return kFine;
}

TEST(Waiting, TellsOfManyShortSilences) {
  Clock::duration all{}, silent{};
  const auto sum = [&](Clock::duration passed, Clock::duration quiet) {
    all += passed;
    silent += quiet;
    return true;
  };
  SlowDevice device(0ms);
  HonestHost host(device, &NapsBetweenRequests);
  EXPECT_EQ(host.Run({}, sum), kFine);
  EXPECT_GE(all, 500ms);
  EXPECT_GE(silent * 2, all);
}

}  // namespace
}  // namespace warpcheck::remote
