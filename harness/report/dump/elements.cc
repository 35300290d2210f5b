#include "report/dump/elements.h"

#include <fmt/format.h>

#include <cstring>

#include "base/check.h"

namespace warpcheck {
namespace {

// Calls use(value) with the element in its own type.
template <class T, class Use>
auto UseAs(std::string_view bytes, std::uint64_t index, Use use) {
  T value;
  WARPCHECK_CHECK((index + 1) * sizeof(T) <= bytes.size(), "the array has no such element");
  std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
  return use(value);
}

template <class Use>
auto UseElement(std::string_view type, std::string_view bytes, std::uint64_t index, Use use) {
  if (type == "<f4") return UseAs<float>(bytes, index, use);
  if (type == "<f8") return UseAs<double>(bytes, index, use);
  if (type == "|i1") return UseAs<std::int8_t>(bytes, index, use);
  if (type == "|u1") return UseAs<std::uint8_t>(bytes, index, use);
  if (type == "<i2") return UseAs<std::int16_t>(bytes, index, use);
  if (type == "<u2") return UseAs<std::uint16_t>(bytes, index, use);
  if (type == "<i4") return UseAs<std::int32_t>(bytes, index, use);
  if (type == "<u4") return UseAs<std::uint32_t>(bytes, index, use);
  if (type == "<i8") return UseAs<std::int64_t>(bytes, index, use);
  return UseAs<std::uint64_t>(bytes, index, use);
}

}  // namespace

double NumberAt(std::string_view type, std::string_view bytes, std::uint64_t index) {
  return UseElement(type, bytes, index, [](auto value) { return static_cast<double>(value); });
}

std::string TextAt(std::string_view type, std::string_view bytes, std::uint64_t index) {
  return UseElement(type, bytes, index, [](auto value) {
    if constexpr (sizeof value == 1) return fmt::format("{}", static_cast<int>(value));
    return fmt::format("{}", value);
  });
}

}  // namespace warpcheck
