#include "class_pages/score_histogram.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace warpcheck {
namespace {

// These lengths are in units of the picture.
constexpr int kBinWidth = 32;
constexpr int kBarWidth = 26;
constexpr int kTop = 16;  // the height of the highest bar; its number stands above it
constexpr int kBase = 120;
constexpr int kHeight = 138;

}  // namespace

std::size_t ScoreBin(Points score, Points max) {
  if (score >= max) return kScoreBins - 1;
  return static_cast<std::size_t>(score.hundredths() * 10 / max.hundredths());
}

std::string ScoreRange(std::size_t bin) {
  return bin == kScoreBins - 1 ? "all points" : fmt::format("{} to {} %", 10 * bin, 10 * bin + 9);
}

PageModel HistogramModel(const ScoreBins& bins) {
  const std::size_t most = std::max<std::size_t>(1, *std::ranges::max_element(bins));
  std::vector<std::string> words;
  PageModel columns = PageModel::array();
  for (std::size_t i = 0; i < kScoreBins; ++i) {
    const int left = kBinWidth * static_cast<int>(i) + (kBinWidth - kBarWidth) / 2;
    const double height = (kBase - kTop) * static_cast<double>(bins[i]) / static_cast<double>(most);
    PageModel& column = columns.emplace_back(
        PageModel{{"middle", left + kBarWidth / 2},
                  {"label", i == kScoreBins - 1 ? "all" : std::to_string(10 * i)},
                  {"bar", nullptr}});
    if (bins[i] == 0) continue;
    words.push_back(fmt::format("{}: {}", ScoreRange(i), bins[i]));
    column["bar"] = {{"x", left},
                     {"y", fmt::format("{:.1f}", kBase - height)},
                     {"width", kBarWidth},
                     {"height", fmt::format("{:.1f}", height)},
                     {"text_y", fmt::format("{:.1f}", kBase - height - 4)},
                     {"students", bins[i]}};
  }
  return {{"width", kBinWidth * kScoreBins},
          {"height", kHeight},
          {"base", kBase},
          {"label_y", kHeight - 4},
          {"words", fmt::format("{}", fmt::join(words, "; "))},
          {"columns", std::move(columns)}};
}

}  // namespace warpcheck
