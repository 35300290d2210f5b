#include "proof/parity/plain_launches.h"

#include <fmt/format.h>

#include <map>
#include <vector>

#include "lab/launch/kernel_call.h"

namespace warpcheck::parity {
namespace {

Fill FillOf(Buffer buffer) {
  if (buffer == Buffer::kHashed) return Fill::kHashed;
  return buffer == Buffer::kOnes ? Fill::kOnes : Fill::kZeros;
}

// A launch and the buffers that its pointers point to.
struct Prepared {
  KernelCall call;
  std::vector<CallBuffer> buffers;
};

Prepared Prepare(const PlainLaunch& launch, std::uint64_t buffer_bytes) {
  Prepared prepared;
  KernelCall& call = prepared.call;
  call.kernel = launch.kernel;
  call.grid = launch.grid;
  call.block = launch.block;
  call.dynamic_shared_bytes = launch.dynamic_shared_bytes;
  std::map<Buffer, std::size_t> indices;
  for (const auto& argument : launch.arguments) {
    const auto* pointer = std::get_if<Pointer>(&argument);
    if (pointer == nullptr) {
      call.arguments.emplace_back(std::int64_t{std::get<std::int32_t>(argument)});
      continue;
    }
    const auto [index, added] = indices.try_emplace(pointer->buffer, prepared.buffers.size());
    if (added) {
      prepared.buffers.push_back(
          {.name = "of a pointer", .bytes = buffer_bytes, .fill = FillOf(pointer->buffer)});
    }
    call.arguments.emplace_back(BufferPointer{index->second, pointer->offset});
  }
  return prepared;
}

Result<> Launch(Device& device, const Prepared& prepared, std::string_view ptx,
                const CallLog& log) {
  const auto module = WARPCHECK_TRY(LoadKernels(device, ptx, log));
  const auto operands = WARPCHECK_TRY(MakeOperands(device, nullptr, prepared.buffers, {}));
  const auto request = WARPCHECK_TRY(RequestOf(prepared.call, module, operands));
  const DeviceError error = device.Launch(request);
  if (log.records.empty()) return CallFailed("launching", error);
  return {};
}

}  // namespace

Result<MeasuredLaunch> Measure(const PlainLaunch& launch, std::string_view ptx,
                               std::uint64_t buffer_bytes, const UseDevice& use_device) {
  CallLog log;
  const Prepared prepared = Prepare(launch, buffer_bytes);
  const auto made =
      use_device(log, [&](Device& device) { return Launch(device, prepared, ptx, log); });
  if (!made) {
    Error error = made.error();
    error.message = fmt::format("launch \"{}\": {}", launch.name, error.message);
    return Fail(std::move(error));
  }
  return FromRecord("launches", launch.name, 0, log.records.front());
}

}  // namespace warpcheck::parity
