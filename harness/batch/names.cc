#include "batch/names.h"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <span>

#include "base/hash.h"
#include "base/utf8.h"

namespace warpcheck::batch {
namespace {

constexpr std::size_t kMaxId = 160;  // bytes: a file's name has 255 at most
constexpr std::size_t kHashDigits = 8;
constexpr std::size_t kMaxPathBytes = 1024;
constexpr std::size_t kMaxPartBytes = 200;
constexpr std::string_view kSources[] = {".cu",  ".cuh", ".h",   ".hh", ".hpp", ".hxx", ".inl",
                                         ".inc", ".ipp", ".tpp", ".c",  ".cc",  ".cpp", ".cxx"};
constexpr std::string_view kArchives[] = {".zip", ".tar.gz", ".tgz", ".tar"};
constexpr std::string_view kForeignArchives[] = {".rar", ".7z", ".gz", ".bz2", ".xz", ".zst"};
constexpr std::string_view kClutter[] = {"__MACOSX", "Thumbs.db", "desktop.ini"};

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::string_view EndingAmong(std::span<const std::string_view> endings, std::string_view path) {
  const std::string lower = Lower(path);
  const auto found =
      std::ranges::find_if(endings, [&](std::string_view end) { return lower.ends_with(end); });
  return found == endings.end() ? std::string_view() : *found;
}

// The name in the form that the options ask for; the name itself where it has none.
std::string Mapped(std::string_view name, int options) {
  if (!IsUtf8(name)) return std::string(name);
  utf8proc_uint8_t* mapped = nullptr;
  const auto size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(name.data()),
                                 static_cast<utf8proc_ssize_t>(name.size()), &mapped,
                                 static_cast<utf8proc_option_t>(options));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(mapped, &std::free);
  if (size < 0) return std::string(name);
  return std::string(reinterpret_cast<const char*>(mapped), static_cast<std::size_t>(size));
}

// Letters, their marks and digits of every script; of the rest, what no shell and no system reads.
bool Safe(char32_t c) {
  if (c == '.' || c == '_' || c == '-') return true;
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ND:
      return true;
    default:
      return false;
  }
}

bool IsGap(char32_t c) {
  return c == ',' || c == '+' || c == '@' ||
         utf8proc_category(static_cast<utf8proc_int32_t>(c)) == UTF8PROC_CATEGORY_ZS;
}

}  // namespace

std::string Folded(std::string_view name) {
  return Mapped(name, UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD |
                          UTF8PROC_IGNORE);
}

std::string SafeId(std::string_view name) {
  const std::string composed = Mapped(name, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
  std::string id;
  bool lost = false;
  char32_t code = 0;
  for (std::string_view rest = composed; !rest.empty();) {
    const std::size_t length = Utf8Character(rest, code);
    const std::string_view character = rest.substr(0, std::max<std::size_t>(length, 1));
    rest.remove_prefix(character.size());
    if (length == 0) {
      lost = true;
    } else if (Safe(code)) {
      id += character;
    } else if (IsGap(code)) {
      if (!id.ends_with('_')) id += '_';
    } else {
      lost = true;
    }
  }
  if (id.starts_with('.') || id.starts_with('-')) id.front() = '_';
  lost = lost || id.empty() || id.size() > kMaxId;
  if (!lost) return id;
  if (id.size() > kMaxId - kHashDigits - 1) {
    id.resize(kMaxId - kHashDigits - 1);
    while (!IsUtf8(id)) id.pop_back();  // not within a character
  }
  return (id.empty() ? "student" : id) + "-" + Sha256({composed}).substr(0, kHashDigits);
}

std::string IdOfOne(const std::string& student, std::size_t number) {
  return fmt::format("{}~{:03}", student, number);
}

std::string StudentOf(const std::string& id) { return id.substr(0, id.find('~')); }

std::string ObjectionToPath(std::string_view path) {
  if (path.empty()) return "it has no name that can be read";
  if (!IsUtf8(path)) return "its name is not UTF-8: make the archive anew, with names in UTF-8";
  if (path.front() == '/') return "its path is absolute";
  if (path.size() > 1 && path[1] == ':') return "its path begins with a drive";
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

std::string Shown(std::string_view name) {
  std::string shown;
  char32_t code = 0;
  while (!name.empty()) {
    const std::size_t length = Utf8Character(name, code);
    if (length == 0) shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(name.front()));
    shown += name.substr(0, length);
    name.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return shown;
}

bool IsClutter(std::string_view part) {
  return part.starts_with('.') || std::ranges::count(kClutter, part) != 0;
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
