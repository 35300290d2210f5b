#include "batch/course/lateness.h"

#include <chrono>
#include <cstdio>

namespace warpcheck::batch {
namespace {

// Parses a time in UTC such as "2026-11-21T10:00:00"; returns nothing for any other text.
std::optional<std::int64_t> ParseTime(const std::string& time) {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
  if (std::sscanf(time.c_str(), "%d-%d-%dT%d:%d:%d", &year, &month, &day, &hour, &minute,
                  &second) != 6) {
    return std::nullopt;
  }
  using namespace std::chrono;
  const sys_seconds at = sys_days(std::chrono::year(year) / month / day) + hours(hour) +
                         minutes(minute) + seconds(second);
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
