#include "emulator/record/array_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "base/text.h"
#include "emulator/decode/preparation.h"
#include "ptx/analysis/address_origins.h"

namespace warpcheck::emulator {
namespace {

constexpr std::size_t kMostInstructions =
    20'000;  // kernels up to this length are searched for the origins of addresses

std::string Ordinal(std::size_t number) {
  const std::size_t last = number % 100 / 10 == 1 ? 0 : number % 10;
  return fmt::format("{}{}", number, last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th");
}

std::optional<DeviceAddress> PointerIn(const Launch& launch, std::uint64_t offset) {
  const std::vector<std::byte>& block = launch.request->parameters;
  DeviceAddress address = 0;
  if (offset > block.size() || block.size() - offset < sizeof address) return std::nullopt;
  std::memcpy(&address, block.data() + offset, sizeof address);
  return address;
}

// Returns the number, from 1, of the kernel's first parameter that points into the array, or that
// has a member which does. Returns 0 if there is no such parameter.
std::size_t ParameterOf(const Launch& launch, const Allocation& array) {
  const auto& parameters = launch.kernel->function->parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const ptx::Symbol& symbol = launch.kernel->module->symbols[parameters[i]];
    for (std::uint64_t at = 0; at + sizeof(DeviceAddress) <= symbol.bytes; at += 8) {
      const auto address = PointerIn(launch, symbol.param_offset + at);
      if (address && *address >= array.begin && *address < array.end()) return i + 1;
    }
  }
  return 0;
}

// Returns a name such as "in" or "the 400-byte array of the kernel's 2nd parameter".
std::string TitleOf(const Launch& launch, const Allocation& array) {
  if (!array.name.empty()) return array.name;
  const std::size_t parameter = ParameterOf(launch, array);
  const std::string size = Grouped(array.bytes);
  return parameter == 0 ? "an array of " + Counted(array.bytes, "byte")
                        : fmt::format("the {}-byte array of the kernel's {} parameter", size,
                                      Ordinal(parameter));
}

std::uint32_t ElementBytes(const Allocation& array, std::uint32_t access) {
  return array.element_bytes != 0 ? array.element_bytes : access;
}

// Returns the position of an element, such as " (row 2, column 3)"; empty for an array of one
// dimension.
std::string PositionText(const Allocation& array, std::uint64_t element) {
  constexpr std::array<std::string_view, 3> kNames = {"plane", "row", "column"};
  const std::size_t dimensions = array.extents.size();
  if (dimensions < 2 || dimensions > kNames.size()) return {};
  std::string text;
  for (std::size_t i = dimensions; i-- > 0;) {
    const std::uint64_t extent = std::max<std::uint64_t>(array.extents[i], 1);
    const std::uint64_t at = i == 0 ? element : element % extent;
    text = fmt::format("{} {}{}{}", kNames[kNames.size() - dimensions + i], at,
                       text.empty() ? "" : ", ", text);
    element /= extent;
  }
  return " (" + text + ")";
}

// Returns a name such as "in[7]", "in[4..7]", "in[-3]" or "element 7".
std::string IndexText(const Allocation& array, std::int64_t first, std::uint64_t count) {
  if (array.name.empty()) {
    const auto size = static_cast<std::uint64_t>(first < 0 ? -first : first);
    return fmt::format("element {}{}", first < 0 ? "-" : "", Grouped(size));
  }
  if (count <= 1) return fmt::format("{}[{}]", array.name, first);
  return fmt::format("{}[{}..{}]", array.name, first, first + static_cast<std::int64_t>(count) - 1);
}

std::string SharedText(const Launch& launch, std::uint64_t offset, std::uint32_t bytes) {
  const SharedVariable* found = nullptr;
  for (const SharedVariable& variable : launch.kernel->shared_variables) {
    if (offset < variable.range.begin || offset >= variable.range.end) continue;
    if (found == nullptr || variable.range.begin >= found->range.begin) found = &variable;
  }
  if (found == nullptr)
    return fmt::format("{} at byte {} of shared memory", Counted(bytes, "byte"), offset);
  const std::uint64_t at = offset - found->range.begin;
  if (!found->is_dynamic && found->range.end - found->range.begin == bytes) return found->name;
  return at % bytes == 0 ? fmt::format("element {} of {}", Grouped(at / bytes), found->name)
                         : fmt::format("byte {} of {}", Grouped(at), found->name);
}

// Returns a distance such as "2 elements past the end of".
std::string DistanceText(std::uint64_t bytes, std::uint32_t element, std::string_view where) {
  return bytes % element == 0 ? fmt::format("{} {}", Counted(bytes / element, "element"), where)
                              : fmt::format("{} {}", Counted(bytes, "byte"), where);
}

// Returns the extents of an array, such as " (64 x 32 elements)"; empty if they are not known.
std::string SizeText(const Allocation& array) {
  if (array.element_bytes == 0) return {};
  if (array.extents.size() < 2) {
    return fmt::format(" ({})", Counted(array.bytes / array.element_bytes, "element"));
  }
  std::string text;
  for (const std::uint64_t extent : array.extents) {
    text += (text.empty() ? "" : " x ") + Grouped(extent);
  }
  return " (" + text + " elements)";
}

// Explains an index that looks like a negative number in 32 unsigned bits. Returns an empty text
// for other indices.
std::string WrappedText(std::int64_t index) {
  constexpr std::int64_t kWrap = std::int64_t{1} << 32;
  constexpr std::int64_t kFarthest = 1 << 24;
  if (index >= kWrap || index < kWrap - kFarthest) return {};
  return fmt::format(": {} as an unsigned number of 32 bits", index - kWrap);
}

}  // namespace

std::string ElementText(const Launch& launch, MemoryKind memory, std::uint64_t address,
                        std::uint32_t bytes) {
  if (memory == MemoryKind::kShared) return SharedText(launch, address, bytes);
  if (memory == MemoryKind::kLocal) {
    return fmt::format("{} at byte {} of the thread's local memory", Counted(bytes, "byte"),
                       address);
  }
  const Allocation* array = launch.memory->Find(address, 1);
  if (array == nullptr) return fmt::format("{} at {:#x}", Counted(bytes, "byte"), address);
  const std::uint32_t element = ElementBytes(*array, bytes);
  const std::uint64_t at = address - array->begin;
  std::string title = TitleOf(launch, *array);
  const bool variable =
      array->kind == AllocationKind::kVariable || array->kind == AllocationKind::kConstant;
  if (variable && array->bytes == bytes) return title;
  if (at % element != 0) return fmt::format("byte {} of {}", Grouped(at), title);
  std::string text = IndexText(*array, static_cast<std::int64_t>(at / element), bytes / element);
  if (array->name.empty()) return text + " of " + title;
  return text + PositionText(*array, at / element);
}

std::string OutsideText(const Launch& launch, const Allocation& array, std::uint64_t address,
                        std::uint32_t bytes) {
  const std::uint32_t element = ElementBytes(array, bytes);
  const auto offset = static_cast<std::int64_t>(address - array.begin);
  const auto width = static_cast<std::int64_t>(element);
  const bool whole = offset % width == 0;
  std::string what =
      whole ? IndexText(array, offset / width, bytes / element) : Counted(bytes, "byte");
  // Indices that are wrong by far are no rows.
  if (whole && address >= array.begin && address - array.begin < array.bytes + DeviceMemory::kGap &&
      !array.name.empty()) {
    what += PositionText(array, static_cast<std::uint64_t>(offset / width));
  }
  const std::string title = TitleOf(launch, array);
  std::string where;
  if (offset < 0) {
    where = DistanceText(array.begin - address, element, "before the start of");
  } else if (address > array.end()) {
    where = DistanceText(address - array.end(), element, "past the end of");
  } else if (address == array.end()) {
    where = "just past the end of";
  } else {
    where = array.host == nullptr ? "in" : "across the end of";
  }
  return fmt::format("{}, {} {}{}{}{}", what, where, title, SizeText(array),
                     array.host == nullptr ? ", which was freed" : "",
                     whole ? WrappedText(offset / width) : "");
}

const Allocation* MeantArray(Launch& launch, const Program& program, std::uint32_t instruction) {
  const bool small = program.function->body.size() <= kMostInstructions;
  if (program.function != launch.kernel->function || !small) return nullptr;
  const auto array_of = [&launch](const ptx::Symbol& symbol) -> const Allocation* {
    if (symbol.space != ptx::Space::kParam || symbol.bytes != sizeof(DeviceAddress)) return nullptr;
    const auto address = PointerIn(launch, symbol.param_offset);
    return address ? launch.memory->Find(*address, 1) : nullptr;
  };
  if (launch.array_origins == nullptr) {
    Preparation preparation;
    launch.array_origins = std::make_shared<ptx::AddressOrigins>(
        *launch.kernel->module,
        [array_of](const ptx::Symbol& symbol) { return array_of(symbol) != nullptr; });
    (void)launch.array_origins->Find(*program.function, preparation);
  }
  const Allocation* meant = nullptr;
  for (const ptx::Operand& operand : program.function->body[instruction].operands) {
    if (operand.kind != ptx::OperandKind::kAddress || operand.base != ptx::AddressBase::kRegister) {
      continue;
    }
    for (const ptx::SymbolId id : launch.array_origins->Of(operand.reg)) {
      const Allocation* array = array_of(launch.kernel->module->symbols[id]);
      if (meant != nullptr && array != meant) return nullptr;
      meant = array;
    }
  }
  return meant;
}

}  // namespace warpcheck::emulator
