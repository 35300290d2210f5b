#include "remote/client.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>

#include "remote/channel.h"
#include "remote/messages.h"

namespace warpcheck::remote {
namespace {

[[noreturn]] void EndProcess() { _exit(kConnectionLostStatus); }

class SocketClient final : public Client {
 public:
  explicit SocketClient(int fd) : channel_(fd) {}

  void Serve(const std::function<CallOutcome(const Call&)>& handle) override;
  bool MayBeDeviceMemory(DeviceAddress address) const override {
    return address >= lowest_ && address < highest_;
  }

  const DeviceProperties& Properties() const override { return properties_; }
  MemoryInfo Memory() override;
  DeviceResult<DeviceAddress> Allocate(std::uint64_t bytes, DeviceAddress at) override;
  DeviceError Free(DeviceAddress address) override;
  DeviceError Write(DeviceAddress to, std::span<const std::byte> bytes) override;
  DeviceError Read(DeviceAddress from, std::span<std::byte> bytes) override;
  DeviceError Copy(DeviceAddress to, DeviceAddress from, std::uint64_t bytes) override;
  DeviceError Fill(DeviceAddress to, std::byte value, std::uint64_t bytes) override;
  DeviceResult<ModuleInfo> LoadModule(std::string_view ptx) override;
  DeviceError UnloadModule(ModuleId module) override;
  DeviceError Launch(const LaunchRequest& request) override;
  void NoteUnsupportedCall(std::string_view function) override;

 private:
  using Lock = std::lock_guard<std::mutex>;

  void Send(Kind kind, std::uint32_t sequence, std::span<const std::byte> tail = {});
  FrameHeader ReceiveHeader();
  std::span<const std::byte> ReceivePayload(std::size_t bytes);
  Call ReceiveCall(const FrameHeader& header);
  // Sends what encoder_ holds, then `tail`; the rest of the reply is still to be received.
  DeviceError Begin(Kind kind, std::span<const std::byte> tail = {});
  Decoder Finish() { return Decoder(ReceivePayload(reply_bytes_)); }
  DeviceError Request(Kind kind, std::span<const std::byte> tail = {});
  void Remember(DeviceAddress address, std::uint64_t bytes);

