#include "report/score_histogram.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace warpcheck {
namespace {

// In units of the picture.
constexpr double kBinWidth = 32;
constexpr double kBarWidth = 26;
constexpr double kTop = 16;  // of the highest bar: its number stands above
constexpr double kBase = 120;
constexpr double kHeight = 138;

}  // namespace

std::size_t ScoreBin(Points score, Points max) {
  if (score >= max) return kScoreBins - 1;
  return static_cast<std::size_t>(score.hundredths() * 10 / max.hundredths());
}

std::string ScoreRange(std::size_t bin) {
  return bin == kScoreBins - 1 ? "all points" : fmt::format("{} to {} %", 10 * bin, 10 * bin + 9);
}

std::string HtmlHistogram(const ScoreBins& bins) {
  const std::size_t most = std::max<std::size_t>(1, *std::ranges::max_element(bins));
  std::vector<std::string> words;
  std::string bars;
  for (std::size_t i = 0; i < kScoreBins; ++i) {
    const double left = kBinWidth * static_cast<double>(i) + (kBinWidth - kBarWidth) / 2;
    const double middle = left + kBarWidth / 2;
    const double height = (kBase - kTop) * static_cast<double>(bins[i]) / static_cast<double>(most);
    bars += fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\">{}</text>\n", middle, kHeight - 4,
                        i == kScoreBins - 1 ? "all" : std::to_string(10 * i));
    if (bins[i] == 0) continue;
    bars += fmt::format(
        "<rect class=\"part\" x=\"{:.0f}\" y=\"{:.1f}\" width=\"{:.0f}\" height=\"{:.1f}\"/>"
        "<text x=\"{:.0f}\" y=\"{:.1f}\">{}</text>\n",
        left, kBase - height, kBarWidth, height, middle, kBase - height - 4, bins[i]);
    words.push_back(fmt::format("{}: {}", ScoreRange(i), bins[i]));
  }
  return fmt::format(
      "<figure>\n<svg class=\"histogram\" viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\" "
      "aria-label=\"Students by score. {2}\">\n{3}<line x1=\"0\" y1=\"{4:.0f}\" x2=\"{0:.0f}\" "
      "y2=\"{4:.0f}\"/>\n</svg>\n<figcaption>Students by score, in percent of all "
      "points</figcaption>\n</figure>\n",
      kBinWidth * kScoreBins, kHeight, fmt::join(words, "; "), bars, kBase);
}

}  // namespace warpcheck
