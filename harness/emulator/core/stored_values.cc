#include "emulator/core/stored_values.h"

#include <cstring>

#include "emulator/core/warp.h"

namespace warpcheck::emulator {
namespace {

// Calls compare(first lane's register, index) for each element of the store. Returns false if a
// call returns false, or if there are no elements.
template <class Compare>
bool AllElements(const AccessEvent& event, Compare compare) {
  const MemoryInfo& info = event.info;
  if (info.kind != MemoryInfo::Kind::kStore || info.elements == 0) return false;
  for (std::uint32_t e = 0; e < info.elements; ++e) {
    if (!compare(event.warp.running.frame + info.values[e], e)) return false;
  }
  return true;
}

// Returns the operand in the register of `lane`, as unsigned bits.
std::uint64_t OperandOf(const AccessEvent& event, Slot slot, std::uint32_t lane) {
  const std::uint32_t bytes = event.info.bytes;
  std::uint64_t value = 0;
  if (bytes > sizeof value) return 0;
  std::memcpy(&value, event.warp.running.frame + slot + std::size_t{lane} * bytes, bytes);
  return value;
}

}  // namespace

bool StoreSame(const AccessEvent& event, std::uint32_t lane, std::uint32_t other) {
  const std::size_t width = event.info.register_bytes;
  return AllElements(event, [&](const std::byte* values, std::uint32_t) {
    const std::size_t bytes = event.info.bytes / event.info.elements;
    return std::memcmp(values + lane * width, values + other * width, bytes) == 0;
  });
}

bool StoresWhatIsThere(const AccessEvent& event, std::uint32_t lane, const std::byte* there) {
  const std::size_t width = event.info.register_bytes;
  return AllElements(event, [&](const std::byte* values, std::uint32_t e) {
    const std::size_t bytes = event.info.bytes / event.info.elements;
    return std::memcmp(values + lane * width, there + e * bytes, bytes) == 0;
  });
}

bool LeavesMemory(const AccessEvent& event, std::uint32_t lane) {
  const ptx::Modifiers& modifiers =
      event.warp.running.program->function->body[event.info.instruction].modifiers;
  const std::uint32_t bits = event.info.bytes * 8;
  if (bits > 64) return false;
  const std::uint64_t b = OperandOf(event, event.step.b, lane);
  const std::uint64_t ones = ~std::uint64_t{0} >> (64 - bits);
  const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
  const bool is_signed = ptx::IsSigned(modifiers.type);
  switch (modifiers.atomic) {
    case ptx::Atomic::kAdd:  // -0 is the zero of a float that changes nothing, and +0 nearly so
      return b == 0 || (ptx::IsFloat(modifiers.type) && b == sign);
    case ptx::Atomic::kOr:
    case ptx::Atomic::kXor:
      return b == 0;
    case ptx::Atomic::kAnd:
      return b == ones;
    case ptx::Atomic::kMin:
      return b == (is_signed ? ones & ~sign : ones);
    case ptx::Atomic::kMax:
      return b == (is_signed ? sign : 0);
    case ptx::Atomic::kCas:
      return b == OperandOf(event, event.step.c, lane);
    default:
      return false;
  }
}

}  // namespace warpcheck::emulator
