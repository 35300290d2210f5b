#include "report/dump/chosen_cases.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "base/text.h"
#include "report/complaint_groups.h"

namespace warpcheck {
namespace {

Error NoSuchCase(const std::string& name, const std::vector<std::string>& all) {
  std::vector<std::string> shorts;
  for (const std::string& one : all) {
    const std::string text = ShortCaseName(one);
    if (std::ranges::find(shorts, text) == shorts.end()) shorts.push_back(text);
  }
  const std::vector<std::string_view> names(shorts.begin(), shorts.end());
  const std::string_view near = Nearest(name, names);
  return {.message = fmt::format("there is no case {}{}", name,
                                 near.empty() ? "" : fmt::format("; do you mean {}?", near)),
          .where = {},
          .hint = fmt::format("choose one of: {}", fmt::join(shorts, ", "))};
}

}  // namespace

Result<std::vector<std::string>> ChosenCases(const std::vector<std::string>& names,
                                             const std::vector<std::string>& all) {
  std::vector<std::string> chosen;
  for (const std::string& name : names) {
    const std::size_t before = chosen.size();
    for (const std::string& one : all) {
      if (one == name || ShortCaseName(one) == name) chosen.push_back(one);
    }
    if (chosen.size() == before) return tl::unexpected(NoSuchCase(name, all));
  }
  return chosen;
}

}  // namespace warpcheck
