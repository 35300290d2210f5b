// RequestDevice is a Device whose requests become messages to another process. This class defines
// the messages; its subclasses send them and handle a broken connection.
#pragma once

#include <mutex>
#include <span>

#include "device/device.h"
#include "remote/protocol.h"

namespace warpcheck::remote {

class RequestDevice : public Device {
 public:
  MemoryInfo Memory() override;
  DeviceResult<DeviceAddress> Allocate(std::uint64_t bytes, DeviceAddress at) override;
  DeviceError Free(DeviceAddress address) override;
  DeviceError Reset() override;
  bool Holds(DeviceAddress address, std::uint64_t bytes) override;
  DeviceError WriteBox(const DeviceBox& to, const Extent3& extent,
                       std::span<const std::byte> bytes) override;
  DeviceError ReadBox(const DeviceBox& from, const Extent3& extent,
                      std::span<std::byte> bytes) override;
  DeviceError CopyBox(const DeviceBox& to, const DeviceBox& from, const Extent3& extent) override;
  DeviceError FillBox(const DeviceBox& to, const Extent3& extent, std::byte value) override;
  DeviceResult<TextureHandle> CreateTexture(const TextureDescriptor& texture) override;
  DeviceError DestroyTexture(const TextureKey& texture) override;
  DeviceResult<ModuleInfo> LoadModule(std::string_view ptx) override;
  DeviceError UnloadModule(ModuleId module) override;
  DeviceError Launch(const LaunchRequest& request) override;
  void NoteUnsupportedCall(std::string_view function) override;
  void NoteMisuse(const Finding& finding) override;
  // Leaves out the last calls if the record is too long for a message.
  void NoteHostCalls(const HostCalls& calls) override;
  void WatchUses() override;
  LaunchUses TakeUses() override;

 protected:
  using Lock = std::lock_guard<std::mutex>;
  struct Question {
    Kind kind;
    std::span<const std::byte> head;  // the payload is `head` followed by `tail`
    std::span<const std::byte> tail;
    std::span<std::byte>
        into;  // a successful reply fills this; if it is empty, the data goes to Answer::rest
  };
  struct Answer {
    DeviceError error = DeviceError::kSuccess;
    std::span<const std::byte> rest;  // the bytes after the error; valid until the next request
  };

  // Sends one request and receives its reply. The caller has locked `mutex_`.
  virtual Answer Ask(const Question& question) = 0;
  // Returns the error of a request whose reply was invalid; it may end the process instead.
  virtual DeviceError Broken() = 0;
  // Called when memory becomes known: an allocation, or a module's variable.
  virtual void Remember(DeviceAddress /*address*/, std::uint64_t /*bytes*/) {}

  std::mutex mutex_;  // allows one request at a time

 private:
  template <class... Values>
  void Begin(const Values&... values) {
    head_.Clear();
    (Encode(head_, values), ...);
  }
  Answer AskWith(Kind kind, std::span<const std::byte> tail = {}) {
    return Ask({kind, head_.payload(), tail, {}});
  }
  // Makes a request that has begun; its reply is only an error.
  DeviceError Finish(Kind kind, std::span<const std::byte> tail = {});
  // Makes a request that has begun; its reply is a number.
  DeviceResult<std::uint64_t> FinishWithNumber(Kind kind);
  // Makes a complete request of these values.
  template <class... Values>
  DeviceError Request(Kind kind, const Values&... values) {
    const Lock lock(mutex_);
    Begin(values...);
    return Finish(kind);
  }

  Encoder head_;
};

}  // namespace warpcheck::remote
