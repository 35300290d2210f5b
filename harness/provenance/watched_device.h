// WatchedDevice is a Device that passes every request on to another one, and watches what the host
// does with the arrays of a call. Results must come from kernels, not from the host. The host may
// not free the arrays, which belong to the caller.
#pragma once

#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device/device.h"
#include "order/host_call.h"
#include "provenance/byte_moves.h"
#include "provenance/copied_bytes.h"
#include "provenance/host_requests.h"
#include "provenance/returned_bytes.h"
#include "provenance/seen_calls.h"
#include "provenance/sent_bytes.h"

namespace warpcheck {

// HostTraffic says how many bytes the host itself moved during a call, and what that means for the
// result.
struct HostTraffic {
  // The number of bytes that the host read from the device and did not know before. They come from
  // arrays of the call, from memory of its own that a kernel or a copy may have filled, and from
  // the amount of free memory after a kernel has run.
  std::uint64_t read_back = 0;
  // The bytes of the outputs as they are now. CopiedBytes::Content explains these four.
  std::uint64_t written_to_outputs = 0;
  std::uint64_t copied_input_to_output = 0;
  std::uint64_t unsure_in_outputs = 0;
  std::uint64_t rearranged_in_outputs = 0;
  std::uint64_t rearranged = 0;           // the result of CopiedBytes::Rearranged
  std::uint64_t copied_to_constants = 0;  // bytes copied from device memory to constant memory
  // Sectors of device memory that copies of the host within the device have read and written.
  std::uint64_t copies_read_sectors = 0;
  std::uint64_t copies_written_sectors = 0;
  bool too_many_pieces = false;  // the result of CopiedBytes::limit_reached
  // True if the host called cudaDeviceReset, which frees the arrays.
  bool reset = false;
  // Says what the host asks for instead when the call is made with other data
  // (HostRequests::DifferenceTo). Empty if there is no difference, or if no such call was made.
  std::string differs{};
  // True if that is only another number of rounds of a loop (HostRequests::OnlyRepeatsMoreOrLess).
  bool differs_in_rounds = false;
  // The number of different places, in bytes, from which read_back was read. Bytes that were copied
  // on the device before they were read count each time.
  std::uint64_t read_places = 0;
  // In a call with large arrays in memory of the host (SentBytes): their bytes, and the bytes that
  // the host sent and that are in none of them.
  std::uint64_t host_arrays = 0;
  std::uint64_t foreign = 0;
  // The part of read_back that the host read before its last launch, so that a kernel may have got
  // it from the host.
  std::uint64_t read_before_launch = 0;
  // They are not sent to other processes.
  ByteMoves moves{};

  friend bool operator==(const HostTraffic&, const HostTraffic&) = default;
};
WARPCHECK_FIELDS(HostTraffic, read_back, written_to_outputs, copied_input_to_output,
                 unsure_in_outputs, rearranged_in_outputs, rearranged, copied_to_constants,
                 copies_read_sectors, copies_written_sectors, too_many_pieces, reset, differs,
                 differs_in_rounds, read_places, host_arrays, foreign, read_before_launch);

// A write of the host to an array of the call.
struct ArrayWrite {
  std::string_view call;             // such as "cudaMemset"
  std::uint64_t begin = 0, end = 0;  // the range that it wrote, in bytes from the array's start
};

class WatchedDevice : public Device {
 public:
  // `device` must outlive this object.
  explicit WatchedDevice(Device& device) : device_(device), copied_(device) {}

  // Makes [address, address + bytes) an array of the call, whatever was there before.
  void Watch(DeviceAddress address, std::uint64_t bytes, bool is_input);
  // Call this when a call begins on data that the host cannot have seen. It forgets what was read
  // and moved before.
  void ForgetTraffic();
  // Call this when a call begins. `arrays` are its inputs in memory of the host; they must stay as
  // they are until the next call.
  void BeginCall(std::vector<std::span<const std::byte>> arrays) { sent_.Begin(std::move(arrays)); }
  // Returns the traffic since ForgetTraffic().
  HostTraffic Traffic();
  // Returns what the host requested after it had read something back, as far as a kernel or the
  // result shows it.
  HostRequests Requests() const { return requests_.Seen(); }
  // Returns the record that the host sent since the last time, and begins to count anew; null if it
  // sent none.
  struct RecordedCalls {
    std::shared_ptr<const HostCalls> calls;
    std::string doubt;  // what the device saw otherwise (SeenCalls::DifferenceTo)
  };
  RecordedCalls TakeHostCalls();
  // Returns the first few writes of the host to the array that begins at `array`, since
  // ForgetTraffic().
  std::vector<ArrayWrite> WritesTo(DeviceAddress array) const;
  // Returns the number of bytes that the host has written, read, copied and filled since the last
  // time.
  std::uint64_t TakeMoved() { return std::exchange(moved_, 0); }

