#include "cli/class/filled_setting.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include "grading/handouts/bundle.h"

namespace warpcheck {

Result<std::string> FilledSetting(std::string text, const BundleSetting& setting,
                                  const std::filesystem::path& file) {
  static const re2::RE2 kSetting(R"re((?m)^( *)ASSIGNMENT( *(?:[:=]|\?=) *)'?transpose'?$)re");
  const std::string bundle = setting.assignment + std::string(kBundleEnding);
  const std::string settings =
      file == "Makefile" ? fmt::format(
                               "ASSIGNMENT ?= {}\nexport WARPCHECK_COURSE := $(CURDIR)/{}\n"
                               "export WARPCHECK_TRUST := {}",
                               setting.assignment, bundle, setting.digest)
                         : fmt::format(
                               "\\1ASSIGNMENT\\2'{}'\n\\1WARPCHECK_COURSE\\2'{}'\n"
                               "\\1WARPCHECK_TRUST\\2'{}'",
                               setting.assignment, bundle, setting.digest);
  if (re2::RE2::GlobalReplace(&text, kSetting, settings) == 1) return text;
  return Fail(fmt::format("{} must set ASSIGNMENT to transpose in exactly one line", file.string()),
              {}, "write this line as in warpcheck's own template");
}

}  // namespace warpcheck
