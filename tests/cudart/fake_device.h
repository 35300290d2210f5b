// FakeDevice is a Device that keeps memory and records requests. Its kernels do what the test says.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "device/device.h"

namespace warpcheck::cudart {

class FakeDevice : public Device {
 public:
  FakeDevice();

  const DeviceProperties& Properties() const override { return properties; }
  MemoryInfo Memory() override { return {.free_bytes = 600, .total_bytes = 1000}; }
  DeviceResult<DeviceAddress> Allocate(std::uint64_t bytes, DeviceAddress at) override;
  DeviceError Free(DeviceAddress address) override;
  DeviceError Reset() override;
  bool Holds(DeviceAddress address, std::uint64_t bytes) override {
    return At(address, bytes) != nullptr;
  }
  DeviceError WriteBox(const DeviceBox& to, const Extent3& extent,
                       std::span<const std::byte> bytes) override;
  DeviceError ReadBox(const DeviceBox& from, const Extent3& extent,
                      std::span<std::byte> bytes) override;
  DeviceError CopyBox(const DeviceBox& to, const DeviceBox& from, const Extent3& extent) override;
  DeviceError FillBox(const DeviceBox& to, const Extent3& extent, std::byte value) override;
  // The handle is the address of a copy of the descriptor, as on the emulator.
  DeviceResult<TextureHandle> CreateTexture(const TextureDescriptor& texture) override;
  DeviceError DestroyTexture(const TextureKey& texture) override;
  // Finds kernels and variables in the text as nvcc writes it, and does no more.
  DeviceResult<ModuleInfo> LoadModule(std::string_view ptx) override;
  DeviceError UnloadModule(ModuleId module) override;
  DeviceError Launch(const LaunchRequest& request) override;
  bool FetchAtUse(DeviceAddress address, const std::function<void()>& fetch) override;
  void NoteUnsupportedCall(std::string_view function) override;
  void NoteMisuse(const Finding& finding) override;

  std::uint64_t Allocated() const;  // the sum of allocated bytes
  void FetchAll();                  // calls what a launch has not fetched yet

  // This function is called at a launch. It may set a sticky error, refuse the launch, or write to
  // memory.
  std::function<DeviceError(const LaunchRequest&)> on_launch;

  DeviceProperties properties;
  DeviceAddress next_address = 0x2000'0000'0000;  // an address at which a process has no memory
  bool honours_at = true;  // if false, Allocate() refuses every `at`, as a GPU
  bool fetches = false;    // if true, launches fetch what they read or write
  std::uint64_t free_bytes = std::uint64_t{1} << 30;
  ModuleInfo module;  // the module that was loaded last
  int modules_loaded = 0;
  int modules_unloaded = 0;
  int writes = 0;
  int reads = 0;
  std::vector<LaunchRequest> launches;
  std::vector<std::string> unsupported;
  std::vector<std::string> misuses;  // such as "wrong_copy: ..."

 private:
  bool Overlaps(DeviceAddress address, std::uint64_t bytes) const;
  // Returns the byte at `address`, or nullptr if the range does not lie within one allocation.
  std::byte* At(DeviceAddress address, std::uint64_t bytes);
  std::byte* At(const DeviceBox& box, const Extent3& extent);

  std::map<DeviceAddress, std::vector<std::byte>> memory_;
  std::map<DeviceAddress, std::function<void()>> fetches_;  // by the begins of allocations
  DeviceError sticky_ = DeviceError::kSuccess;
};

}  // namespace warpcheck::cudart
