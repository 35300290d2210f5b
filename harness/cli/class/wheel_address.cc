#include "cli/class/wheel_address.h"

#include <fmt/format.h>
#include <re2/re2.h>

namespace warpcheck {

Result<std::string> WheelAddress(std::string_view given, std::string_view version) {
  static const re2::RE2 kAddress(
      R"re((?:(?:https?|file)://|/)[\w.~:/@%+,=-]+/warpcheck-([^-/]+)-[\w.+-]+\.whl(?:[?#][\w.~:/@%+,=?&-]*)?)re");
  std::string made_by;
  if (!re2::RE2::FullMatch(given, kAddress, &made_by)) {
    return Fail(fmt::format("\"{}\" is not the address of warpcheck's wheel", given), {},
                "write for example https://example.org/"
                "warpcheck-0.1.0-py3-none-manylinux_2_34_x86_64.whl, or an absolute path on the "
                "students' machines");
  }
  if (made_by != version) {
    return Fail(
        fmt::format("the wheel is of warpcheck {}, and this is warpcheck {}", made_by, version), {},
        "students could not read the bundle; take the wheel of the same version");
  }
  return (given.front() == '/' ? "file://" : "") + std::string(given);
}

Result<std::string> WithWheel(std::string text, std::string_view address,
                              const std::filesystem::path& file) {
  if (address.empty()) return text;
  static const re2::RE2 kMakefile(R"re((?m)^WHEEL \?=.*$)re");
  static const re2::RE2 kCi(R"re((?m)^( *)WARPCHECK_WHEEL( *[:=] *)\S.*$)re");
  const bool is_makefile = file == "Makefile";
  std::string value(address);
  // In a Makefile a hash begins a comment.
  if (is_makefile) re2::RE2::GlobalReplace(&value, "#", R"(\\\\#)");
  const std::string line =
      is_makefile ? "WHEEL ?= " + value : fmt::format("\\1WARPCHECK_WHEEL\\2'{}'", value);
  if (re2::RE2::GlobalReplace(&text, is_makefile ? kMakefile : kCi, line) == 1) return text;
  return Fail(fmt::format("{} must set {} in exactly one line", file.string(),
                          is_makefile ? "WHEEL" : "WARPCHECK_WHEEL"),
              {}, "write this line as in warpcheck's own template");
}

}  // namespace warpcheck
