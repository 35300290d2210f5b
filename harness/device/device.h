// Device is the interface that the CUDA runtime API needs of a device. An emulator, a GPU and a
// socket to another process implement it. Requests are carried out in order, and each is complete
// when its call returns.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device/box.h"
#include "device/device_error.h"
#include "device/launch_record.h"
#include "device/memory_use.h"
#include "device/texture_descriptor.h"
#include "device/types.h"

namespace warpcheck {

struct HostCalls;

using ModuleId = std::uint32_t;

// A texture or surface object, as kernels get it: cudaTextureObject_t or cudaSurfaceObject_t. It is
// never 0.
using TextureHandle = std::uint64_t;

// TextureKey names one object of a device: a texture and a surface may have the same handle.
struct TextureKey {
  TextureHandle handle = 0;
  bool is_surface = false;

  friend auto operator<=>(const TextureKey&, const TextureKey&) = default;
};

struct KernelParameter {
  std::uint32_t offset = 0;  // bytes from the start of the parameter block
  std::uint32_t size = 0;    // in bytes

  friend bool operator==(const KernelParameter&, const KernelParameter&) = default;
};
WARPCHECK_FIELDS(KernelParameter, offset, size);

struct KernelInfo {
  std::string name;  // the mangled name, as the fat binary registers it
  std::vector<KernelParameter> parameters;
  std::uint32_t parameter_bytes = 0;
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t local_bytes = 0;     // bytes of each thread
  std::uint32_t constant_bytes = 0;  // constant memory of the module, in bytes
  std::uint32_t registers =
      0;  // 32-bit registers of each thread; an estimate if ptxas was not asked
  std::uint32_t max_threads_per_block = 0;

  friend bool operator==(const KernelInfo&, const KernelInfo&) = default;
};
WARPCHECK_FIELDS(KernelInfo, name, parameters, parameter_bytes, static_shared_bytes, local_bytes,
                 constant_bytes, registers, max_threads_per_block);

// A __device__, __constant__ or __managed__ variable.
struct VariableInfo {
  std::string name;  // the mangled name
  DeviceAddress address = 0;
  std::uint64_t bytes = 0;
  bool constant = false;  // true if it lies in constant memory

  friend bool operator==(const VariableInfo&, const VariableInfo&) = default;
};
WARPCHECK_FIELDS(VariableInfo, name, address, bytes, constant);

struct ModuleInfo {
  ModuleId id = 0;
  std::vector<KernelInfo> kernels;
  std::vector<VariableInfo> variables;

  friend bool operator==(const ModuleInfo&, const ModuleInfo&) = default;
};
WARPCHECK_FIELDS(ModuleInfo, id, kernels, variables);

struct LaunchRequest {
  ModuleId module = 0;
  std::string kernel;  // the mangled name
  Dim3 grid;
  Dim3 block;
  std::uint64_t dynamic_shared_bytes = 0;
  // The dynamic shared memory that cudaFuncSetAttribute allowed the kernel; 0 if it was not called.
  std::uint64_t allowed_shared_bytes = 0;
  bool cooperative = false;
  std::vector<std::byte> parameters;  // the parameter block, parameter_bytes long
};
WARPCHECK_FIELDS(LaunchRequest, module, kernel, grid, block, dynamic_shared_bytes,
                 allowed_shared_bytes, cooperative, parameters);

struct MemoryInfo {
  std::uint64_t free_bytes = 0;
  std::uint64_t total_bytes = 0;
};

// A name and a shape that messages use for an array. The extents begin with the slowest.
struct ArrayName {
  std::string name;
  std::uint32_t element_bytes = 0;
  std::vector<std::uint64_t> extents;
};

// The alignment, in bytes, of an address that the caller of Device::Allocate chooses. The widest
// access has that many bytes.
inline constexpr std::uint64_t kChosenAlignment = 16;

// Bytes [begin, end) that must stay as they are. A store to them is a finding of this kind.
struct ForbiddenRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  FindingKind kind = FindingKind::kInputStore;
};

class Device {
 public:
  virtual ~Device() = default;

  virtual const DeviceProperties& Properties() const = 0;
  virtual MemoryInfo Memory() = 0;

  // Allocates `bytes` of device memory, aligned to 512 bytes. If `at` is not 0, the memory must lie
  // there, because the host maps it at the same address. Fails with kInvalidValue if `at` is no
  // multiple of kChosenAlignment or the range overlaps another allocation, and with kNotSupported
  // if the device cannot have memory there.
  virtual DeviceResult<DeviceAddress> Allocate(std::uint64_t bytes, DeviceAddress at = 0) = 0;
  // Frees memory. `address` must be one that Allocate returned. For the address 0 the call does
  // nothing.
  virtual DeviceError Free(DeviceAddress address) = 0;

  // Frees all memory, objects and modules, as cudaDeviceReset does.
  virtual DeviceError Reset() = 0;

  // Returns whether a range lies within one allocation or variable.
  virtual bool Holds(DeviceAddress address, std::uint64_t bytes) = 0;

  // These functions move boxes of bytes. SpanOf must accept every box, and the box, with the gaps
  // between its rows, must lie within one allocation or variable. If not, the functions return
  // kInvalidValue and change nothing. `bytes` are the rows of the box without gaps, extent.Bytes()
  // in all.
  virtual DeviceError WriteBox(const DeviceBox& to, const Extent3& extent,
                               std::span<const std::byte> bytes) = 0;
  virtual DeviceError ReadBox(const DeviceBox& from, const Extent3& extent,
                              std::span<std::byte> bytes) = 0;
  virtual DeviceError CopyBox(const DeviceBox& to, const DeviceBox& from,
                              const Extent3& extent) = 0;
  virtual DeviceError FillBox(const DeviceBox& to, const Extent3& extent, std::byte value) = 0;

