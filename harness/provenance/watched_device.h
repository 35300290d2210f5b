// A Device that passes every request on and watches what the host does with the arrays of a call:
// results have to come from kernels, not by way of the host, and the arrays belong to the caller.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.h"
#include "provenance/copied_bytes.h"
#include "provenance/host_requests.h"

namespace warpcheck {

// What the host itself moved, in bytes, and what came of it.
struct HostTraffic {
  // What it got from the device and did not know: of arrays of the call, of its own memory once
  // kernels or copies may have filled it, how much memory is free after a kernel has run.
  std::uint64_t read_back = 0;
  // Of the outputs, as they are now: see CopiedBytes::Content.
  std::uint64_t written_to_outputs = 0;
  std::uint64_t copied_input_to_output = 0;
  std::uint64_t unsure_in_outputs = 0;
  std::uint64_t rearranged_in_outputs = 0;
  std::uint64_t rearranged = 0;  // for kernels, device to device: see CopiedBytes::Rearranged
  std::uint64_t copied_to_constants = 0;  // device to device
  bool too_many_pieces = false;           // more than CopiedBytes::kMaxPieces
  bool reset = false;                     // it gave up all memory, that of the arrays too
  // What it asks for otherwise where it is called with other data: HostRequests::DifferenceTo.
  // Empty for nothing, and where the call was not made with other data.
  std::string differs{};

  friend bool operator==(const HostTraffic&, const HostTraffic&) = default;
};
WARPCHECK_FIELDS(HostTraffic, read_back, written_to_outputs, copied_input_to_output,
                 unsure_in_outputs, rearranged_in_outputs, rearranged, copied_to_constants,
                 too_many_pieces, reset, differs);

// What a call of the host wrote to an array.
struct HostWrite {
  std::string_view call;             // "cudaMemset"
  std::uint64_t begin = 0, end = 0;  // in bytes: from its first to its last
};

class WatchedDevice : public Device {
 public:
  // `device` outlives this.
  explicit WatchedDevice(Device& device) : device_(device), copied_(device) {}

  // From now on [address, address + bytes) is an array of the call, whatever lay there before.
  void Watch(DeviceAddress address, std::uint64_t bytes, bool is_input);
  // A call begins on data that the host cannot have seen: what it read before says nothing of it.
  void ForgetTraffic();
  // Up to now.
  HostTraffic Traffic();
  // What it asked for after it had read something, as far as a kernel or the result shows it.
  HostRequests Requests() const { return requests_.Seen(); }
  // By the host's calls to the array that begins there, since the traffic was forgotten; the first
  // few.
  std::vector<HostWrite> WritesTo(DeviceAddress array) const;

  const DeviceProperties& Properties() const override { return device_.Properties(); }
  MemoryInfo Memory() override;
  DeviceResult<DeviceAddress> Allocate(std::uint64_t bytes, DeviceAddress at) override;
  // Refuses (kInvalidValue) to free an array of the call.
  DeviceError Free(DeviceAddress address) override;
  // Takes the arrays of the call away, as cudaDeviceReset does.
  DeviceError Reset() override;
  bool Holds(DeviceAddress address, std::uint64_t bytes) override;
  DeviceError WriteBox(const DeviceBox& to, const Extent3& extent,
                       std::span<const std::byte> bytes) override;
  DeviceError ReadBox(const DeviceBox& from, const Extent3& extent,
                      std::span<std::byte> bytes) override;
  DeviceError CopyBox(const DeviceBox& to, const DeviceBox& from, const Extent3& extent) override;
  DeviceError FillBox(const DeviceBox& to, const Extent3& extent, std::byte value) override;
  DeviceResult<TextureHandle> CreateTexture(const TextureDescriptor& texture) override;
  DeviceError DestroyTexture(TextureHandle handle, bool is_surface) override;
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
  // The host asks for what request() gives. `seen` where a kernel or the result shows it.
  template <class Request>
  void Asked(bool seen, Request request) {
    if (traffic_.read_back > 0) requests_.Add(request(), seen);
  }
  // Where a box is, and what its rows are.
  std::vector<std::uint64_t> Numbers(const DeviceBox& box, const Extent3& extent) const;
  bool IsOutput(DeviceAddress address) const;
  void NoteWrite(std::string_view call, const DeviceBox& to, const Extent3& extent);
  bool IsConstant(DeviceAddress address) const;

  Device& device_;
  std::vector<VariableInfo> constants_;  // what lies in constant memory
  bool has_results_ = false;  // memory of the host may hold what the device made or copied there
  CopiedBytes copied_;
  KnownBytes known_;  // of the host's own memory
  HostRequests requests_;
  std::vector<Array> arrays_;
  std::vector<std::pair<DeviceAddress, HostWrite>> host_writes_;  // by the array written to
  HostTraffic traffic_;
};

}  // namespace warpcheck
