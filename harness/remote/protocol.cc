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

}  // namespace warpcheck::remote
