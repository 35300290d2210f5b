#include "remote/protocol.h"

#include <algorithm>
#include <cstring>

namespace warpcheck::remote {

std::array<std::byte, FrameHeader::kBytes> FrameHeader::Encoded() const {
  std::array<std::byte, kBytes> bytes{};
  std::memcpy(bytes.data(), &length, sizeof length);
  std::memcpy(bytes.data() + 4, &kind, sizeof kind);
  std::memcpy(bytes.data() + 8, &sequence, sizeof sequence);
  return bytes;
}

std::optional<FrameHeader> FrameHeader::Decoded(std::span<const std::byte, kBytes> bytes) {
  FrameHeader header;
  std::uint16_t padding = 0;
  std::memcpy(&header.length, bytes.data(), sizeof header.length);
  std::memcpy(&header.kind, bytes.data() + 4, sizeof header.kind);
  std::memcpy(&padding, bytes.data() + 6, sizeof padding);
  std::memcpy(&header.sequence, bytes.data() + 8, sizeof header.sequence);
  if (padding != 0) return std::nullopt;
  return header;
}

void Encode(Encoder& to, const CallOutcome& outcome) {
  CallOutcome cut = outcome;
  if (cut.text.size() > kMaxTextBytes) cut.text.resize(kMaxTextBytes);
  Encode<CallOutcome>(to, cut);
}

void Encode(Encoder& to, const TextureDescriptor& texture) {
  std::memcpy(to.Extend(sizeof texture).data(), &texture, sizeof texture);
}

TextureDescriptor DecodeTexture(Decoder& from) { return from.Number<TextureDescriptor>(); }

LaunchRequest DecodeLaunch(Decoder& from) {
  auto request = Decode<LaunchRequest>(from);
  if (request.kernel.size() > kMaxNameBytes || request.parameters.size() > kMaxParameterBytes) {
    from.Refuse();
  }
  return request;
}

Call DecodeCall(Decoder& from) {
  auto call = Decode<Call>(from);
  if (call.function.size() > kMaxNameBytes || call.arguments.size() > kMaxArguments) from.Refuse();
  return call;
}

bool HostCanReport(CallEnd end) {
  return end == CallEnd::kReturned || end == CallEnd::kNoSuchFunction ||
         end == CallEnd::kException || end == CallEnd::kLoadFailed;
}

namespace {

char Printable(char c) {
  const auto code = static_cast<unsigned char>(c);
  return (code < 0x20 && c != '\n' && c != '\t') || code == 0x7f ? '?' : c;
}

}  // namespace

CallOutcome DecodeOutcome(Decoder& from) {
  auto outcome = Decode<CallOutcome>(from);
  if (!HostCanReport(outcome.end) || outcome.last_error < 0 ||
      outcome.text.size() > kMaxTextBytes) {
    from.Refuse();
  }
  std::ranges::transform(outcome.text, outcome.text.begin(), Printable);
  return outcome;
}

std::span<std::byte> Encoder::Extend(std::size_t bytes) {
  payload_.resize(payload_.size() + bytes);
  return std::span(payload_).last(bytes);
}

void Encoder::Bytes(std::span<const std::byte> bytes) {
  U32(static_cast<std::uint32_t>(bytes.size()));
  payload_.insert(payload_.end(), bytes.begin(), bytes.end());
}

std::span<const std::byte> Decoder::Take(std::size_t bytes) {
  if (!ok_ || bytes > rest_.size()) {
    ok_ = false;
    return {};
  }
  const auto taken = rest_.first(bytes);
  rest_ = rest_.subspan(bytes);
  return taken;
}

bool Decoder::Bool() {
  const std::uint8_t value = U8();
  if (value > 1) ok_ = false;
  return value == 1;
}

std::span<const std::byte> Decoder::Bytes(std::size_t max_bytes) {
  const std::uint32_t bytes = U32();
  if (bytes > max_bytes) ok_ = false;
  return Take(bytes);
}

std::string_view Decoder::Text(std::size_t max_bytes) {
  const auto bytes = Bytes(max_bytes);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::uint32_t Decoder::Count(std::size_t element_bytes) {
  const std::uint32_t count = U32();
  if (count > rest_.size() / element_bytes) ok_ = false;
  return ok_ ? count : 0;
}

}  // namespace warpcheck::remote
