// Carries out the requests of a host on a device: what they may do, apart from how they arrive.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>

#include "device/device.h"
#include "remote/call.h"
#include "remote/ownership.h"
#include "remote/protocol.h"

namespace warpcheck::remote {

// What a host lets the judge do, as work and not as time.
struct Requests {
  std::uint64_t number = 0;
  std::uint64_t bytes = 0;  // that they bring, take, copy and fill
};

class Session {
 public:
  explicit Session(Device& device) : device_(device) {}
  ~Session() { (void)ownership_.Release(device_); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void Begin(const Call& call) { ownership_.Grant(call); }
  void End() { ownership_.EndGrants(); }

  // Gives up all of the device's memory and modules, and forgets what was noted.
  DeviceError Reset();

  // The reply's payload is reply() after this. False where the payload is no valid request of that
  // kind: then nothing was done.
  bool Answer(Kind kind, std::span<const std::byte> payload);
  std::span<const std::byte> reply() const { return reply_.payload(); }
  // All that it was asked to answer.
  const Requests& requests() const { return requests_; }

 private:
  struct Part;
  static std::optional<Part> DecodePart(Decoder& request);
  template <class Request>
  DeviceError Within(std::initializer_list<DeviceBox> boxes, const Extent3& extent,
                     Request request);
  void Reply(DeviceError error);
  bool Memory(Decoder& request);
  bool Allocate(Decoder& request);
  bool Free(Decoder& request);
  bool Write(Decoder& request);
  bool Read(Decoder& request);
  bool Copy(Decoder& request);
  bool Fill(Decoder& request);
  bool Holds(Decoder& request);
  bool Reset(Decoder& request);
  bool LoadModule(std::span<const std::byte> payload);
  bool UnloadModule(Decoder& request);
  bool Launch(Decoder& request);
  bool NoteUnsupportedCall(Decoder& request);
  bool NoteMisuse(Decoder& request);
  DeviceResult<DeviceAddress> Allocated(std::uint64_t bytes, DeviceAddress at);
  DeviceResult<ModuleInfo> Loaded(std::string_view ptx);

  Device& device_;
  Ownership ownership_;
  Encoder reply_;
  Requests requests_;
};

}  // namespace warpcheck::remote
