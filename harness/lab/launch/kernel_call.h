// Launches one kernel with buffers and scalars on a device. The calibration set of `warpcheck
// parity` and the labs of `warpcheck lab` both describe their launches in this way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "device/device.h"
#include "device/step_runner.h"

namespace warpcheck {

// The contents of a buffer before the launch.
enum class Fill : std::uint8_t {
  kZeros,   // every byte is 0
  kOnes,    // every byte is 1
  kHashed,  // pseudo-random words, equal on every device
  kIndex,   // word i is the whole number i
  kFloats,  // word i is the float i % 7
};

struct CallBuffer {
  std::string name;
  std::uint64_t bytes = 0;
  Fill fill = Fill::kZeros;
  std::optional<HostMemory> host{};  // nullopt for memory of the device
};

// A texture over a buffer.
struct CallTexture {
  std::string name;
  std::size_t buffer = 0;          // the index of the buffer
  TextureDescriptor descriptor{};  // without the address of its texels
  bool used = true;                // false if no launch has it as an argument: it is not made
};

// A pointer into a buffer.
struct BufferPointer {
  std::size_t buffer = 0;    // the index of the buffer
  std::uint64_t offset = 0;  // in bytes
};

// A texture object.
struct TextureArgument {
  std::size_t texture = 0;  // the index of the texture
};

// A kernel takes a double as float or double, and a whole number as any of its integers.
using CallArgument = std::variant<BufferPointer, TextureArgument, std::int64_t, double>;

struct KernelCall {
  std::string kernel;  // the mangled name
  Dim3 grid;
  Dim3 block;
  std::uint64_t dynamic_shared_bytes = 0;
  std::vector<CallArgument> arguments;
};

// Keeps what the device reports.
class CallLog : public DeviceLog {
 public:
  void OnLaunch(const LaunchRecord& record) override { records.push_back(record); }
  void OnFinding(const Finding& finding) override { findings.push_back(finding); }
  void OnPrint(std::string_view) override {}

  std::vector<LaunchRecord> records;
  std::vector<Finding> findings;
};

// Returns "WHAT failed: cudaError...".
tl::unexpected<Error> CallFailed(std::string_view what, DeviceError error);

// Loads the PTX. The error has the reason that the log got.
Result<ModuleInfo> LoadKernels(Device& device, std::string_view ptx, const CallLog& log);

// Operands are what the arguments of a call stand for on a device.
struct Operands {
  std::vector<DeviceAddress> buffers;
  std::vector<TextureHandle> textures;
};

// Allocates and fills the buffers, makes the textures, and returns what they are on the device.
// `runner` allocates the buffers of the host; without it there must be none.
Result<Operands> MakeOperands(Device& device, StepRunner* runner,
                              std::span<const CallBuffer> buffers,
                              std::span<const CallTexture> textures);

// Makes the request of a launch, with each argument at the kernel's offset. Fails if the module has
// no such kernel, or if the arguments do not fit the kernel's parameters.
Result<LaunchRequest> RequestOf(const KernelCall& call, const ModuleInfo& module,
                                const Operands& operands);

}  // namespace warpcheck
