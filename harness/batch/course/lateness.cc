#include "batch/course/lateness.h"

#include <algorithm>
#include <chrono>
#include <string_view>

namespace warpcheck::batch {
namespace {

// Parses a time in UTC such as "2026-11-21T10:00:00"; returns nothing for any other text.
std::optional<std::int64_t> ParseTime(const std::string& time) {
  constexpr std::string_view kForm = "0000-00-00T00:00:00";
  const auto fits = [](char letter, char form) {
    return form == '0' ? '0' <= letter && letter <= '9' : letter == form;
  };
  if (!std::ranges::equal(time, kForm, fits)) return std::nullopt;
  const auto number = [&](std::size_t begin, std::size_t digits) {
    return std::stoi(time.substr(begin, digits));
  };
  using namespace std::chrono;
  const year_month_day date(year(number(0, 4)), month(static_cast<unsigned>(number(5, 2))),
                            day(static_cast<unsigned>(number(8, 2))));
  const int hour = number(11, 2), minute = number(14, 2), second = number(17, 2);
  if (!date.ok() || hour > 23 || minute > 59 || second > 60) return std::nullopt;
  const sys_seconds at = sys_days(date) + hours(hour) + minutes(minute) + seconds(second);
  return at.time_since_epoch().count();
}

}  // namespace

std::optional<std::int64_t> SecondsLate(const std::string& submitted, const Listed* listed,
                                        const ClassRules& rules) {
  const auto when = ParseTime(submitted);
  if (!when || !rules.due) return std::nullopt;
  return *when - *rules.due - (listed != nullptr ? listed->extension : 0);
}

bool IsLate(const std::string& submitted, bool late, const Listed* listed,
            const ClassRules& rules) {
  const auto seconds = SecondsLate(submitted, listed, rules);
  return seconds ? *seconds > rules.late.grace : late;
}

}  // namespace warpcheck::batch