  Channel channel_;
  std::mutex mutex_;
  DeviceProperties properties_;
  Encoder encoder_;
  std::vector<std::byte> payload_;
  std::uint32_t sequence_ = 0;
  std::size_t reply_bytes_ = 0;
  std::atomic<DeviceAddress> lowest_ = std::numeric_limits<DeviceAddress>::max();
  std::atomic<DeviceAddress> highest_ = 0;
};

void SocketClient::Send(Kind kind, std::uint32_t sequence, std::span<const std::byte> tail) {
  const std::size_t length = encoder_.payload().size() + tail.size();
  const auto header = FrameHeader{static_cast<std::uint32_t>(length), kind, sequence}.Encoded();
  std::array<std::byte, 512> head{};
  const std::size_t head_bytes = header.size() + encoder_.payload().size();
  if (head_bytes <= head.size()) {
    std::ranges::copy(header, head.begin());
    std::ranges::copy(encoder_.payload(), head.begin() + header.size());
    if (channel_.Send(std::span(head).first(head_bytes), tail, {}) == Transfer::kDone) return;
  } else if (channel_.Send(header, encoder_.payload(), {}) == Transfer::kDone &&
             channel_.Send(tail, {}, {}) == Transfer::kDone) {
    return;
  }
  EndProcess();
}

FrameHeader SocketClient::ReceiveHeader() {
  std::array<std::byte, FrameHeader::kBytes> bytes{};
  if (channel_.Receive(bytes, {}) != Transfer::kDone) EndProcess();
  const auto header = FrameHeader::Decoded(bytes);
  if (!header || header->length > kMaxPayloadBytes) EndProcess();
  return *header;
}

std::span<const std::byte> SocketClient::ReceivePayload(std::size_t bytes) {
  if (payload_.size() < bytes) payload_.resize(bytes);
  const auto payload = std::span(payload_).first(bytes);
  if (channel_.Receive(payload, {}) != Transfer::kDone) EndProcess();
  return payload;
}

Call SocketClient::ReceiveCall(const FrameHeader& header) {
  if (header.kind != Kind::kCall) EndProcess();
  Decoder decoder(ReceivePayload(header.length));
  properties_ = DecodeProperties(decoder);
  Call call = DecodeCall(decoder);
  if (!decoder.Complete()) EndProcess();
  for (const Argument& argument : call.arguments) {
    const auto* pointer = std::get_if<DevicePointer>(&argument);
    if (pointer != nullptr && pointer->address != 0) Remember(pointer->address, pointer->bytes);
  }
  return call;
}

void SocketClient::Serve(const std::function<CallOutcome(const Call&)>& handle) {
  while (true) {
    std::array<std::byte, FrameHeader::kBytes> bytes{};
    if (channel_.Receive(std::span(bytes).first(1), {}) != Transfer::kDone) return;
    if (channel_.Receive(std::span(bytes).subspan(1), {}) != Transfer::kDone) EndProcess();
    const auto header = FrameHeader::Decoded(bytes);
    if (!header || header->length > kMaxPayloadBytes) EndProcess();
    const Call call = ReceiveCall(*header);
    sequence_ = 0;
    const CallOutcome outcome = handle(call);
    const Lock lock(mutex_);
    encoder_.Clear();
    Encode(encoder_, outcome);
    Send(Kind::kReturned, header->sequence);
  }
}

DeviceError SocketClient::Begin(Kind kind, std::span<const std::byte> tail) {
  Send(kind, ++sequence_, tail);
  const FrameHeader header = ReceiveHeader();
  if (header.kind != Kind::kReply || header.sequence != sequence_ || header.length < 4) {
    EndProcess();
  }
  reply_bytes_ = header.length - 4;
  return static_cast<DeviceError>(Decoder(ReceivePayload(4)).I32());
}

DeviceError SocketClient::Request(Kind kind, std::span<const std::byte> tail) {
  const DeviceError error = Begin(kind, tail);
  if (!Finish().Complete()) EndProcess();
  return error;
}

void SocketClient::Remember(DeviceAddress address, std::uint64_t bytes) {
  lowest_ = std::min<DeviceAddress>(lowest_, address);
  highest_ = std::max<DeviceAddress>(highest_, address + std::max<std::uint64_t>(bytes, 1));
}

MemoryInfo SocketClient::Memory() {
  const Lock lock(mutex_);
  encoder_.Clear();
  (void)Begin(Kind::kMemory);
  Decoder reply = Finish();
  MemoryInfo memory;
  memory.free_bytes = reply.U64();
  memory.total_bytes = reply.U64();
  if (!reply.Complete()) EndProcess();
  return memory;
}

DeviceResult<DeviceAddress> SocketClient::Allocate(std::uint64_t bytes, DeviceAddress at) {
  const Lock lock(mutex_);
  encoder_.Clear();
  encoder_.U64(bytes);
  encoder_.U64(at);
  const DeviceError error = Begin(Kind::kAllocate);
  Decoder reply = Finish();
  const DeviceAddress address = error == DeviceError::kSuccess ? reply.U64() : 0;
  if (!reply.Complete()) EndProcess();
  if (error != DeviceError::kSuccess) return tl::unexpected(error);
  if (at == 0) Remember(address, bytes);
  return address;
}

DeviceError SocketClient::Free(DeviceAddress address) {
  const Lock lock(mutex_);
  encoder_.Clear();
  encoder_.U64(address);
  return Request(Kind::kFree);
}

DeviceError SocketClient::Write(DeviceAddress to, std::span<const std::byte> bytes) {
  const Lock lock(mutex_);
  DeviceError error = DeviceError::kSuccess;
  do {
    const std::size_t part = std::min(bytes.size(), kMaxCopyBytes);
    encoder_.Clear();
    encoder_.U64(to);
    encoder_.U64(bytes.size());
    error = Request(Kind::kWrite, bytes.first(part));
    to += part;
    bytes = bytes.subspan(part);
  } while (error == DeviceError::kSuccess && !bytes.empty());
  return error;
}

DeviceError SocketClient::Read(DeviceAddress from, std::span<std::byte> bytes) {
  const Lock lock(mutex_);
  do {
    const std::size_t part = std::min(bytes.size(), kMaxCopyBytes);
    encoder_.Clear();
    encoder_.U64(from);
    encoder_.U64(bytes.size());
    encoder_.U64(part);
    const DeviceError error = Begin(Kind::kRead);
    if (reply_bytes_ != (error == DeviceError::kSuccess ? part : 0)) EndProcess();
    if (error != DeviceError::kSuccess) return error;
    if (channel_.Receive(bytes.first(part), {}) != Transfer::kDone) EndProcess();
    from += part;
    bytes = bytes.subspan(part);
  } while (!bytes.empty());
  return DeviceError::kSuccess;
}

DeviceError SocketClient::Copy(DeviceAddress to, DeviceAddress from, std::uint64_t bytes) {
  const Lock lock(mutex_);
  encoder_.Clear();
  encoder_.U64(to);
  encoder_.U64(from);
  encoder_.U64(bytes);
  return Request(Kind::kCopy);
}

DeviceError SocketClient::Fill(DeviceAddress to, std::byte value, std::uint64_t bytes) {
  const Lock lock(mutex_);
  encoder_.Clear();
  encoder_.U64(to);
  encoder_.U8(static_cast<std::uint8_t>(value));
  encoder_.U64(bytes);
  return Request(Kind::kFill);
}

DeviceResult<ModuleInfo> SocketClient::LoadModule(std::string_view ptx) {
  if (ptx.size() > kMaxPtxBytes) return tl::unexpected(DeviceError::kInvalidPtx);
  const Lock lock(mutex_);
  encoder_.Clear();
  const DeviceError error = Begin(Kind::kLoadModule, std::as_bytes(std::span(ptx)));
  Decoder reply = Finish();
  ModuleInfo module;
  if (error == DeviceError::kSuccess) module = DecodeModule(reply);
  if (!reply.Complete()) EndProcess();
  if (error != DeviceError::kSuccess) return tl::unexpected(error);
  for (const VariableInfo& variable : module.variables) Remember(variable.address, variable.bytes);
  return module;
}

DeviceError SocketClient::UnloadModule(ModuleId module) {
  const Lock lock(mutex_);
  encoder_.Clear();
  encoder_.U32(module);
  return Request(Kind::kUnloadModule);
}

DeviceError SocketClient::Launch(const LaunchRequest& request) {
  if (request.kernel.size() > kMaxNameBytes) return DeviceError::kInvalidDeviceFunction;
  if (request.parameters.size() > kMaxParameterBytes) return DeviceError::kInvalidValue;
  const Lock lock(mutex_);
  encoder_.Clear();
  Encode(encoder_, request);
  return Request(Kind::kLaunch);
}

void SocketClient::NoteUnsupportedCall(std::string_view function) {
  const Lock lock(mutex_);
  encoder_.Clear();
  encoder_.Text(function.substr(0, kMaxUnsupportedCallBytes));
  (void)Request(Kind::kNoteUnsupportedCall);
}

}  // namespace

std::unique_ptr<Client> Client::Connect(int fd) { return std::make_unique<SocketClient>(fd); }

}  // namespace warpcheck::remote
