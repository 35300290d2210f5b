// A device over a socket. Submissions call CUDA in a process that has no device; every request goes
// to the judge and is carried out there, one at a time, in the order in which it comes.
//
// In the submission host, cudart/ talks to a Client (client.h), which is a Device (request_device.h
// turns each request into a question). In the judge, a Server (server.h) receives frames, looks
// whether the host may do that (session.h), and asks the real device. A GPU is in a
// third process: there a DeviceServer (device_server.h) serves the judge in the same language, and
// sends back what the device logs; the judge's end is a DeviceClient (device_client.h), which
// outlives a process that a kernel has taken down. Nothing that a host sends is believed: lengths
// are bounded before memory is taken, numbers are checked before they are used.
//
// The language of the socket: frames of {u32 payload length, u16 kind, u16 zero, u32 sequence} and
// their payload (wire.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "device/device.h"
#include "remote/call.h"
#include "remote/wire.h"

namespace warpcheck::remote {

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
  kCreateTexture,
  kDestroyTexture,
  // Gives up all that was allocated and loaded. A device server forgets what was noted, too.
  kReset,
};

// What the server accepts of a host, and a client never exceeds.
inline constexpr std::size_t kMaxPayloadBytes = (std::size_t{64} << 20) + 64;
inline constexpr std::size_t kMaxCopyBytes = std::size_t{4} << 20;  // in a frame; clients split
inline constexpr std::size_t kMaxAllocations = 65'536;              // live
inline constexpr std::size_t kMaxTextures = 65'536;                 // live, and surfaces
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

// The payloads that are more than their fields (wire.h).

void Encode(Encoder& to, const CallOutcome& outcome);  // with its text cut to kMaxTextBytes

// Writes the descriptor as it lies in memory: both ends are of one build.
void Encode(Encoder& to, const TextureDescriptor& texture);

TextureDescriptor DecodeTexture(Decoder& from);
// These fail their decoder where a limit is exceeded.
LaunchRequest DecodeLaunch(Decoder& from);
Call DecodeCall(Decoder& from);
// Accepts the ends that a host can report itself, and replaces control characters in its text.
CallOutcome DecodeOutcome(Decoder& from);
bool HostCanReport(CallEnd end);

}  // namespace warpcheck::remote
