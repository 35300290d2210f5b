#include "batch/intake/file_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/text/utf8.h"

namespace warpcheck::batch {
namespace {

constexpr std::size_t kMaxPathBytes = 1024;
constexpr std::size_t kMaxPartBytes = 200;
constexpr std::string_view kSources[] = {".cu",  ".cuh", ".h",   ".hh", ".hpp", ".hxx", ".inl",
                                         ".inc", ".ipp", ".tpp", ".c",  ".cc",  ".cpp", ".cxx"};
constexpr std::string_view kArchives[] = {".zip", ".tar.gz", ".tgz", ".tar"};
constexpr std::string_view kForeignArchives[] = {".rar", ".7z", ".gz", ".bz2", ".xz", ".zst"};
constexpr std::string_view kIgnored[] = {"__MACOSX", "Thumbs.db", "desktop.ini"};

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

// Returns the first of the endings that the path has, in upper or lower case; empty if it has no
// such ending.
std::string_view EndingAmong(std::span<const std::string_view> endings, std::string_view path) {
  const std::string lower = Lower(path);
  const auto found =
      std::ranges::find_if(endings, [&](std::string_view end) { return lower.ends_with(end); });
  return found == endings.end() ? std::string_view() : *found;
}

}  // namespace

std::string WhyPathRefused(std::string_view path) {
  if (path.empty()) return "its name cannot be read";
  if (!IsUtf8(path)) return "its name is not UTF-8: pack the archive again, with names in UTF-8";
  if (path.front() == '/') return "its path is absolute";
  if (path.size() > 1 && path[1] == ':') return "its path begins with a drive letter";
  if (path.size() > kMaxPathBytes) return fmt::format("its path is over {} bytes", kMaxPathBytes);
  for (std::size_t start = 0; start <= path.size();) {
    const std::size_t end = std::min(path.find('/', start), path.size());
    const std::string_view part = path.substr(start, end - start);
    if (part == "..") return "its path leads out of the archive";
    if (part.size() > kMaxPartBytes) {
      return fmt::format("a name in its path is over {} bytes", kMaxPartBytes);
    }
    for (const char c : part) {
      if ((c & 0xe0) == 0 || c == 0x7f) return "its name has a control character";
    }
    start = end + 1;
  }
  return {};
}

bool IsIgnored(std::string_view part) {
  return part.starts_with('.') || std::ranges::count(kIgnored, part) != 0;
}

std::string Extension(std::string_view path) {
  path.remove_prefix(path.rfind('/') + 1);
  const std::size_t dot = path.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? "" : Lower(path.substr(dot));
}

bool IsSource(std::string_view path) { return std::ranges::count(kSources, Extension(path)) != 0; }
bool IsKernel(std::string_view path) { return Extension(path) == ".cu"; }

bool IsArchive(std::string_view path) { return !EndingAmong(kArchives, path).empty(); }
bool IsForeignArchive(std::string_view path) {
  return !IsArchive(path) && !EndingAmong(kForeignArchives, path).empty();
}

std::string Stem(std::string_view file_name) {
  std::size_t end = EndingAmong(kArchives, file_name).size();
  if (end == 0) end = Extension(file_name).size();
  return std::string(file_name.substr(0, file_name.size() - end));
}

}  // namespace warpcheck::batch
