#include "remote/hosts.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>

#include "base/check.h"

namespace warpcheck::remote {

void PrintTo(const CallOutcome& outcome, std::ostream* out) {
  *out << "{end " << static_cast<int>(outcome.end) << ", \"" << outcome.text << "\", last error "
       << outcome.last_error << "}";
}

std::pair<int, int> SocketPair() {
  std::array<int, 2> ends{};
  WARPCHECK_CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0,
                  "no socket pair");
  return {ends[0], ends[1]};
}

Bytes BytesOf(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

HonestHost::HonestHost(Device& device, Handle handle) {
  const auto [judge, host] = SocketPair();
  server_ = std::make_unique<Server>(judge, device);
  thread_ = std::thread([fd = host, handle = std::move(handle)] {
    Client client(fd);
    client.Serve([&](const Call& call) { return handle(client, call); });
  });
}

HonestHost::~HonestHost() {
  server_.reset();
  thread_.join();
}

bool Peer::Send(std::span<const std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t sent = send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(sent));
  }
  return true;
}

bool Peer::Send(FrameHeader header, std::span<const std::byte> payload) const {
  return Send(header.Encoded()) && Send(payload);
}

bool Peer::Send(Kind kind, std::uint32_t sequence, std::span<const std::byte> payload) const {
  return Send({static_cast<std::uint32_t>(payload.size()), kind, sequence}, payload);
}

bool Peer::ReceiveAll(std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t got = recv(fd_, bytes.data(), bytes.size(), 0);
    if (got <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
  return true;
}

std::optional<std::pair<FrameHeader, Bytes>> Peer::Receive() const {
  std::array<std::byte, FrameHeader::kBytes> bytes{};
  if (!ReceiveAll(bytes)) return std::nullopt;
  const auto header = FrameHeader::Decoded(bytes);
  if (!header) return std::nullopt;
  Bytes payload(header->length);
  if (!ReceiveAll(payload)) return std::nullopt;
  return std::pair(*header, std::move(payload));
}

void Peer::AwaitClose() const {
  std::array<std::byte, 4096> dropped{};
  while (recv(fd_, dropped.data(), dropped.size(), 0) > 0) {
  }
}

void Peer::Close() {
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
}

CallOutcome RunHostile(const std::function<void(Peer&)>& script, const MayWait& may_wait,
                       const Requests& most) {
  FakeDevice device;
  return RunHostile(script, may_wait, {}, device, most);
}

CallOutcome RunHostile(const std::function<void(Peer&)>& script, const MayWait& may_wait,
                       const Call& call, Device& device, const Requests& most) {
  const auto [judge, host] = SocketPair();
  Server server(judge, device);
  std::thread thread([fd = host, &script] {
    Peer peer(fd);
    if (peer.Receive()) script(peer);
  });
  CallOutcome outcome = server.Run(call, may_wait, most);
  thread.join();
  return outcome;
}

}  // namespace warpcheck::remote
