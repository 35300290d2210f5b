// A device over a socket. Submissions call CUDA in a process that has no device; every request goes
// to the judge and is carried out there, one at a time, in the order in which it comes.
//
// In the submission host, cudart/ talks to a Client (client.h), which is a Device (request_device.h
// turns each request into a question). In the judge, a Server (server.h) receives frames, looks
// whether the host may do that (session.h, ownership.h), and asks the real device. A GPU is in a
// third process: there a DeviceServer (device_server.h) serves the judge in the same language, and
// sends back what the device logs; the judge's end is a DeviceClient (device_client.h), which
// outlives a process that a kernel has taken down. Nothing that a host sends is believed: lengths
// are bounded before memory is taken, numbers are checked before they are used.
//
// The language of the socket: frames of {u32 payload length, u16 kind, u16 zero, u32 sequence} and
// their payload, all little endian. Encoder and Decoder write and read payloads.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.h"
#include "remote/call.h"

namespace warpcheck::remote {

static_assert(std::endian::native == std::endian::little, "the wire is little endian");

enum class Kind : std::uint16_t {
  // From the judge. A call carries the device's properties; each request has one reply.
  kCall = 1,
  kReply = 2,
  // From a device server (remote/device_server.h): first of all a greeting; what its device logs,
  // before the reply of the request that it belongs to.
  kGreeting,
  kLaunched,
  kFound,
  kPrinted,
  // From the host, within a call. Each but kReturned, which ends the call, has one reply.
  kReturned = 16,
  kMemory,
  kAllocate,
  kFree,
  kWrite,
  kRead,
  kCopy,
  kFill,
  kLoadModule,
  kUnloadModule,
  kLaunch,
  kNoteUnsupportedCall,
  kNoteMisuse,
  kHolds,
  // Gives up all that was allocated and loaded. A device server forgets what was noted, too.
  kReset,
};

// What the server accepts of a host, and a client never exceeds.
inline constexpr std::size_t kMaxPayloadBytes = (std::size_t{64} << 20) + 64;
inline constexpr std::size_t kMaxCopyBytes = std::size_t{4} << 20;  // in a frame; clients split
inline constexpr std::size_t kMaxAllocations = 65'536;              // live
inline constexpr std::size_t kMaxModules = 1'024;                   // loaded
inline constexpr std::size_t kMaxPtxBytes = std::size_t{64} << 20;  // of all loaded modules
inline constexpr std::size_t kMaxNameBytes = 16'384;                // a kernel's mangled name
inline constexpr std::size_t kMaxParameterBytes = 32'764;           // a kernel's parameter block
inline constexpr std::size_t kMaxTextBytes = 65'536;                // of CallOutcome
inline constexpr std::size_t kMaxUnsupportedCalls = 256;            // different names
inline constexpr std::size_t kMaxUnsupportedCallBytes = 128;        // a name
inline constexpr std::size_t kMaxMisuses = 256;                     // different messages
inline constexpr std::size_t kMaxMisuseBytes = 1'024;               // a message
inline constexpr std::size_t kMaxArguments = 64;                    // of a call

struct FrameHeader {
  static constexpr std::size_t kBytes = 12;

  std::uint32_t length = 0;  // bytes of payload
  Kind kind = Kind::kReply;
  // The judge numbers calls and the host its requests within one, from 1; a reply bears its
  // request's number, kReturned its call's.
  std::uint32_t sequence = 0;

  std::array<std::byte, kBytes> Encoded() const;
  // nullopt where the padding is not zero. Any length, kind and sequence is possible.
  static std::optional<FrameHeader> Decoded(std::span<const std::byte, kBytes> bytes);
};

// Appends values to a payload.
class Encoder {
 public:
  void U8(std::uint8_t value) { Raw(&value, sizeof value); }
  void U32(std::uint32_t value) { Raw(&value, sizeof value); }
  void U64(std::uint64_t value) { Raw(&value, sizeof value); }
  void I32(std::int32_t value) { Raw(&value, sizeof value); }
  void F32(float value) { Raw(&value, sizeof value); }
  void F64(double value) { Raw(&value, sizeof value); }
  void Bytes(std::span<const std::byte> bytes);  // with their number before them
  void Text(std::string_view text);              // the same

  // Room for bytes that the caller fills in, until the next change.
  std::span<std::byte> Extend(std::size_t bytes);

  void Clear() { payload_.clear(); }
  std::span<const std::byte> payload() const { return payload_; }

 private:
  void Raw(const void* data, std::size_t bytes);
  std::vector<std::byte> payload_;
};

// Takes values from a payload. Never reads outside it: after the first value that is not there, or
// is longer than its limit, every value is zero or empty and ok() is false.
class Decoder {
 public:
  explicit Decoder(std::span<const std::byte> payload) : rest_(payload) {}

  std::uint8_t U8() { return Value<std::uint8_t>(); }
  std::uint32_t U32() { return Value<std::uint32_t>(); }
  std::uint64_t U64() { return Value<std::uint64_t>(); }
  std::int32_t I32() { return Value<std::int32_t>(); }
  float F32() { return Value<float>(); }
  double F64() { return Value<double>(); }
  bool Bool();  // refuses anything but 0 and 1
  // Views into the payload.
  std::span<const std::byte> Bytes(std::size_t max_bytes);
  std::string_view Text(std::size_t max_bytes);
  std::span<const std::byte> Rest();  // all that remains

  // A number of elements that follow, each at least `element_bytes` (not 0) long.
  std::uint32_t Count(std::size_t element_bytes);

  void Refuse() { ok_ = false; }
  bool ok() const { return ok_; }
  bool Complete() const { return ok_ && rest_.empty(); }  // all was read, and all was right

 private:
  template <class T>
  T Value() {
    T value{};
    Take(&value, sizeof value);
    return value;
  }
  void Take(void* to, std::size_t bytes);
  std::span<const std::byte> Take(std::size_t bytes);

  std::span<const std::byte> rest_;
  bool ok_ = true;
};

// The payloads of the protocol that are more than a few numbers. What Encode writes, the Decode
// beside it reads back equal; a Decode of anything else fails its decoder.

void Encode(Encoder& to, const DeviceProperties& properties);
DeviceProperties DecodeProperties(Decoder& from);

void Encode(Encoder& to, const ModuleInfo& module);
ModuleInfo DecodeModule(Decoder& from);

void Encode(Encoder& to, const LaunchRequest& request);
LaunchRequest DecodeLaunch(Decoder& from);

void Encode(Encoder& to, const DeviceBox& box);
DeviceBox DecodeBox(Decoder& from);

void Encode(Encoder& to, const Extent3& extent);
Extent3 DecodeExtent(Decoder& from);

void Encode(Encoder& to, const Call& call);
Call DecodeCall(Decoder& from);

// `text` is cut to kMaxTextBytes. Decoding accepts the ends that a host can report itself, and
// replaces control characters in its text.
void Encode(Encoder& to, const CallOutcome& outcome);
CallOutcome DecodeOutcome(Decoder& from);

}  // namespace warpcheck::remote
