#include "emulator/checkers/races/report/values_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "emulator/core/warp.h"
#include "emulator/record/array_text.h"

namespace warpcheck::emulator {
namespace {

template <class T>
std::string Shown(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  if (value != value) return "nan";
  return fmt::format("{}", value);
}

// Shows values of 32 and 64 bits as signed, because PTX often gives a signed integer an unsigned
// type.
std::string Text(ptx::Type type, const std::byte* at) {
  switch (type) {
    case ptx::Type::kF32:
      return Shown<float>(at);
    case ptx::Type::kF64:
      return Shown<double>(at);
    case ptx::Type::kU8:
      return fmt::format("{}", std::to_integer<unsigned>(*at));
    case ptx::Type::kU16:
      return Shown<std::uint16_t>(at);
    case ptx::Type::kS16:
      return Shown<std::int16_t>(at);
    case ptx::Type::kU32:
    case ptx::Type::kS32:
      return Shown<std::int32_t>(at);
    case ptx::Type::kU64:
    case ptx::Type::kS64:
      return Shown<std::int64_t>(at);
    default:
      return {};
  }
}

bool IsPlain(const MemoryInfo& info) {
  return info.elements == 1 &&
         (info.kind == MemoryInfo::Kind::kLoad || info.kind == MemoryInfo::Kind::kStore);
}

// Returns true if the two instructions access the same array, by what the code tells.
bool SameArray(Launch& launch, const Program& program, const MemoryInfo& a, const MemoryInfo& b) {
  if (a.shared != SharedRange{} || b.shared != SharedRange{}) return a.shared == b.shared;
  const Allocation* const array = MeantArray(launch, program, a.instruction);
  return array != nullptr && array == MeantArray(launch, program, b.instruction);
}

// Returns the type of the elements that an access touches: that of a load or store of the same
// array which has a type of floating point, or else its own.
ptx::Type ElementType(Launch& launch, const Program& program, const MemoryInfo& access) {
  const auto type_of = [&](const MemoryInfo& one) {
    return program.function->body[one.instruction].modifiers.type;
  };
  const auto is_float = [](ptx::Type type) {
    return IsOneOf(type, ptx::Type::kF32, ptx::Type::kF64);
  };
  if (is_float(type_of(access))) return type_of(access);
  for (const MemoryInfo& other : program.memory) {
    const bool alike = IsPlain(other) && other.bytes == access.bytes && is_float(type_of(other));
    if (alike && SameArray(launch, program, access, other)) return type_of(other);
  }
  return type_of(access);
}

}  // namespace

std::string ValuesText(Launch& launch, const Race& race,
                       const InstructionNumbers::Instruction& earlier) {
  const MemoryInfo* const before = earlier.info;
  if (race.event == nullptr || before == nullptr) return {};
  const AccessEvent& event = *race.event;
  const MemoryInfo& info = event.info;
  // Accesses are aligned to their size, so two accesses of equal size that overlap touch the same
  // element.
  if (!IsPlain(info) || !IsPlain(*before) || info.bytes != before->bytes) return {};
  if (event.host == nullptr) return {};
  const Program& program = *event.warp.running.program;
  ptx::Type type = ElementType(launch, program, info);
  if (type == program.function->body[info.instruction].modifiers.type) {
    type = ElementType(launch, *earlier.program, *before);
  }
  const auto in_register = [&](std::uint32_t lane) {
    return event.warp.running.frame + info.values[0] + std::size_t{lane} * info.register_bytes;
  };
  const std::byte* const there = race.at_once
                                     ? in_register(race.before.thread.lane())
                                     : event.host + (event.addresses[race.lane] - event.begin);
  const std::string old = Text(type, there);
  if (old.empty()) return {};
  if (!race.now.writes) return fmt::format("; here it is read after the write, as {}", old);
  const std::string now = Text(type, in_register(race.lane));
  if (race.before.writes) return fmt::format("; here {} is written, and then {}", old, now);
  const bool poison = std::all_of(there, there + info.bytes,
                                  [](std::byte byte) { return byte == std::byte{0xFF}; });
  return poison ? fmt::format("; here it is read before {} is written", now)
                : fmt::format("; here it is read as {}, before {} is written", old, now);
}

}  // namespace warpcheck::emulator
