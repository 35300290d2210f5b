#include "results/array_dump.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/files.h"
#include "base/json/record.h"

namespace warpcheck {
namespace {

constexpr std::size_t kMostFileBytes = std::size_t{2} << 30;

// Takes `bytes` bytes from the beginning of `text`. Throws std::runtime_error if it has fewer.
std::string Take(std::string_view& text, std::uint64_t bytes) {
  if (bytes > text.size()) throw std::runtime_error("it ends within an array");
  std::string taken(text.substr(0, bytes));
  text.remove_prefix(bytes);
  return taken;
}

bool IsSound(const ArrayDump& dump) {
  static constexpr std::string_view kTypes[] = {"|i1", "|u1", "<i2", "<u2", "<i4",
                                                "<u4", "<i8", "<u8", "<f4", "<f8"};
  if (std::ranges::find(kTypes, dump.type) == std::end(kTypes)) return false;
  if (!dump.inner.empty() && dump.inner.size() != dump.extents.size()) return false;
  std::uint64_t elements = 1;
  for (const std::uint64_t extent : dump.extents) {
    if (extent != 0 && elements > (std::uint64_t{1} << 40) / extent) return false;
    elements *= extent;
  }
  return !dump.extents.empty() && dump.states.find_first_not_of(".ux") == std::string::npos;
}

ArrayDump TakeDump(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const nlohmann::json line = ParseJson(text.substr(0, end));
  text.remove_prefix(std::min(end + 1, text.size()));
  auto dump = FromJson<ArrayDump>(line);
  if (!IsSound(dump)) throw std::runtime_error("it has an array that cannot be");
  if (dump.Elements() > ArrayDump::kMostElements) return dump;
  dump.expected = Take(text, dump.Elements() * dump.ElementBytes());
  dump.got = Take(text, dump.Elements() * dump.ElementBytes());
  dump.states = Take(text, dump.Elements());
  if (!IsSound(dump)) throw std::runtime_error("it has an array that cannot be");
  return dump;
}

}  // namespace

std::uint64_t ArrayDump::Elements() const {
  std::uint64_t elements = 1;
  for (const std::uint64_t extent : extents) elements *= extent;
  return elements;
}

std::uint64_t ArrayDump::ElementBytes() const {
  return static_cast<std::uint64_t>(type.back() - '0');
}

std::string TextOf(const ArrayDump& dump) {
  std::string text = JsonText(ToJson(dump)) + "\n";
  if (dump.Elements() <= ArrayDump::kMostElements) text += dump.expected + dump.got + dump.states;
  return text;
}

Result<std::vector<ArrayDump>> ReadArrayDumps(const std::filesystem::path& path) {
  std::vector<ArrayDump> dumps;
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return dumps;
  const std::string bytes = WARPCHECK_TRY(ReadFile(path, kMostFileBytes));
  try {
    for (std::string_view text = bytes; !text.empty();) dumps.push_back(TakeDump(text));
  } catch (const std::exception& exception) {
    return Fail(fmt::format("the arrays of the cases cannot be read: {}", exception.what()),
                {.file = path.string()});
  }
  return dumps;
}

}  // namespace warpcheck
