#include "batch/work/progress_files.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/json/record.h"
#include "class_pages/class_page.h"
#include "report/html/html_page.h"
#include "report/wording.h"

namespace warpcheck::batch {
namespace {

constexpr int kRefreshSeconds = 5;
constexpr std::size_t kBarWidth = 20;

using State = ProgressReport::State;

std::string_view NameOf(State state) {
  return state == State::kRunning ? "running" : state == State::kDone ? "done" : "stopped";
}

nlohmann::ordered_json ProgressJson(const ProgressReport& report) {
  const Progress& progress = report.progress;
  nlohmann::ordered_json object = {
      {"state", NameOf(report.state)},   {"title", report.title},
      {"total", progress.total},         {"graded", progress.done},
      {"not_final", progress.not_final}, {"held_up", progress.held_up}};
  if (report.state != State::kRunning) return object;
  object["known"] = progress.known;
  object["running"] = progress.running;
  object["to_grade"] = progress.to_grade;
  object["updated"] = TimeText(report.updated) + "Z";
  if (report.per_minute) object["per_minute"] = std::round(*report.per_minute * 10) / 10;
  if (report.left) {
    object["least_seconds_left"] = std::llround(report.left->least);
    object["most_seconds_left"] = std::llround(report.left->most);
  }
  return object;
}

}  // namespace

std::string HtmlProgress(const ProgressReport& report) {
  const Progress& progress = report.progress;
  const bool runs = report.state == State::kRunning;
  PageModel model = ProgressJson(report);
  for (const State state : {State::kRunning, State::kDone, State::kStopped}) {
    model[fmt::format("is_{}", NameOf(state))] = report.state == state;
  }
  model["bar"] = BarLength(static_cast<double>(progress.done), static_cast<double>(progress.total));
  model["time_left"] = report.left ? RangeText(*report.left) : "not known yet";
  model["rate"] = report.per_minute ? RateText(*report.per_minute) : "not known yet";
  model["updated_text"] =
      fmt::format("{:%Y-%m-%d %H:%M:%S}", fmt::gmtime(static_cast<std::time_t>(report.updated)));
  model["class_page"] = kClassPage;
  return HtmlPage("progress", "Grading: " + report.title, std::move(model),
                  {.refresh = runs ? kRefreshSeconds : 0});
}

std::string JsonProgress(const ProgressReport& report) {
  return JsonText(ProgressJson(report)) + "\n";
}

std::string ProgressText(const Progress& progress, const Estimate& estimate) {
  const std::size_t filled =
      progress.total == 0 ? kBarWidth : kBarWidth * progress.done / progress.total;
  std::string text =
      fmt::format("[{}{}] {} of {} graded", std::string(filled, '#'),
                  std::string(kBarWidth - filled, '.'), progress.done, progress.total);
  if (progress.not_final > 0) text += fmt::format(", {} without a final score", progress.not_final);
  if (progress.held_up > 0) text += fmt::format(", {} left for the next run", progress.held_up);
  if (progress.running > 0) text += fmt::format(", {} running", progress.running);
  if (progress.to_grade == 0) return text;
  if (const auto rate = estimate.PerMinute()) text += ", " + RateText(*rate);
  if (const auto left = estimate.Left(progress.to_grade)) {
    text += fmt::format(", {} left", RangeText(*left));
  }
  return text;
}

}  // namespace warpcheck::batch
