#include "labs/parity/plain_launches.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <vector>

namespace warpcheck::parity {
namespace {

class Log : public DeviceLog {
 public:
  void OnLaunch(const LaunchRecord& record) override { records.push_back(record); }
  void OnFinding(const Finding& finding) override { findings.push_back(finding); }
  void OnPrint(std::string_view) override {}

  std::vector<LaunchRecord> records;
  std::vector<Finding> findings;
};

std::vector<std::byte> Contents(Buffer buffer, std::uint64_t bytes) {
  std::vector<std::byte> contents(bytes, buffer == Buffer::kOnes ? std::byte{1} : std::byte{0});
  if (buffer != Buffer::kHashed) return contents;
  for (std::uint32_t i = 0; (i + 1) * sizeof i <= bytes; ++i) {
    const std::uint32_t word = i * 2654435761u >> 13;  // the factor of Knuth's multiplicative hash
    std::memcpy(&contents[i * sizeof i], &word, sizeof word);
  }
  return contents;
}

tl::unexpected<Error> Failed(const PlainLaunch& launch, std::string_view what, DeviceError error) {
  return Fail(fmt::format("launch \"{}\": {} failed: {}", launch.name, what, CudaErrorName(error)));
}

Result<DeviceAddress> Upload(Device& device, const PlainLaunch& launch, Buffer buffer,
                             std::uint64_t bytes) {
  const auto address = device.Allocate(bytes);
  if (!address) return Failed(launch, "allocating a buffer", address.error());
  const DeviceError written = device.Write(*address, Contents(buffer, bytes));
  if (written != DeviceError::kSuccess) return Failed(launch, "writing a buffer", written);
  return *address;
}

// Makes the parameter block, with each argument at the kernel's offset.
Result<std::vector<std::byte>> Parameters(Device& device, const PlainLaunch& launch,
                                          const KernelInfo& kernel, std::uint64_t buffer_bytes) {
  if (launch.arguments.size() != kernel.parameters.size()) {
    return Fail(fmt::format("launch \"{}\": {} has {} parameters, not {}", launch.name,
                            launch.kernel, kernel.parameters.size(), launch.arguments.size()));
  }
  std::vector<std::byte> block(kernel.parameter_bytes);
  std::map<Buffer, DeviceAddress> buffers;
  for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
    std::uint64_t value = 0;
    std::size_t size = sizeof(std::int32_t);
    if (const auto* pointer = std::get_if<Pointer>(&launch.arguments[i])) {
      if (!buffers.contains(pointer->buffer)) {
        const auto address = WARPCHECK_TRY(Upload(device, launch, pointer->buffer, buffer_bytes));
        buffers[pointer->buffer] = address;
      }
      value = buffers[pointer->buffer] + pointer->offset;
      size = sizeof value;
    } else {
      value = static_cast<std::uint32_t>(std::get<std::int32_t>(launch.arguments[i]));
    }
    const KernelParameter& parameter = kernel.parameters[i];
    if (parameter.size != size || parameter.offset + size > block.size()) {
      return Fail(fmt::format("launch \"{}\": parameter {} of {} has {} bytes, not {}", launch.name,
                              i + 1, launch.kernel, parameter.size, size));
    }
    std::memcpy(&block[parameter.offset], &value, size);
  }
  return block;
}

Result<> Launch(Device& device, const PlainLaunch& launch, std::string_view ptx,
                std::uint64_t buffer_bytes, const Log& log) {
  const auto module = device.LoadModule(ptx);
  if (!module) {
    const std::string why = log.findings.empty() ? std::string(CudaErrorName(module.error()))
                                                 : log.findings.back().message;
    return Fail(fmt::format("the calibration module does not load: {}", why));
  }
  const auto kernel = std::find_if(module->kernels.begin(), module->kernels.end(),
                                   [&](const auto& info) { return info.name == launch.kernel; });
  if (kernel == module->kernels.end()) {
    return Fail(
        fmt::format("launch \"{}\": the module has no kernel {}", launch.name, launch.kernel));
  }
  auto parameters = WARPCHECK_TRY(Parameters(device, launch, *kernel, buffer_bytes));
  LaunchRequest request;
  request.module = module->id;
  request.kernel = launch.kernel;
  request.grid = launch.grid;
  request.block = launch.block;
  request.dynamic_shared_bytes = request.allowed_shared_bytes = launch.dynamic_shared_bytes;
  request.parameters = std::move(parameters);
  const DeviceError error = device.Launch(request);
  if (log.records.empty()) return Failed(launch, "launching", error);
  return {};
}

}  // namespace

Result<MeasuredLaunch> Measure(const PlainLaunch& launch, std::string_view ptx,
                               std::uint64_t buffer_bytes, const UseDevice& use_device) {
  Log log;
  const auto made = use_device(
      log, [&](Device& device) { return Launch(device, launch, ptx, buffer_bytes, log); });
  if (!made) return Fail(made.error());
  return FromRecord("launches", launch.name, 0, log.records.front());
}

}  // namespace warpcheck::parity
