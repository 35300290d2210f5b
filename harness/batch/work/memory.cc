#include "batch/work/memory.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <string>

#include "base/files.h"

namespace warpcheck::batch {
namespace {

namespace fs = std::filesystem;

std::optional<std::uint64_t> NumberIn(std::string_view text) {
  const std::size_t first = text.find_first_of("0123456789");
  if (first == std::string_view::npos) return std::nullopt;
  std::uint64_t number = 0;
  const auto [stop, error] =
      std::from_chars(text.data() + first, text.data() + text.size(), number);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

// Returns the number after `name` in a file with lines such as "name 123".
std::optional<std::uint64_t> NumberOf(const fs::path& file, std::string_view name) {
  std::istringstream lines(ReadFile(file).value_or(""));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(name)) return NumberIn(std::string_view(line).substr(name.size()));
  }
  return std::nullopt;
}

std::optional<std::uint64_t> NumberOf(const fs::path& file) {
  const auto text = ReadFile(file);
  return text ? NumberIn(*text) : std::nullopt;  // without a value for "max"
}

// Returns how many bytes a control group can still use; its page cache counts as free.
std::optional<std::uint64_t> LeftIn(const fs::path& group, const char* limit_name,
                                    const char* usage_name, const char* cache_name) {
  const auto limit = NumberOf(group / limit_name);
  const auto usage = NumberOf(group / usage_name);
  if (!limit || !usage) return std::nullopt;
  const std::uint64_t cache = NumberOf(group / "memory.stat", cache_name).value_or(0);
  const std::uint64_t held = *usage - std::min(*usage, cache);
  return *limit - std::min(*limit, held);
}

void Lower(std::optional<std::uint64_t>& least, std::optional<std::uint64_t> other) {
  if (other && (!least || *other < *least)) least = other;
}

// Lowers `least` to the lowest limit of this process's control groups and of all groups above them.
void LowerByGroups(std::optional<std::uint64_t>& least, const fs::path& root) {
  std::istringstream groups(ReadFile(root / "proc/self/cgroup").value_or(""));
  for (std::string line; std::getline(groups, line);) {  // such as "0::/a/b" or "9:memory:/a/b"
    const bool unified = line.starts_with("0::");
    if (!unified && line.find(":memory:") == std::string::npos) continue;
    const fs::path base = root / (unified ? "sys/fs/cgroup" : "sys/fs/cgroup/memory");
    fs::path group = fs::path(line.substr(line.find('/') + 1)).lexically_normal();
    for (;; group = group.parent_path()) {
      const fs::path at = base / group;
      Lower(least, unified ? LeftIn(at, "memory.max", "memory.current", "inactive_file ")
                           : LeftIn(at, "memory.limit_in_bytes", "memory.usage_in_bytes",
                                    "total_inactive_file "));
      if (group.empty()) break;
    }
  }
}

}  // namespace

std::optional<std::uint64_t> AvailableMemory(const fs::path& root) {
  auto least = NumberOf(root / "proc/meminfo", "MemAvailable:");
  if (least) *least *= 1024;
  LowerByGroups(least, root);
  return least;
}

}  // namespace warpcheck::batch
