// A Device that passes every request on and watches what the host does with the arrays of a call:
// results have to come from kernels, not by way of the host, and the arrays belong to the caller.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <map>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "checks/copied_bytes.h"
#include "device/device.h"

namespace warpcheck {

// What the host itself moved, in bytes.
struct HostTraffic {
  std::uint64_t read_from_arrays = 0;   // from any array of the call
  std::uint64_t written_to_device = 0;  // anywhere, after it had read from an array
  // Of the outputs, as they are now: see CopiedBytes::Content.
  std::uint64_t written_to_outputs = 0;
  std::uint64_t copied_input_to_output = 0;
  std::uint64_t unsure_in_outputs = 0;
  std::uint64_t rearranged_in_outputs = 0;
  std::uint64_t rearranged = 0;  // for kernels, device to device: see CopiedBytes::Rearranged
  std::uint64_t copied_to_constants = 0;  // device to device
  std::uint64_t read_back = 0;    // from its own memory, what was made or copied on the device
  std::uint64_t handed_over = 0;  // to later kernels: see KnownWords
  std::uint64_t could_say = 0;    // to later kernels, by its choices, at most: see CovertChannel
  bool too_many_pieces = false;   // more than CopiedBytes::kMaxPieces
  bool reset = false;             // it gave up all memory, that of the arrays too

  friend bool operator==(const HostTraffic&, const HostTraffic&) = default;
};
WARPCHECK_FIELDS(HostTraffic, read_from_arrays, written_to_device, written_to_outputs,
                 copied_input_to_output, unsure_in_outputs, rearranged_in_outputs, rearranged,
                 copied_to_constants, read_back, handed_over, could_say, too_many_pieces, reset);

class WatchedDevice : public Device {
 public:
  // `device` outlives this.
  explicit WatchedDevice(Device& device) : device_(device), copied_(device) {}

  // From now on [address, address + bytes) is an array of the call, whatever lay there before.
  void Watch(DeviceAddress address, std::uint64_t bytes, bool is_input);
  // What the host has from the judge: the arguments of its calls.
  void Know(std::span<const std::byte> bytes) { words_.Know(bytes); }
  // Modules whose text this file holds were there before the call.
  void KnowCode(std::filesystem::path shared_object) { code_ = std::move(shared_object); }
  // A call begins on data that the host cannot have seen: what it read before says nothing of it.
  void ForgetTraffic();
  // Up to now.
  HostTraffic Traffic();

  const DeviceProperties& Properties() const override { return device_.Properties(); }
  MemoryInfo Memory() override { return device_.Memory(); }
  DeviceResult<DeviceAddress> Allocate(std::uint64_t bytes, DeviceAddress at) override;
  // Refuses (kInvalidValue) to free an array of the call.
  DeviceError Free(DeviceAddress address) override;
  // Takes the arrays of the call away, as cudaDeviceReset does.
  DeviceError Reset() override;
  bool Holds(DeviceAddress address, std::uint64_t bytes) override {
    return device_.Holds(address, bytes);
  }
  DeviceError WriteBox(const DeviceBox& to, const Extent3& extent,
                       std::span<const std::byte> bytes) override;
  DeviceError ReadBox(const DeviceBox& from, const Extent3& extent,
                      std::span<std::byte> bytes) override;
  DeviceError CopyBox(const DeviceBox& to, const DeviceBox& from, const Extent3& extent) override;
  DeviceError FillBox(const DeviceBox& to, const Extent3& extent, std::byte value) override;
  DeviceResult<ModuleInfo> LoadModule(std::string_view ptx) override;
  DeviceError UnloadModule(ModuleId module) override;
  DeviceError Launch(const LaunchRequest& request) override;
  void NoteUnsupportedCall(std::string_view function) override {
    device_.NoteUnsupportedCall(function);
  }
  void NoteMisuse(FindingKind kind, std::string_view message) override {
    device_.NoteMisuse(kind, message);
  }

 private:
  struct Array {
    DeviceAddress address;
    std::uint64_t bytes;
    bool is_input;
  };
  const Array* ArrayAt(DeviceAddress address) const;
  bool HasReadBack() const { return traffic_.read_from_arrays + traffic_.read_back > 0; }
  // What the host chose in a request that was carried out. `seen` where the request shows it.
  template <class... Values>
  void Chose(bool seen, const Values&... values);
  // The same, and that it was about a box.
  template <class... Values>
  void ChoseBox(bool seen, const Extent3& extent, std::initializer_list<DeviceBox> boxes,
                const Values&... values);
  bool IsOutput(DeviceAddress address) const;
  void FindConstants(const ModuleInfo& module);
  bool IsConstant(DeviceAddress address) const;
  // Whether the host did not know what it reads, or that it wrote; from now on it does.
  bool IsNews(DeviceAddress address, std::span<const std::byte> bytes);
  bool IsOwnCode(std::string_view ptx) const;

  Device& device_;
  KnownWords words_;
  CovertChannel covert_channel_{words_};
  std::vector<VariableInfo> constants_;  // what may lie in constant memory
  std::uint64_t kernels_ = 0;            // of all modules
  bool has_results_ = false;  // memory of the host may hold what the device made or copied there
  CopiedBytes copied_;
  // What the host last wrote to, or read from, its own memory: stretches that do not overlap, by
  // their first byte.
  std::map<DeviceAddress, std::vector<std::byte>> exchanged_;
  std::uint64_t exchanged_bytes_ = 0;
  std::filesystem::path code_;
  std::vector<Array> arrays_;
  HostTraffic traffic_;
};

}  // namespace warpcheck
