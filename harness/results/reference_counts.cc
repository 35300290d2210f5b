#include "results/reference_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json/text.h"

namespace warpcheck {
namespace {

using nlohmann::json;

}  // namespace

ReferenceCounts& ReferenceCounts::Current() {
  static ReferenceCounts counts;
  return counts;
}

Result<ReferenceCounts> ReferenceCounts::Parse(std::string_view text) {
  constexpr char kHint[] = "`warpcheck validate NAME --record` writes it anew";
  json calls;
  try {
    calls = ParseJson(text);
  } catch (const json::parse_error&) {  // leaves null, which is no object
  }
  if (!calls.is_object()) return Fail("reference_counts.json is not a JSON object", {}, kHint);
  ReferenceCounts counts;
  for (const auto& [call, counters] : calls.items()) {
    if (!counters.is_object()) return Fail("reference_counts.json: " + call, {}, kHint);
    for (const auto& [counter, count] : counters.items()) {
      if (!count.is_number_unsigned()) {
        return Fail(fmt::format("reference_counts.json: {}: {}", call, counter), {}, kHint);
      }
      counts.Add(call, counter, count.get<std::uint64_t>());
    }
  }
  return counts;
}

std::string ReferenceCounts::Text() const {
  json calls = json::object();
  for (const auto& [key, count] : counts_) calls[key.first][key.second] = count;
  return JsonText(calls, 2) + "\n";
}

std::optional<std::uint64_t> ReferenceCounts::Of(const std::string& call,
                                                 std::string_view counter) const {
  const auto found = counts_.find({call, std::string(counter)});
  return found == counts_.end() ? std::nullopt : std::optional(found->second);
}

void ReferenceCounts::Add(const std::string& call, const std::string& counter,
                          std::uint64_t count) {
  std::uint64_t& known = counts_[{call, counter}];
  known = std::max(known, count);
}

}  // namespace warpcheck
