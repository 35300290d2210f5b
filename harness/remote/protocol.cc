#include "remote/protocol.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace warpcheck::remote {

std::array<std::byte, FrameHeader::kBytes> FrameHeader::Encoded() const {
  std::array<std::byte, kBytes> bytes{};
  std::memcpy(bytes.data(), &length, sizeof length);
  std::memcpy(bytes.data() + 4, &kind, sizeof kind);
  std::memcpy(bytes.data() + 8, &sequence, sizeof sequence);
  return bytes;
}

std::optional<FrameHeader> FrameHeader::Decoded(std::span<const std::byte, kBytes> bytes) {
  FrameHeader header;
  std::uint16_t padding = 0;
  std::memcpy(&header.length, bytes.data(), sizeof header.length);
  std::memcpy(&header.kind, bytes.data() + 4, sizeof header.kind);
  std::memcpy(&padding, bytes.data() + 6, sizeof padding);
  std::memcpy(&header.sequence, bytes.data() + 8, sizeof header.sequence);
  if (padding != 0) return std::nullopt;
  return header;
}

void Encoder::Raw(const void* data, std::size_t bytes) {
  const auto* first = static_cast<const std::byte*>(data);
  payload_.insert(payload_.end(), first, first + bytes);
}

std::span<std::byte> Encoder::Extend(std::size_t bytes) {
  payload_.resize(payload_.size() + bytes);
  return std::span(payload_).last(bytes);
}

void Encoder::Bytes(std::span<const std::byte> bytes) {
  U32(static_cast<std::uint32_t>(bytes.size()));
  if (!bytes.empty()) Raw(bytes.data(), bytes.size());
}

void Encoder::Text(std::string_view text) { Bytes(std::as_bytes(std::span(text))); }

std::span<const std::byte> Decoder::Take(std::size_t bytes) {
  if (!ok_ || bytes > rest_.size()) {
    ok_ = false;
    return {};
  }
  const auto taken = rest_.first(bytes);
  rest_ = rest_.subspan(bytes);
  return taken;
}

void Decoder::Take(void* to, std::size_t bytes) {
  const auto taken = Take(bytes);
  if (!taken.empty()) std::memcpy(to, taken.data(), bytes);
}

bool Decoder::Bool() {
  const std::uint8_t value = U8();
  if (value > 1) ok_ = false;
  return value == 1;
}

std::span<const std::byte> Decoder::Bytes(std::size_t max_bytes) {
  const std::uint32_t bytes = U32();
  if (bytes > max_bytes) ok_ = false;
  return Take(bytes);
}

