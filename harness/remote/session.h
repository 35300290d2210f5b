// A Session carries out a host's requests on a device, and decides which requests are allowed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device/device.h"
#include "device/step_runner.h"
#include "remote/call.h"
#include "remote/protocol.h"

namespace warpcheck::remote {

// The work that a host makes for the judge, apart from time.
struct Requests {
  std::uint64_t number = 0;
  std::uint64_t bytes = 0;  // bytes that the requests send, receive, copy and fill
};

// The parts of the device that a host may use: memory that it allocated, variables of its modules,
// and what the arguments of the current call grant.
class Ownership {
 public:
  void Grant(const Call& call);  // replaces the grants of an earlier call
  void EndGrants() { granted_ends_.clear(); }

  // Returns true if [address, address + bytes) is empty or lies within one range that the host may
  // use. Takes time logarithmic in the number of ranges, which the host chooses.
  bool MayUse(DeviceAddress address, std::uint64_t bytes) const;

  bool RoomForAllocation() const { return allocated_.size() < kMaxAllocations; }
  void AddAllocation(DeviceAddress address, std::uint64_t bytes) { allocated_[address] = bytes; }
  bool OwnsAllocation(DeviceAddress address) const { return allocated_.contains(address); }
  void RemoveAllocation(DeviceAddress address) { allocated_.erase(address); }

  bool RoomForTexture() const { return textures_.size() < kMaxTextures; }
  void AddTexture(const TextureKey& texture) { textures_.insert(texture); }
  bool OwnsTexture(const TextureKey& texture) const { return textures_.contains(texture); }
  void RemoveTexture(const TextureKey& texture) { textures_.erase(texture); }

  bool RoomForModule(std::size_t ptx_bytes) const;
  void AddModule(const ModuleInfo& module, std::size_t ptx_bytes);
  bool OwnsModule(ModuleId module) const { return modules_.contains(module); }
  void RemoveModule(ModuleId module);

  // Returns true the first time that the valid name of an unsupported function is noted, within the
  // limits.
  bool NoteUnsupportedCall(std::string_view function);
  bool Admits(const Finding& misuse) { return misuses_.Admits(misuse); }

  void ForgetDevice();  // forgets memory, textures, modules and grants
  void Forget();        // forgets the same, and what was noted

  // Frees everything on `device` that the host still owns, and forgets what was noted. Returns the
  // first error of the device.
  DeviceError Release(Device& device);

 private:
  using Ranges = std::map<DeviceAddress, std::uint64_t>;  // bytes by address; ranges do not overlap
  struct Module {
    std::vector<DeviceAddress> variables;
    std::size_t ptx_bytes = 0;
  };

  static bool Within(const Ranges& ranges, DeviceAddress address, std::uint64_t bytes);
  bool Granted(DeviceAddress address, std::uint64_t bytes) const;

  Ranges allocated_;
  std::set<TextureKey> textures_;
  Ranges variables_;  // variables of all modules
  std::map<ModuleId, Module> modules_;
  // Grants may overlap. For the address of each grant, this has the furthest end of all grants that
  // begin at or before it. A range is granted if the last entry at or before its start extends to
  // its end.
  std::map<DeviceAddress, DeviceAddress> granted_ends_;
  std::set<std::string, std::less<>> unsupported_;
  FindingQuota misuses_;
  std::size_t ptx_bytes_ = 0;
};

class Session {
 public:
  // A trusted peer may also allocate memory of the host and run steps.
  enum class Peer : std::uint8_t { kSubmission, kTrusted };
  explicit Session(Device& device, Peer peer = Peer::kSubmission) : device_(device), peer_(peer) {}
  ~Session() { (void)ownership_.Release(device_); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void Begin(const Call& call) { ownership_.Grant(call); }
  void End() { ownership_.EndGrants(); }

  // Frees all of the device's memory and modules, and forgets what was noted.
  DeviceError Reset();

  // Carries out a request; reply() is then the payload of its reply. Returns false, and does
  // nothing, if the payload is not a valid request of that kind.
  bool Answer(Kind kind, std::span<const std::byte> payload);
  std::span<const std::byte> reply() const { return reply_.payload(); }
  // Returns the sum of all requests.
  const Requests& requests() const { return requests_; }

 private:
  struct Part;
  static std::optional<Part> DecodePart(Decoder& request);
  template <class Request>
  DeviceError Within(std::initializer_list<DeviceBox> boxes, const Extent3& extent,
                     Request request);
  void Reply(DeviceError error);
  // Each function carries out one kind of request and returns its error; `reply_` gets the values
  // after the error. It returns nothing if the request is invalid.
  std::optional<DeviceError> Memory(Decoder& request);
  std::optional<DeviceError> Allocate(Decoder& request);
  std::optional<DeviceError> Free(Decoder& request);
  std::optional<DeviceError> Write(Decoder& request);
  std::optional<DeviceError> Read(Decoder& request);
  std::optional<DeviceError> Copy(Decoder& request);
  std::optional<DeviceError> Fill(Decoder& request);
  std::optional<DeviceError> Holds(Decoder& request);
  std::optional<DeviceError> Reset(Decoder& request);
  std::optional<DeviceError> CreateTexture(Decoder& request);
  std::optional<DeviceError> DestroyTexture(Decoder& request);
  std::optional<DeviceError> LoadModule(Decoder& request);
  std::optional<DeviceError> UnloadModule(Decoder& request);
  std::optional<DeviceError> Launch(Decoder& request);
  std::optional<DeviceError> NoteUnsupportedCall(Decoder& request);
  std::optional<DeviceError> NoteMisuse(Decoder& request);
  std::optional<DeviceError> NoteHostCalls(Decoder& request);
  std::optional<DeviceError> WatchUses(Decoder& request);
  std::optional<DeviceError> TakeUses(Decoder& request);
  std::optional<DeviceError> AllocateHost(Decoder& request);
  std::optional<DeviceError> RunSteps(Decoder& request);
  bool MayRun(const DeviceStep& step) const;

  Device& device_;
  const Peer peer_;
  Ownership ownership_;
  Encoder reply_;
  Requests requests_;
};

}  // namespace warpcheck::remote
