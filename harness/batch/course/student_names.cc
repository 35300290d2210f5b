#include "batch/course/student_names.h"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "base/hash.h"
#include "base/text/utf8.h"

namespace warpcheck::batch {
namespace {

constexpr std::size_t kMaxId = 160;  // in bytes; the name of a file may have 255
constexpr std::size_t kHashDigits = 8;

// Maps the name by utf8proc's `options`. If it cannot be mapped, returns the name itself.
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

// Returns true for letters, their marks and digits of every script, and for the few other
// characters that have no meaning for shells and file systems.
bool IsSafe(char32_t c) {
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

// Returns true for a character that separates words, which becomes '_'.
bool IsSeparator(char32_t c) {
  return c == ',' || c == '+' || c == '@' ||
         utf8proc_category(static_cast<utf8proc_int32_t>(c)) == UTF8PROC_CATEGORY_ZS;
}

}  // namespace

std::string CaseFolded(std::string_view name) {
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
    } else if (IsSafe(code)) {
      id += character;
    } else if (IsSeparator(code)) {
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
    while (!IsUtf8(id)) id.pop_back();  // never cuts a character in two
  }
  return (id.empty() ? "student" : id) + "-" + Sha256({composed}).substr(0, kHashDigits);
}

std::string SubmissionId(const std::string& student, std::size_t number) {
  return fmt::format("{}~{:03}", student, number);
}

std::string StudentOf(const std::string& id) { return id.substr(0, id.find('~')); }

std::string Readable(std::string_view name) {
  std::string readable;
  char32_t code = 0;
  while (!name.empty()) {
    const std::size_t length = Utf8Character(name, code);
    if (length == 0) readable += fmt::format("\\x{:02x}", static_cast<unsigned char>(name.front()));
    readable += name.substr(0, length);
    name.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return readable;
}

}  // namespace warpcheck::batch
