// These are both ends of a connection in one process: an honest host that runs the test's code, and
// a hostile one that writes any bytes.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "cudart/fake_device.h"
#include "remote/client.h"
#include "remote/protocol.h"
#include "remote/server.h"

namespace warpcheck::remote {

using cudart::FakeDevice;
using Bytes = std::vector<std::byte>;

// Always allows a server to wait for its host.
inline bool Patient(Clock::duration /*passed*/, Clock::duration /*quiet*/) { return true; }
inline bool Impatient(Clock::duration /*passed*/, Clock::duration /*quiet*/) { return false; }

// This time is long enough for any machine.
inline constexpr std::chrono::milliseconds kLong{60'000};
// These are the pauses of hosts that send something rarely.
inline constexpr std::chrono::milliseconds kPause{20};

inline const CallOutcome kFine{.end = CallEnd::kReturned, .text = "", .last_error = 0};

void PrintTo(const CallOutcome& outcome, std::ostream* out);

std::pair<int, int> SocketPair();
Bytes BytesOf(std::string_view text);

// Serves calls with `handle` through a Client, on a thread of its own.
class HonestHost {
 public:
  using Handle = std::function<CallOutcome(Client&, const Call&)>;
  HonestHost(Device& device, Handle handle);
  ~HonestHost();

  CallOutcome Run(const Call& call, const MayWait& may_wait = &Patient) {
    return server_->Run(call, may_wait);
  }
  const Server& server() const { return *server_; }

 private:
  std::unique_ptr<Server> server_;
  std::thread thread_;
};

// This is the host's end of the socket, without a Client.
class Peer {
 public:
  explicit Peer(int fd) : fd_(fd) {}
  ~Peer() { Close(); }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  // Returns false if the judge has closed its end.
  bool Send(std::span<const std::byte> bytes) const;
  bool Send(FrameHeader header, std::span<const std::byte> payload = {}) const;
  // Sends a frame whose header fits its payload.
  bool Send(Kind kind, std::uint32_t sequence, std::span<const std::byte> payload = {}) const;
  // Returns nothing if the judge has closed its end.
  std::optional<std::pair<FrameHeader, Bytes>> Receive() const;
  void AwaitClose() const;  // reads and ignores everything
  void Close();
  int fd() const { return fd_; }

 private:
  bool ReceiveAll(std::span<std::byte> bytes) const;
  int fd_;
};

// Returns the judge's result for a host that receives a call and then does what `script` does. The
// connection closes when the script ends.
CallOutcome RunHostile(const std::function<void(Peer&)>& script, const MayWait& may_wait = &Patient,
                       const Requests& most = Server::kAnyNumber);
CallOutcome RunHostile(const std::function<void(Peer&)>& script, const MayWait& may_wait,
                       const Call& call, Device& device, const Requests& most = Server::kAnyNumber);

}  // namespace warpcheck::remote
