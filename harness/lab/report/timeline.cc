#include "lab/report/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>

#include "lab/report/line_plot.h"
#include "lab/report/plot_text.h"
#include "report/html/page_template.h"

namespace warpcheck::lab {
namespace {

constexpr std::size_t kCharacters = 72;
constexpr int kPlotWidth = 780, kPlotLeft = 90, kPlotRight = 756, kFirstBar = 44;
constexpr int kBarDistance = 26, kBarHeight = 18;

// A Look says how a timeline shows the steps of an engine.
struct Look {
  char character;
  std::string_view name, kind;
};
constexpr std::array<Look, 3> kLooks = {
    {{'>', "copy to the GPU", "in"}, {'#', "kernel", "kernel"}, {'<', "copy to the host", "out"}}};

const Look& LookOf(const RowStep& step) { return kLooks[static_cast<std::size_t>(step.engine)]; }

std::vector<std::uint32_t> StreamsOf(const Timeline& timeline) {
  std::set<std::uint32_t> streams;
  for (const RowStep& step : timeline.steps) streams.insert(step.stream);
  return {streams.begin(), streams.end()};
}

// Returns the measured row that a timeline shows, or null.
const Row* RowOf(const Lab& lab, const Measured& measured, const ShownTimeline& shown) {
  for (const Row& row : measured.rows) {
    if (row.variant != shown.variant || row.steps.empty()) continue;
    bool fits = true;
    for (std::size_t i = 0; i < row.at.size(); ++i) {
      const auto at = shown.at.find(lab.axes[i].name);
      fits &= at == shown.at.end() || at->second == row.at[i].text;
    }
    if (fits) return &row;
  }
  return nullptr;
}

class Drawing {
 public:
  explicit Drawing(const Timeline& timeline)
      : timeline_(timeline),
        streams_(StreamsOf(timeline)),
        tick_(TickStep(timeline.Length())),
        end_(std::max(tick_, std::ceil(timeline.Length() / tick_) * tick_)) {}

  PageModel Model() const {
    return {{"width", kPlotWidth},      {"height", Bottom() + 74},
            {"title", timeline_.title}, {"title_lines", TitleLines(timeline_.title)},
            {"left", kPlotLeft},        {"right", kPlotRight},
            {"bottom", Bottom()},       {"name_x", kPlotLeft - 8},
            {"streams", Streams()},     {"bars", Bars()},
            {"ticks", Ticks()},         {"unit", timeline_.unit},
            {"unit_y", Bottom() + 38},  {"legend", Legend()}};
  }

 private:
  int Bottom() const { return kFirstBar + kBarDistance * static_cast<int>(streams_.size()); }
  double X(double time) const { return kPlotLeft + (kPlotRight - kPlotLeft) * time / end_; }
  int Y(std::uint32_t stream) const {
    const auto place = std::ranges::find(streams_, stream) - streams_.begin();
    return kFirstBar + kBarDistance * static_cast<int>(place);
  }

  PageModel Streams() const {
    PageModel names = PageModel::array();
    for (const std::uint32_t stream : streams_) {
      names.push_back({{"name", fmt::format("stream {}", stream + 1)}, {"y", Y(stream) + 14}});
    }
    return names;
  }
  PageModel Bars() const {
    PageModel bars = PageModel::array();
    for (const RowStep& step : timeline_.steps) {
      bars.push_back({{"x", fmt::format("{:.1f}", X(step.begin))},
                      {"y", Y(step.stream)},
                      {"width", fmt::format("{:.1f}", X(step.end) - X(step.begin))},
                      {"height", kBarHeight},
                      {"kind", LookOf(step).kind},
                      {"what", fmt::format("{}: {:.4g} to {:.4g} {}", LookOf(step).name, step.begin,
                                           step.end, timeline_.unit)}});
    }
    return bars;
  }
  PageModel Ticks() const {
    PageModel ticks = PageModel::array();
    for (long i = 0; i <= std::lround(end_ / tick_); ++i) {
      const double value = static_cast<double>(i) * tick_;
      ticks.push_back({{"x", fmt::format("{:.1f}", X(value))},
                       {"text_y", Bottom() + 20},
                       {"value", fmt::format("{:g}", value)}});
    }
    return ticks;
  }
  PageModel Legend() const {
    PageModel legend = PageModel::array();
    int x = kPlotLeft;
    for (const Look& look : kLooks) {
      legend.push_back({{"x", x},
                        {"y", Bottom() + 48},
                        {"kind", look.kind},
                        {"text_x", x + 20},
                        {"text_y", Bottom() + 60},
                        {"name", look.name}});
      x += 160;
    }
    return legend;
  }

  const Timeline& timeline_;
  const std::vector<std::uint32_t> streams_;
  const double tick_;
  const double end_;
};

}  // namespace

double Timeline::Length() const {
  double length = 0;
  for (const RowStep& step : steps) length = std::max(length, step.end);
  return length;
}

std::vector<Timeline> TimelinesOf(const Lab& lab, const Measured& measured) {
  std::vector<Timeline> timelines;
  for (const ShownTimeline& shown : lab.timelines) {
    const Row* row = RowOf(lab, measured, shown);
    if (row == nullptr) continue;
    timelines.push_back({.title = fmt::format("{}: {}", shown.title, measured.device),
                         .unit = row->timed ? "us" : "phases",
                         .steps = row->steps});
  }
  return timelines;
}

std::string TextOf(const Timeline& timeline) {
  const double length = timeline.Length();
  std::string text = fmt::format("{}, {:.4g} {}\n", timeline.title, length, timeline.unit);
  if (length <= 0) return text;
  const auto place = [&](double time) {
    return static_cast<std::size_t>(std::lround(time / length * static_cast<double>(kCharacters)));
  };
  for (const std::uint32_t stream : StreamsOf(timeline)) {
    std::string line(kCharacters, ' ');
    for (const RowStep& step : timeline.steps) {
      if (step.stream != stream) continue;
      for (std::size_t i = place(step.begin); i < place(step.end); ++i) {
        line[i] = LookOf(step).character;
      }
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += fmt::format("  stream {:<2} {}\n", stream + 1, line);
  }
  text += "  > copy to the GPU, # kernel, < copy to the host\n";
  return text;
}

std::string SvgOf(const Timeline& timeline) {
  return Rendered("timeline_plot.svg", Drawing(timeline).Model());
}

nlohmann::ordered_json JsonOf(const Timeline& timeline) {
  nlohmann::ordered_json steps = nlohmann::ordered_json::array();
  for (const RowStep& step : timeline.steps) {
    steps.push_back({{"stream", step.stream + 1},
                     {"what", LookOf(step).name},
                     {"begin", step.begin},
                     {"end", step.end}});
  }
  return {{"title", timeline.title}, {"unit", timeline.unit}, {"steps", std::move(steps)}};
}

}  // namespace warpcheck::lab