  const DeviceProperties& Properties() const override { return device_.Properties(); }
  MemoryInfo Memory() override;
  DeviceResult<DeviceAddress> Allocate(std::uint64_t bytes, DeviceAddress at) override;
  // Refuses (kInvalidValue) to free an array of the call.
  DeviceError Free(DeviceAddress address) override;
  // Frees the arrays of the call too, as cudaDeviceReset does.
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
  void NoteUnsupportedCall(std::string_view function) override {
    device_.NoteUnsupportedCall(function);
  }
  void NoteMisuse(const Finding& finding) override { device_.NoteMisuse(finding); }
  // Keeps the record of the host's calls, instead of passing it on.
  void NoteHostCalls(const HostCalls& calls) override;
  void WatchUses() override { device_.WatchUses(); }
  LaunchUses TakeUses() override;

 private:
  struct Array {
    DeviceAddress address;
    std::uint64_t bytes;
    bool is_input;
  };
  const Array* ArrayAt(DeviceAddress address) const;
  // Adds request() to the requests if the host has read something back. `seen` says that a kernel
  // or the result shows it.
  template <class Request>
  void Asked(bool seen, Request request) {
    if (traffic_.read_back > 0) requests_.Add(request(), seen);
  }
  // Writes a box as numbers of a HostRequest: its address, its strides and its extent.
  std::vector<std::uint64_t> Numbers(const DeviceBox& box, const Extent3& extent) const;
  bool IsOutput(DeviceAddress address) const;
  // Counts the places of a box that the host reads. `is_new[i]` is 1 if the host has not read
  // byte i before; an empty list means that it has read none.
  void CountPlaces(const DeviceBox& from, const Extent3& extent, const NewBytes& is_new);
  void NoteCopyTo(DeviceAddress begin, DeviceAddress end);
  // Notes that the host learned `bytes` that lie in no memory that it reads.
  void ReadElsewhere(std::uint64_t bytes);
  bool WasCopied(DeviceAddress begin, DeviceAddress end) const;
  // Returns the sectors of a box in memory of the device alone.
  std::uint64_t SectorsOf(const DeviceBox& box, const Extent3& extent) const;
  void NoteWrite(std::string_view call, const DeviceBox& to, const Extent3& extent);
  bool IsConstant(DeviceAddress address) const;
  // Notes that bytes of memory that the host shares came to the device.
  void NoteSent(const DeviceBox& from, const Extent3& extent);
  // Adds a move to the memory at `to`; `from` is an allocation or a place (ByteMoves).
  void NoteMove(DeviceAddress from, DeviceAddress to);

  Device& device_;
  std::uint64_t moved_ = 0;
  std::vector<VariableInfo> constants_;  // the variables that are in constant memory
  // True if memory that the host allocated may contain what a kernel made, or a copy of an array.
  bool has_results_ = false;
  CopiedBytes copied_;
  KnownBytes places_;  // the places that the host has read, with zeros as their bytes
  // Ranges that copies on the device wrote, which the host does not share.
  std::vector<std::pair<DeviceAddress, DeviceAddress>> copied_to_;
  KnownBytes known_;  // the bytes that the host knows of memory that it allocated
  ReturnedBytes returned_;
  // Copies of inputs in memory that the host shares begin at these addresses. The set is emptied
  // when a kernel is launched, because the kernel may write there.
  std::set<DeviceAddress> shared_inputs_;
  HostRequests requests_;
  std::vector<Array> arrays_;
  std::vector<std::pair<DeviceAddress, ArrayWrite>>
      host_writes_;  // writes with the address of their array
  HostTraffic traffic_;
  SeenCalls seen_calls_;
  SentBytes sent_;
  std::shared_ptr<const HostCalls> host_calls_;
};

}  // namespace warpcheck