  // These functions move a single row.
  DeviceError Write(DeviceAddress to, std::span<const std::byte> bytes) {
    return WriteBox({.address = to}, {.width = bytes.size()}, bytes);
  }
  DeviceError Read(DeviceAddress from, std::span<std::byte> bytes) {
    return ReadBox({.address = from}, {.width = bytes.size()}, bytes);
  }
  DeviceError Copy(DeviceAddress to, DeviceAddress from, std::uint64_t bytes) {
    return CopyBox({.address = to}, {.address = from}, {.width = bytes});
  }
  DeviceError Fill(DeviceAddress to, std::byte value, std::uint64_t bytes) {
    return FillBox({.address = to}, {.width = bytes}, value);
  }

  // Lets the next launch call `fetch` before it first uses the allocation that contains `address`.
  // A launch that does not use it does not call. `fetch` makes requests for this allocation alone;
  // any thread may call it, and other calls wait until it returns. Returns false, and never calls,
  // if the device cannot do that.
  virtual bool FetchAtUse(DeviceAddress /*address*/, const std::function<void()>& /*fetch*/) {
    return false;
  }

  // Marks a range of one allocation as never written, for devices that detect uses of unwritten
  // memory. The bytes do not change.
  virtual void MarkUnwritten(DeviceAddress /*address*/, std::uint64_t /*bytes*/) {}

  // Forbids kernels to store to ranges of the allocation at `address`, in place of those that were
  // forbidden before. The ranges hold offsets, are sorted and do not overlap. A device that does
  // not watch stores does nothing.
  virtual void ForbidStores(DeviceAddress /*address*/,
                            const std::vector<ForbiddenRange>& /*ranges*/) {}

  // Gives the allocation at `address` a name, which messages use.
  virtual void NameArray(DeviceAddress /*address*/, const ArrayName& /*name*/) {}

  // Returns, for each byte of a range of one allocation, whether kernels have stored to it since
  // the last call for this range. An empty list means that no byte was stored; the first call
  // always returns an empty list. Returns nothing if the device does not track stores.
  virtual std::optional<std::vector<bool>> TakeStored(DeviceAddress /*address*/,
                                                      std::uint64_t /*bytes*/) {
    return std::nullopt;
  }

  // Makes a texture object, or a surface object if `texture.is_surface`. The object does not own
  // its texels. Fails with kInvalidValue if the descriptor is not sound, or its texels do not lie
  // within one allocation.
  virtual DeviceResult<TextureHandle> CreateTexture(const TextureDescriptor& texture) = 0;
  // Destroys an object that CreateTexture made. Fails with kInvalidValue if there is none.
  virtual DeviceError DestroyTexture(const TextureKey& texture) = 0;

  // Loads PTX text. Fails with kInvalidPtx if it cannot be parsed or executed, and logs the reason.
  virtual DeviceResult<ModuleInfo> LoadModule(std::string_view ptx) = 0;
  virtual DeviceError UnloadModule(ModuleId module) = 0;

  // Runs a kernel to its end. A refused launch (kInvalidConfiguration, kLaunchOutOfResources, ...)
  // changes nothing. After a sticky error every later request returns that error.
  virtual DeviceError Launch(const LaunchRequest& request) = 0;

  // Records that the program called a CUDA function which warpcheck does not offer.
  virtual void NoteUnsupportedCall(std::string_view function) = 0;

  // Records a mistake in the program's use of the CUDA runtime. Its message is one sentence. A
  // finding of a kind for which IsMisuse is false is ignored.
  virtual void NoteMisuse(const Finding& finding) = 0;

  // Records as findings what kernels have left behind: memory that they allocated and nothing has
  // freed. A device that cannot know does nothing.
  virtual void NoteLeftovers() {}

  // Takes the record of the program's calls (order/host_call.h). A device that runs kernels ignores
  // it.
  virtual void NoteHostCalls(const HostCalls& /*calls*/) {}

  // Lets the device note from now on which bytes each launch uses. A device that cannot does
  // nothing.
  virtual void WatchUses() {}
  // Returns what the last launch has used (memory_use.h), and forgets it. The lists are empty if
  // the device does not watch.
  virtual LaunchUses TakeUses() { return {}; }
};

// DeviceLog receives what happens on a device that runs kernels. The caller owns it, and it must
// outlive the device.
class DeviceLog {
 public:
  virtual ~DeviceLog() = default;
  virtual void OnLaunch(const LaunchRecord& record) = 0;  // a launch that has run, or was refused
  virtual void OnFinding(const Finding& finding) = 0;     // a finding outside of launches
  virtual void OnPrint(std::string_view text) = 0;        // output of printf() in kernels
  // Called when an accepted launch starts. The record has its kernel, grid, block and shared
  // memory.
  virtual void OnLaunchBegin(const LaunchRecord& /*record*/) {}
  // Called when a module is loaded. `ptx` lives until the call returns.
  virtual void OnModule(ModuleId /*module*/, std::string_view /*ptx*/) {}
  // A line that a GPU's process writes to stderr.
  virtual void OnAssert(std::string_view /*text*/) {}
};

}  // namespace warpcheck
