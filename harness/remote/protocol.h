// This is the protocol of a device over a socket. Submissions call CUDA in a process without a
// device. The judge receives each request and carries it out, one at a time, in the order of
// arrival.
//
// In the submission host, cudart/ talks to a Client (client.h), which is a Device (request_device.h
// turns each request into a message). In the judge, a Server (server.h) receives frames, checks
// that the host may make the request (session.h), and calls the real device. A GPU is in a third
// process. There a DeviceServer (device_server.h) serves the judge with the same protocol, and
// sends back what the device logs. The judge's end is a DeviceClient (device_client.h). If a kernel
// ends the GPU's process, the DeviceClient survives. Nothing that a host sends is trusted: lengths
// are checked before memory is allocated, and numbers before they are used.
//
// The socket carries frames of {u32 payload length, u16 kind, u16 zero, u32 sequence} and their
// payloads (wire.h).
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
  // The judge sends these. A call contains the device's properties; each request has one reply.
  kCall = 1,
  kReply = 2,
  // A device server (remote/device_server.h) sends these: first a greeting, and later what its
  // device logs, before the reply to the same request.
  kGreeting,
  kLaunched,
  kFound,
  kPrinted,
  // The host sends these within a call. Each has one reply, except kReturned, which ends the call.
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
  kWatchUses,
  kTakeUses,
  kNoteHostCalls,
  // Frees all memory and modules. A device server also forgets which functions and messages were
  // noted.
  kReset,
  // Only a trusted peer sends these two, to a device server (device/step_runner.h).
  kAllocateHost,
  kRunSteps,
};

// These are the limits that the server enforces and a client never exceeds.
inline constexpr std::size_t kMaxPayloadBytes = (std::size_t{64} << 20) + 64;
inline constexpr std::size_t kMaxCopyBytes =
    std::size_t{4} << 20;  // bytes in a frame; clients split larger copies
inline constexpr std::size_t kMaxAllocations = 65'536;              // live allocations
inline constexpr std::size_t kMaxTextures = 65'536;                 // live textures and surfaces
inline constexpr std::size_t kMaxModules = 1'024;                   // loaded modules
inline constexpr std::size_t kMaxPtxBytes = std::size_t{64} << 20;  // bytes of all loaded modules
inline constexpr std::size_t kMaxNameBytes = 16'384;          // bytes of a kernel's mangled name
inline constexpr std::size_t kMaxParameterBytes = 32'764;     // bytes of a kernel's parameter block
inline constexpr std::size_t kMaxTextBytes = 65'536;          // bytes of a CallOutcome's text
inline constexpr std::size_t kMaxUnsupportedCalls = 256;      // different names
inline constexpr std::size_t kMaxUnsupportedCallBytes = 128;  // bytes of a name
inline constexpr std::size_t kMaxMisuseBytes = 1'024;  // bytes of a message, a hint or a file
inline constexpr std::size_t kMaxHostCallsBytes = std::size_t{512} << 10;  // bytes of HostCalls
inline constexpr std::size_t kMaxArguments = 64;                           // arguments of a call

struct FrameHeader {
  static constexpr std::size_t kBytes = 12;

  std::uint32_t length = 0;  // in bytes of payload
  Kind kind = Kind::kReply;
  // The judge numbers its calls, and the host its requests within a call, both from 1. A reply has
  // the number of its request, and kReturned the number of its call.
  std::uint32_t sequence = 0;

  std::array<std::byte, kBytes> Encoded() const;
  // Returns nothing if the padding is not zero. The length, kind and sequence may have any value.
  static std::optional<FrameHeader> Decoded(std::span<const std::byte, kBytes> bytes);
};

// These payloads have more than their fields (wire.h).

void Encode(Encoder& to, const CallOutcome& outcome);  // cuts the text to kMaxTextBytes

// Writes the bytes of the descriptor in memory, because both ends are from the same build.
void Encode(Encoder& to, const TextureDescriptor& texture);

TextureDescriptor DecodeTexture(Decoder& from);
// These make their decoder fail if a limit is exceeded.
LaunchRequest DecodeLaunch(Decoder& from);
Call DecodeCall(Decoder& from);
// Accepts the endings that a host can report itself, and replaces control characters in its text.
CallOutcome DecodeOutcome(Decoder& from);
bool HostCanReport(CallEnd end);

}  // namespace warpcheck::remote
