// Client is the host's end of the socket: a Device whose requests the judge carries out.
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
  // `fd` is connected to a Server; the client owns it. If the connection fails, the process ends at
  // once, and without a message, with kConnectionLostStatus.
  explicit Client(int fd) : channel_(fd) {}

  // Waits for calls and answers each with the result of `handle`, until the server closes. Requests
  // may be made only inside `handle`, from any thread. Properties() returns the properties of the
  // latest call's device.
  void Serve(const std::function<CallOutcome(const Call&)>& handle);

  // Returns true if `address` lies between the lowest and the highest device memory that this host
  // has allocated or was given. It may be called in a signal handler.
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

// Tells the student on stderr which address the host's code could not access. Installs a handler of
// SIGSEGV and SIGBUS with its own stack, which writes one line and lets the signal end the process.
// `client` (not owned) knows which addresses belong to the device.
void ExplainMemoryFaults(const Client& client);

}  // namespace warpcheck::remote
