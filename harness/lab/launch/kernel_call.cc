#include "lab/launch/kernel_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/text.h"

namespace warpcheck {
namespace {

// The words of Fill::kFloats repeat after this many.
constexpr std::uint32_t kFloatsPeriod = 7;

// Returns word i of a buffer whose words differ.
std::uint32_t WordOf(Fill fill, std::uint32_t i) {
  if (fill == Fill::kIndex) return i;
  if (fill == Fill::kHashed) return i * 2654435761u >> 13;  // the factor of Knuth's hash
  const auto value = static_cast<float>(i % kFloatsPeriod);
  std::uint32_t word = 0;
  std::memcpy(&word, &value, sizeof word);
  return word;
}

// Returns how many bytes of a buffer's contents travel to the device. Where they repeat, that is
// enough for the device to copy the rest.
std::uint64_t SentBytes(const CallBuffer& buffer) {
  constexpr std::uint64_t kPeriods = 1 << 16;
  if (buffer.fill != Fill::kFloats) return buffer.bytes;
  return std::min(buffer.bytes, kPeriods * kFloatsPeriod * sizeof(float));
}

// Gives the buffer its contents.
DeviceError FillBuffer(Device& device, DeviceAddress address, const CallBuffer& buffer) {
  if (buffer.bytes == 0) return DeviceError::kSuccess;
  if (buffer.fill == Fill::kZeros) return device.Fill(address, std::byte{0}, buffer.bytes);
  if (buffer.fill == Fill::kOnes) return device.Fill(address, std::byte{1}, buffer.bytes);
  std::vector<std::byte> contents(SentBytes(buffer));
  for (std::uint32_t i = 0; (std::uint64_t{i} + 1) * sizeof i <= contents.size(); ++i) {
    const std::uint32_t word = WordOf(buffer.fill, i);
    std::memcpy(&contents[std::size_t{i} * sizeof i], &word, sizeof word);
  }
  DeviceError error = device.Write(address, contents);
  for (std::uint64_t filled = contents.size();
       error == DeviceError::kSuccess && filled < buffer.bytes;) {
    const std::uint64_t more = std::min(filled, buffer.bytes - filled);
    error = device.Copy(address + filled, address, more);
    filled += more;
  }
  return error;
}

// Returns the bits of an argument, or nothing if a parameter of `size` bytes cannot take it.
std::optional<std::uint64_t> BitsOf(const CallArgument& argument, std::uint32_t size,
                                    const Operands& operands) {
  std::uint64_t bits = 0;
  if (const auto* pointer = std::get_if<BufferPointer>(&argument)) {
    if (size != sizeof bits) return std::nullopt;
    return operands.buffers[pointer->buffer] + pointer->offset;
  }
  if (const auto* texture = std::get_if<TextureArgument>(&argument)) {
    if (size != sizeof bits) return std::nullopt;
    return operands.textures[texture->texture];
  }
  if (const auto* real = std::get_if<double>(&argument)) {
    const auto single = static_cast<float>(*real);
    if (size == sizeof single) std::memcpy(&bits, &single, sizeof single);
    if (size == sizeof *real) std::memcpy(&bits, real, sizeof *real);
    if (size != sizeof single && size != sizeof *real) return std::nullopt;
    return bits;
  }
  const std::int64_t whole = std::get<std::int64_t>(argument);
  if (size != 1 && size != 2 && size != 4 && size != 8) return std::nullopt;
  if (size < 8) {
    const std::int64_t limit = std::int64_t{1} << (8 * size);
    if (whole >= limit || whole < -(limit / 2)) return std::nullopt;
  }
  return static_cast<std::uint64_t>(whole);
}

}  // namespace

tl::unexpected<Error> CallFailed(std::string_view what, DeviceError error) {
  return Fail(fmt::format("{} failed: {}", what, CudaErrorName(error)));
}

Result<ModuleInfo> LoadKernels(Device& device, std::string_view ptx, const CallLog& log) {
  auto module = device.LoadModule(ptx);
  if (module) return *std::move(module);
  const std::string why = log.findings.empty() ? std::string(CudaErrorName(module.error()))
                                               : log.findings.back().message;
  return Fail(fmt::format("the module does not load: {}", why));
}

Result<Operands> MakeOperands(Device& device, StepRunner* runner,
                              std::span<const CallBuffer> buffers,
                              std::span<const CallTexture> textures) {
  Operands operands;
  for (const CallBuffer& buffer : buffers) {
    const auto address = buffer.host ? runner->AllocateHost(buffer.bytes, *buffer.host)
                                     : device.Allocate(buffer.bytes);
    if (!address) {
      return CallFailed(
          fmt::format("allocating the buffer {} of {}", buffer.name, Counted(buffer.bytes, "byte")),
          address.error());
    }
    const DeviceError written = FillBuffer(device, *address, buffer);
    if (written != DeviceError::kSuccess) {
      return CallFailed(fmt::format("writing the buffer {}", buffer.name), written);
    }
    operands.buffers.push_back(*address);
  }
  for (const CallTexture& texture : textures) {
    if (!texture.used) {
      operands.textures.push_back(0);
      continue;
    }
    TextureDescriptor descriptor = texture.descriptor;
    descriptor.texels = operands.buffers[texture.buffer];
    const auto handle = device.CreateTexture(descriptor);
    if (!handle) return CallFailed("making the texture " + texture.name, handle.error());
    operands.textures.push_back(*handle);
  }
  return operands;
}

Result<LaunchRequest> RequestOf(const KernelCall& call, const ModuleInfo& module,
                                const Operands& operands) {
  const auto kernel = std::ranges::find(module.kernels, call.kernel, &KernelInfo::name);
  if (kernel == module.kernels.end()) {
    return Fail(fmt::format("the module has no kernel {}", call.kernel));
  }
  if (call.arguments.size() != kernel->parameters.size()) {
    return Fail(fmt::format("{} has {} parameters, not {}", call.kernel, kernel->parameters.size(),
                            call.arguments.size()));
  }
  LaunchRequest request;
  request.module = module.id;
  request.kernel = call.kernel;
  request.grid = call.grid;
  request.block = call.block;
  request.dynamic_shared_bytes = request.allowed_shared_bytes = call.dynamic_shared_bytes;
  request.parameters.resize(kernel->parameter_bytes);
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const KernelParameter& parameter = kernel->parameters[i];
    const auto bits = BitsOf(call.arguments[i], parameter.size, operands);
    if (!bits || parameter.offset + parameter.size > request.parameters.size()) {
      return Fail(fmt::format("parameter {} of {} has {} bytes, for which argument {} does not fit",
                              i + 1, call.kernel, parameter.size, i + 1));
    }
    std::memcpy(&request.parameters[parameter.offset], &*bits, parameter.size);
  }
  return request;
}

}  // namespace warpcheck
