#include "grading/points.h"

#include <fmt/format.h>

#include <cmath>

namespace warpcheck {
namespace {

constexpr double kMaxPoints = 1e6;

}  // namespace

std::optional<Points> Points::FromNumber(double number) {
  if (!(number >= 0 && number <= kMaxPoints)) return std::nullopt;
  const double hundredths = std::round(number * 100);
  if (std::abs(number * 100 - hundredths) > 1e-6) return std::nullopt;
  return Points(static_cast<std::int64_t>(hundredths));
}

std::string Points::Text() const {
  std::string text = fmt::format("{}.{:02}", hundredths_ / 100, hundredths_ % 100);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string Counted(Points points) {
  return points.Text() + (points == Points::FromHundredths(100) ? " point" : " points");
}

}  // namespace warpcheck