std::string_view Decoder::Text(std::size_t max_bytes) {
  const auto bytes = Bytes(max_bytes);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::span<const std::byte> Decoder::Rest() { return Take(rest_.size()); }

std::uint32_t Decoder::Count(std::size_t element_bytes) {
  const std::uint32_t count = U32();
  if (count > rest_.size() / element_bytes) ok_ = false;
  return ok_ ? count : 0;
}

namespace {

void Encode(Encoder& to, const Dim3& size) {
  to.U32(size.x);
  to.U32(size.y);
  to.U32(size.z);
}

Dim3 DecodeDim3(Decoder& from) {
  Dim3 size;
  size.x = from.U32();
  size.y = from.U32();
  size.z = from.U32();
  return size;
}

constexpr auto kPropertyNumbers = {
    &DeviceProperties::warp_size,
    &DeviceProperties::max_threads_per_block,
    &DeviceProperties::multiprocessors,
    &DeviceProperties::max_threads_per_multiprocessor,
    &DeviceProperties::max_blocks_per_multiprocessor,
    &DeviceProperties::registers_per_block,
    &DeviceProperties::registers_per_multiprocessor,
    &DeviceProperties::max_registers_per_thread,
    &DeviceProperties::register_allocation_unit,
    &DeviceProperties::shared_bytes_per_block,
    &DeviceProperties::shared_bytes_per_block_optin,
    &DeviceProperties::shared_bytes_per_multiprocessor,
    &DeviceProperties::shared_bytes_reserved_per_block,
    &DeviceProperties::shared_allocation_unit,
    &DeviceProperties::constant_bytes,
    &DeviceProperties::l2_bytes,
    &DeviceProperties::memory_bus_bits,
    &DeviceProperties::clock_khz,
    &DeviceProperties::memory_clock_khz,
    &DeviceProperties::texture_objects,
};

constexpr auto kKernelNumbers = {
    &KernelInfo::parameter_bytes, &KernelInfo::static_shared_bytes,
    &KernelInfo::local_bytes,     &KernelInfo::constant_bytes,
    &KernelInfo::registers,       &KernelInfo::max_threads_per_block,
};

void Encode(Encoder& to, const KernelInfo& kernel) {
  to.Text(kernel.name);
  to.U32(static_cast<std::uint32_t>(kernel.parameters.size()));
  for (const KernelParameter& parameter : kernel.parameters) {
    to.U32(parameter.offset);
    to.U32(parameter.size);
  }
  for (const auto number : kKernelNumbers) to.U32(kernel.*number);
}

KernelInfo DecodeKernel(Decoder& from) {
  KernelInfo kernel;
  kernel.name = from.Text(kMaxPayloadBytes);
  kernel.parameters.resize(from.Count(8));
  for (KernelParameter& parameter : kernel.parameters) {
    parameter.offset = from.U32();
    parameter.size = from.U32();
  }
  for (const auto number : kKernelNumbers) kernel.*number = from.U32();
  return kernel;
}

void Encode(Encoder& to, const Argument& argument) {
  to.U8(static_cast<std::uint8_t>(argument.index()));
  std::visit(
      [&]<class T>(const T& value) {
        if constexpr (std::is_same_v<T, DevicePointer>) {
          to.U64(value.address);
          to.U64(value.bytes);
        } else if constexpr (std::is_same_v<T, HostArray>) {
          to.Bytes(value.bytes);
        } else if constexpr (std::is_same_v<T, float>) {
          to.F32(value);
        } else if constexpr (std::is_same_v<T, double>) {
          to.F64(value);
        } else if constexpr (sizeof(T) == 1) {
          to.U8(static_cast<std::uint8_t>(value));
        } else if constexpr (sizeof(T) == 4) {
          to.U32(static_cast<std::uint32_t>(value));
        } else {
          to.U64(static_cast<std::uint64_t>(value));
        }
      },
      argument);
}

template <class T>
T DecodeAs(Decoder& from) {
  if constexpr (std::is_same_v<T, DevicePointer>) {
    DevicePointer pointer;
    pointer.address = from.U64();
    pointer.bytes = from.U64();
    return pointer;
  } else if constexpr (std::is_same_v<T, HostArray>) {
    const auto bytes = from.Bytes(kMaxPayloadBytes);
    return HostArray{{bytes.begin(), bytes.end()}};
  } else if constexpr (std::is_same_v<T, bool>) {
    return from.Bool();
  } else if constexpr (std::is_same_v<T, float>) {
    return from.F32();
  } else if constexpr (std::is_same_v<T, double>) {
    return from.F64();
  } else if constexpr (sizeof(T) == 1) {
    return static_cast<T>(from.U8());
  } else if constexpr (sizeof(T) == 4) {
    return static_cast<T>(from.U32());
  } else {
    return static_cast<T>(from.U64());
  }
}

// The alternative of Argument whose index is on the wire.
template <std::size_t kIndex = 0>
Argument DecodeArgument(Decoder& from, std::size_t index) {
  if constexpr (kIndex == std::variant_size_v<Argument>) {
    from.Refuse();
    return {};
  } else {
    if (index != kIndex) return DecodeArgument<kIndex + 1>(from, index);
    return DecodeAs<std::variant_alternative_t<kIndex, Argument>>(from);
  }
}

bool HostCanReport(CallEnd end) {
  return end == CallEnd::kReturned || end == CallEnd::kNoSuchFunction ||
         end == CallEnd::kException || end == CallEnd::kLoadFailed;
}

char Printable(char c) {
  const auto code = static_cast<unsigned char>(c);
  return (code < 0x20 && c != '\n' && c != '\t') || code == 0x7f ? '?' : c;
}

}  // namespace

void Encode(Encoder& to, const DeviceProperties& properties) {
  to.Text(properties.name);
  to.I32(properties.compute_major);
  to.I32(properties.compute_minor);
  to.U64(properties.global_bytes);
  Encode(to, properties.max_block);
  Encode(to, properties.max_grid);
  for (const auto number : kPropertyNumbers) to.U32(properties.*number);
}

DeviceProperties DecodeProperties(Decoder& from) {
  DeviceProperties properties;
  properties.name = from.Text(kMaxNameBytes);
  properties.compute_major = from.I32();
  properties.compute_minor = from.I32();
  properties.global_bytes = from.U64();
  properties.max_block = DecodeDim3(from);
  properties.max_grid = DecodeDim3(from);
  for (const auto number : kPropertyNumbers) properties.*number = from.U32();
  return properties;
}

void Encode(Encoder& to, const ModuleInfo& module) {
  to.U32(module.id);
  to.U32(static_cast<std::uint32_t>(module.kernels.size()));
  for (const KernelInfo& kernel : module.kernels) Encode(to, kernel);
  to.U32(static_cast<std::uint32_t>(module.variables.size()));
  for (const VariableInfo& variable : module.variables) {
    to.Text(variable.name);
    to.U64(variable.address);
    to.U64(variable.bytes);
  }
}

ModuleInfo DecodeModule(Decoder& from) {
  ModuleInfo module;
  module.id = from.U32();
  module.kernels.resize(from.Count(32));
  for (KernelInfo& kernel : module.kernels) kernel = DecodeKernel(from);
  module.variables.resize(from.Count(20));
  for (VariableInfo& variable : module.variables) {
    variable.name = from.Text(kMaxPayloadBytes);
    variable.address = from.U64();
    variable.bytes = from.U64();
  }
  return module;
}

void Encode(Encoder& to, const LaunchRequest& request) {
  to.U32(request.module);
  to.Text(request.kernel);
  Encode(to, request.grid);
  Encode(to, request.block);
  to.U64(request.dynamic_shared_bytes);
  to.U64(request.allowed_shared_bytes);
  to.U8(request.cooperative ? 1 : 0);
  to.Bytes(request.parameters);
}

LaunchRequest DecodeLaunch(Decoder& from) {
  LaunchRequest request;
  request.module = from.U32();
  request.kernel = from.Text(kMaxNameBytes);
  request.grid = DecodeDim3(from);
  request.block = DecodeDim3(from);
  request.dynamic_shared_bytes = from.U64();
  request.allowed_shared_bytes = from.U64();
  request.cooperative = from.Bool();
  const auto parameters = from.Bytes(kMaxParameterBytes);
  request.parameters.assign(parameters.begin(), parameters.end());
  return request;
}

void Encode(Encoder& to, const DeviceBox& box) {
  to.U64(box.address);
  to.U64(box.strides.pitch);
  to.U64(box.strides.slice);
}

DeviceBox DecodeBox(Decoder& from) {
  DeviceBox box;
  box.address = from.U64();
  box.strides.pitch = from.U64();
  box.strides.slice = from.U64();
  return box;
}

void Encode(Encoder& to, const Extent3& extent) {
  to.U64(extent.width);
  to.U64(extent.height);
  to.U64(extent.depth);
}

Extent3 DecodeExtent(Decoder& from) {
  Extent3 extent;
  extent.width = from.U64();
  extent.height = from.U64();
  extent.depth = from.U64();
  return extent;
}

void Encode(Encoder& to, const Call& call) {
  to.Text(call.function);
  to.U32(static_cast<std::uint32_t>(call.arguments.size()));
  for (const Argument& argument : call.arguments) Encode(to, argument);
}

Call DecodeCall(Decoder& from) {
  Call call;
  call.function = from.Text(kMaxNameBytes);
  const std::uint32_t count = from.Count(2);
  if (count > kMaxArguments) from.Refuse();
  for (std::uint32_t i = 0; i < count && from.ok(); ++i) {
    const std::uint8_t index = from.U8();
    call.arguments.push_back(DecodeArgument(from, index));
  }
  return call;
}

void Encode(Encoder& to, const CallOutcome& outcome) {
  to.U8(static_cast<std::uint8_t>(outcome.end));
  to.I32(outcome.last_error);
  to.Text(std::string_view(outcome.text).substr(0, kMaxTextBytes));
}

CallOutcome DecodeOutcome(Decoder& from) {
  CallOutcome outcome;
  outcome.end = static_cast<CallEnd>(from.U8());
  outcome.last_error = from.I32();
  outcome.text = from.Text(kMaxTextBytes);
  if (!HostCanReport(outcome.end) || outcome.last_error < 0) from.Refuse();
  std::ranges::transform(outcome.text, outcome.text.begin(), Printable);
  return outcome;
}

}  // namespace warpcheck::remote
