#include "cudart/fake_device.h"

#include <algorithm>
#include <cstring>
#include <regex>
#include <utility>

namespace warpcheck::cudart {
namespace {

std::uint32_t Number(const std::string& text) {
  return static_cast<std::uint32_t>(std::stoul(text));
}

std::uint32_t BytesOf(const std::string& type) { return Number(type.substr(1)) / 8; }

// Reads parameters like ".param .align 8 .b8 name[24]" or ".param .u32 name", one after the other.
KernelInfo ReadKernel(const std::string& name, const std::string& parameters) {
  static const std::regex pattern(
      R"(\.param\s+(?:\.align\s+(\d+)\s+)?\.(\w+)\s+(?:\.ptr\s+\.align\s+\d+\s+)?\w+(?:\[(\d+)\])?)");
  KernelInfo kernel;
  kernel.name = name;
  kernel.max_threads_per_block = 1024;
  kernel.registers = 32;
  std::uint32_t end = 0;
  for (std::sregex_iterator it(parameters.begin(), parameters.end(), pattern), last; it != last;
       ++it) {
    const std::uint32_t element = BytesOf((*it)[2]);
    const std::uint32_t align = (*it)[1].matched ? Number((*it)[1]) : element;
    const std::uint32_t size = (*it)[3].matched ? element * Number((*it)[3]) : element;
    end = (end + align - 1) / align * align;
    kernel.parameters.push_back({.offset = end, .size = size});
    end += size;
  }
  kernel.parameter_bytes = end;
  return kernel;
}

}  // namespace

FakeDevice::FakeDevice() {
  properties.name = "fake";
  properties.compute_major = 9;
  properties.global_bytes = 1000;
  properties.warp_size = 32;
  properties.max_threads_per_block = 1024;
  properties.max_block = {1024, 1024, 64};
  properties.max_grid = {0x7FFFFFFF, 65535, 65535};
  properties.multiprocessors = 132;
  properties.max_threads_per_multiprocessor = 2048;
  properties.max_blocks_per_multiprocessor = 32;
  properties.registers_per_block = properties.registers_per_multiprocessor = 65536;
  properties.max_registers_per_thread = 255;
  properties.register_allocation_unit = 256;
  properties.shared_bytes_per_block = 48 << 10;
  properties.shared_bytes_per_block_optin = 227 << 10;
  properties.shared_bytes_per_multiprocessor = 228 << 10;
  properties.shared_bytes_reserved_per_block = 1 << 10;
  properties.shared_allocation_unit = 128;
  properties.constant_bytes = 64 << 10;
  properties.l2_bytes = 50 << 20;
  properties.memory_bus_bits = 5120;
  properties.clock_khz = 1'980'000;
  properties.memory_clock_khz = 2'619'000;
}

std::byte* FakeDevice::At(DeviceAddress address, std::uint64_t bytes) {
  const auto after = memory_.upper_bound(address);
  if (after == memory_.begin()) return nullptr;
  auto& [start, contents] = *std::prev(after);
  const std::uint64_t offset = address - start;
  if (offset > contents.size() || bytes > contents.size() - offset) return nullptr;
  if (const auto fetch = fetches_.extract(start)) fetch.mapped()();
  return contents.data() + offset;
}

void FakeDevice::FetchAll() {
  for (const auto& [begin, fetch] : std::exchange(fetches_, {})) fetch();
}

bool FakeDevice::FetchAtUse(DeviceAddress address, const std::function<void()>& fetch) {
  if (!fetches || At(address, 1) == nullptr) return false;
  fetches_[std::prev(memory_.upper_bound(address))->first] = fetch;
  return true;
}

bool FakeDevice::Overlaps(DeviceAddress address, std::uint64_t bytes) const {
  return std::ranges::any_of(memory_, [&](const auto& allocation) {
    const auto& [start, contents] = allocation;
    return address < start + contents.size() && start < address + bytes;
  });
}

std::uint64_t FakeDevice::Allocated() const {
  std::uint64_t bytes = 0;
  for (const auto& [address, contents] : memory_) bytes += contents.size();
  return bytes;
}

DeviceResult<DeviceAddress> FakeDevice::Allocate(std::uint64_t bytes, DeviceAddress at) {
  if (sticky_ != DeviceError::kSuccess) return tl::unexpected(sticky_);
  if (bytes > free_bytes) return tl::unexpected(DeviceError::kMemoryAllocation);
  if (at != 0 && !honours_at) return tl::unexpected(DeviceError::kNotSupported);
  if (at != 0 && (at % 16 != 0 || Overlaps(at, bytes)))
    return tl::unexpected(DeviceError::kInvalidValue);
  const DeviceAddress address = at != 0 ? at : next_address;
  if (at == 0) next_address += (bytes + 1023) / 512 * 512;
  memory_[address].resize(bytes);
  return address;
}

DeviceError FakeDevice::Free(DeviceAddress address) {
  if (address == 0) return DeviceError::kSuccess;
  return memory_.erase(address) != 0 ? DeviceError::kSuccess : DeviceError::kInvalidValue;
}

std::byte* FakeDevice::At(const DeviceBox& box, const Extent3& extent) {
  const auto span = SpanOf(box.strides, extent);
  return span ? At(box.address, *span) : nullptr;
}

DeviceError FakeDevice::Reset() {
  modules_unloaded += module.id != 0 ? 1 : 0;
  memory_.clear();
  module = {};
  return sticky_;
}

DeviceError FakeDevice::WriteBox(const DeviceBox& to, const Extent3& extent,
                                 std::span<const std::byte> bytes) {
  ++writes;
  std::byte* const at = At(to, extent);
  if (sticky_ != DeviceError::kSuccess) return sticky_;
  if (at == nullptr) return DeviceError::kInvalidValue;
  MoveBox(at, to.strides, bytes.data(), Packed(extent), extent);
  return DeviceError::kSuccess;
}

DeviceError FakeDevice::ReadBox(const DeviceBox& from, const Extent3& extent,
                                std::span<std::byte> bytes) {
  ++reads;
  const std::byte* const at = At(from, extent);
  if (sticky_ != DeviceError::kSuccess) return sticky_;
  if (at == nullptr) return DeviceError::kInvalidValue;
  MoveBox(bytes.data(), Packed(extent), at, from.strides, extent);
  return DeviceError::kSuccess;
}

DeviceError FakeDevice::CopyBox(const DeviceBox& to, const DeviceBox& from, const Extent3& extent) {
  std::vector<std::byte> contents(extent.Bytes());
  const DeviceError error = ReadBox(from, extent, contents);
  return error == DeviceError::kSuccess ? WriteBox(to, extent, contents) : error;
}

DeviceError FakeDevice::FillBox(const DeviceBox& to, const Extent3& extent, std::byte value) {
  return WriteBox(to, extent, std::vector<std::byte>(extent.Bytes(), value));
}

DeviceResult<TextureHandle> FakeDevice::CreateTexture(const TextureDescriptor& texture) {
  const auto address = Allocate(sizeof texture, 0);
  if (address) std::memcpy(At(*address, sizeof texture), &texture, sizeof texture);
  return address;
}

DeviceError FakeDevice::DestroyTexture(const TextureKey& texture) {
  const std::byte* bytes = At(texture.handle, sizeof(TextureDescriptor));
  TextureDescriptor made;
  if (bytes != nullptr) std::memcpy(&made, bytes, sizeof made);
  if (bytes == nullptr || (made.is_surface != 0) != texture.is_surface)
    return DeviceError::kInvalidValue;
  return Free(texture.handle);
}

DeviceResult<ModuleInfo> FakeDevice::LoadModule(std::string_view ptx) {
  static const std::regex entry(R"(\.visible \.entry (\w+)\(([^)]*)\))");
  static const std::regex variable(
      R"(\n(?:\.visible )?\.(?:global|const) (?:\.attribute\(\.managed\) )?\.align \d+ \.(\w+) (\w+)(?:\[(\d+)\])?)");
  const std::string text(ptx);
  module = {.id = static_cast<ModuleId>(++modules_loaded), .kernels = {}, .variables = {}};
  for (std::sregex_iterator it(text.begin(), text.end(), entry), last; it != last; ++it) {
    module.kernels.push_back(ReadKernel((*it)[1], (*it)[2]));
  }
  for (std::sregex_iterator it(text.begin(), text.end(), variable), last; it != last; ++it) {
    const std::uint64_t count = (*it)[3].matched ? std::stoul((*it)[3]) : 1;
    const std::uint64_t bytes = count * BytesOf((*it)[1]);
    module.variables.push_back({.name = (*it)[2], .address = *Allocate(bytes, 0), .bytes = bytes});
  }
  return module;
}

DeviceError FakeDevice::UnloadModule(ModuleId id) {
  ++modules_unloaded;
  if (id == module.id) {
    for (const VariableInfo& variable : module.variables) memory_.erase(variable.address);
  }
  return DeviceError::kSuccess;
}

DeviceError FakeDevice::Launch(const LaunchRequest& request) {
  if (sticky_ != DeviceError::kSuccess) return sticky_;
  const std::uint64_t threads = request.block.Count();
  if (request.grid.Count() == 0 || threads == 0 || threads > properties.max_threads_per_block) {
    return DeviceError::kInvalidConfiguration;
  }
  if (request.dynamic_shared_bytes >
      std::max<std::uint64_t>(properties.shared_bytes_per_block, request.allowed_shared_bytes)) {
    return DeviceError::kInvalidValue;
  }
  launches.push_back(request);
  const DeviceError error = on_launch ? on_launch(request) : DeviceError::kSuccess;
  fetches_.clear();
  if (IsSticky(error)) sticky_ = error;
  return error;
}

void FakeDevice::NoteMisuse(const Finding& finding) {
  misuses.push_back(std::string(Name(finding.kind)) + ": " + finding.message);
}

void FakeDevice::NoteUnsupportedCall(std::string_view function) {
  unsupported.emplace_back(function);
}

}  // namespace warpcheck::cudart
