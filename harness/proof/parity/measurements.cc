#include "proof/parity/measurements.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace warpcheck::parity {
namespace {

constexpr std::string_view kHeading = "warpcheck parity 1";
constexpr std::string_view kDevice = "device ";
constexpr std::string_view kCounters = "counters";
constexpr std::string_view kLaunch = "launch ";
constexpr std::string_view kLine = "  ";
constexpr std::string_view kNotCounted = "  not counted: ";

bool CountsAnything(const LineCounters& line) {
  return std::any_of(kCompared.begin(), kCompared.end(),
                     [&](Counter counter) { return line.counters.OrZero(counter) != 0; });
}

std::string Columns() {
  std::string text{kCounters};
  for (const Counter counter : kCompared) text += fmt::format(" {}", Info(counter).name);
  return text;
}

std::string ToText(const Dim3& extent) {
  return fmt::format("{}x{}x{}", extent.x, extent.y, extent.z);
}

// Removes and returns the text before the next space.
std::string_view NextWord(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

template <class T>
std::optional<T> Number(std::string_view text) {
  T number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (text.empty() || error != std::errc() || stop != end) return std::nullopt;
  return number;
}

std::optional<Dim3> Extent(std::string_view text) {
  Dim3 extent;
  for (std::uint32_t* part : {&extent.x, &extent.y, &extent.z}) {
    const std::size_t end = std::min(text.find('x'), text.size());
    const auto number = Number<std::uint32_t>(text.substr(0, end));
    if (!number) return std::nullopt;
    *part = *number;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return text.empty() ? std::optional(extent) : std::nullopt;
}

// Reads a line like "subject case #0 2x1x1 32x8x1 kernel(float*)".
std::optional<MeasuredLaunch> LaunchOf(std::string_view text) {
  MeasuredLaunch launch;
  launch.subject = NextWord(text);
  launch.case_name = NextWord(text);
  std::string_view index = NextWord(text);
  if (!index.starts_with('#')) return std::nullopt;
  const auto number = Number<std::uint32_t>(index.substr(1));
  const auto grid = Extent(NextWord(text));
  const auto block = Extent(NextWord(text));
  if (!number || !grid || !block || text.empty()) return std::nullopt;
  launch.index = *number;
  launch.grid = *grid;
  launch.block = *block;
  launch.kernel = text;
  return launch;
}

// Reads a line like "transpose.cu:23 8 8 4 - ...", with a column for each counter; "-" means not
// measured.
std::optional<LineCounters> LineOf(std::string_view text) {
  LineCounters line;
  const std::string_view place = NextWord(text);
  const std::size_t colon = place.rfind(':');
  const auto number =
      colon == std::string_view::npos ? std::nullopt : Number<int>(place.substr(colon + 1));
  if (!number) return std::nullopt;
  line.where = {.file = std::string(place.substr(0, colon)), .line = *number};
  for (const Counter counter : kCompared) {
    const std::string_view word = NextWord(text);
    if (word == "-") continue;
    const auto value = Number<std::uint64_t>(word);
    if (!value) return std::nullopt;
    line.counters.Set(counter, *value);
  }
  return text.empty() ? std::optional(line) : std::nullopt;
}

// Reads one line of the file; returns false if it is malformed.
bool ParseLine(std::string_view line, Measurements& into) {
  if (line.starts_with(kDevice)) {
    into.device = line.substr(kDevice.size());
    return true;
  }
  if (line.starts_with(kLaunch)) {
    auto launch = LaunchOf(line.substr(kLaunch.size()));
    if (!launch) return false;
    into.launches.push_back(*std::move(launch));
    return true;
  }
  if (!line.starts_with(kLine) || into.launches.empty()) return false;
  if (line.starts_with(kNotCounted)) {
    into.launches.back().not_counted = line.substr(kNotCounted.size());
    return true;
  }
  auto counters = LineOf(line.substr(kLine.size()));
  if (!counters) return false;
  into.launches.back().lines.push_back(*std::move(counters));
  return true;
}

}  // namespace

std::string MeasuredLaunch::Name() const {
  return fmt::format("{} {} #{}", subject, case_name, index);
}

MeasuredLaunch FromRecord(std::string subject, std::string case_name, std::uint32_t index,
                          const LaunchRecord& record) {
  MeasuredLaunch launch;
  launch.subject = std::move(subject);
  launch.case_name = std::move(case_name);
  launch.index = index;
  launch.kernel = record.kernel;
  launch.grid = record.grid;
  launch.block = record.block;
  if (record.error != DeviceError::kSuccess) {
    launch.not_counted = CudaErrorName(record.error);
  } else if (record.lines.empty() && !record.not_measured.empty()) {
    launch.not_counted = record.not_measured.substr(0, record.not_measured.find('\n'));
  } else {
    for (const LineCounters& line : record.lines) {
      if (!CountsAnything(line)) continue;
      LineCounters& kept = launch.lines.emplace_back();
      kept.where = line.where;
      for (const Counter counter : kCompared) {
        if (const auto value = line.counters[counter]) kept.counters.Set(counter, *value);
      }
    }
  }
  return launch;
}

std::string ToText(const Measurements& measurements) {
  std::string text =
      fmt::format("{}\n{}{}\n{}\n", kHeading, kDevice, measurements.device, Columns());
  for (const MeasuredLaunch& launch : measurements.launches) {
    text += fmt::format("\n{}{} {} {} {}\n", kLaunch, launch.Name(), ToText(launch.grid),
                        ToText(launch.block), launch.kernel);
    if (!launch.not_counted.empty()) {
      text += fmt::format("{}{}\n", kNotCounted, launch.not_counted);
    }
    for (const LineCounters& line : launch.lines) {
      text += fmt::format("{}{}:{}", kLine, line.where.file, line.where.line);
      for (const Counter counter : kCompared) {
        const auto value = line.counters[counter];
        text += value ? fmt::format(" {}", *value) : " -";
      }
      text += '\n';
    }
  }
  return text;
}

Result<Measurements> ParseMeasurements(std::string_view text, const std::string& file) {
  Measurements measurements;
  int number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    const SourceLocation where{.file = file, .line = number};
    if (number == 1 && line != kHeading) {
      return Fail(
          fmt::format("this is no file of measurements: it does not begin with \"{}\"", kHeading),
          where, "`warpcheck parity --write FILE` makes one");
    }
    if (number == 1 || line.empty()) continue;
    if (line.starts_with(kCounters)) {
      if (line == Columns()) continue;
      return Fail("the file has other counters than this version compares", where,
                  "measure again with `warpcheck parity --write FILE`");
    }
    if (!ParseLine(line, measurements)) {
      return Fail("expected a launch, or a source line with its counts", where);
    }
  }
  if (number == 0) return Fail("the file of measurements is empty: " + file);
  return measurements;
}

}  // namespace warpcheck::parity
