// The host's end of the socket: a Device whose every request is carried out by the judge.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "remote/call.h"
#include "remote/channel.h"
#include "remote/request_device.h"

namespace warpcheck::remote {

// The exit status of a host that lost its connection to the judge.
inline constexpr int kConnectionLostStatus = 76;

class Client final : public RequestDevice {
 public:
  // `fd`: connected to a Server; owned by the client. Any failure of the connection ends the
  // process, quietly and at once, with kConnectionLostStatus.
  explicit Client(int fd) : channel_(fd) {}

  // Waits for calls and answers each with what `handle` gives, until the server closes. Requests
  // may be made inside `handle` only, from any thread; Properties() are those of the latest call.
  void Serve(const std::function<CallOutcome(const Call&)>& handle);

  // True where `address` lies between the lowest and the highest device memory that this host has
  // allocated or been given. Safe in a signal handler.
  bool MayBeDeviceMemory(DeviceAddress address) const {
    return address >= lowest_ && address < highest_;
  }
  const DeviceProperties& Properties() const override { return properties_; }

 private:
  Answer Ask(const Question& question) override;
  DeviceError Broken() override;
  void Remember(DeviceAddress address, std::uint64_t bytes) override;

  void Send(Kind kind, std::uint32_t sequence, std::span<const std::byte> head,
            std::span<const std::byte> tail = {});
  FrameHeader ReceiveHeader();
  std::span<const std::byte> ReceivePayload(std::size_t bytes);
  Call ReceiveCall(const FrameHeader& header);

  Channel channel_;
  DeviceProperties properties_;
  std::vector<std::byte> payload_;
  std::uint32_t sequence_ = 0;
  std::atomic<DeviceAddress> lowest_ = std::numeric_limits<DeviceAddress>::max();
  std::atomic<DeviceAddress> highest_ = 0;
};

// Tells the student, on stderr, which address host code could not access.

// Installs a handler of SIGSEGV and SIGBUS, on a stack of its own, that writes one line to stderr
// and lets the signal end the process. `client` (not owned) knows which addresses are the device's.
void ExplainMemoryFaults(const Client& client);

}  // namespace warpcheck::remote
