#include "proof/parity/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "base/text.h"
#include "base/text/glob.h"
#include "grading/rubric.h"

namespace warpcheck::parity {

bool KnownDifference::Covers(std::string_view of_counter, std::string_view of_subject,
                             const SourceLocation& at) const {
  return counter == of_counter && place == (at.known() ? at.Text() : "-") &&
         GlobMatches(subject, of_subject);
}

Result<std::vector<KnownDifference>> ParseKnown(std::string_view text, const std::string& file) {
  std::vector<KnownDifference> rows;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::istringstream words{std::string(text.substr(0, std::min(end, text.find('#'))))};
    text.remove_prefix(std::min(end + 1, text.size()));
    KnownDifference row;
    row.where = {.file = file, .line = number};
    std::string more;
    if (!(words >> row.cause)) continue;
    if (!(words >> row.counter >> row.subject >> row.place) || words >> more) {
      return Fail("expected four words: cause, counter, subject, place", row.where);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

namespace {

// A quantity that the comparison covers at each line.
struct Quantity {
  std::string name;
  std::function<std::optional<std::uint64_t>(const CounterSet&)> value;
};

std::vector<Quantity> Quantities() {
  std::vector<Quantity> quantities;
  for (const Counter counter : kCompared) {
    quantities.push_back({std::string(Info(counter).name),
                          [counter](const CounterSet& counters) { return counters[counter]; }});
  }
  quantities.push_back({"excessive_wavefronts", &ExcessiveWavefronts});
  return quantities;
}

// If a device has no entry for a line, it counted nothing there.
CounterSet Nothing() {
  CounterSet counters;
  for (const Counter counter : kCompared) counters.Set(counter, 0);
  return counters;
}

std::map<SourceLocation, CounterSet> ByPlace(const MeasuredLaunch& launch) {
  std::map<SourceLocation, CounterSet> places;
  for (const LineCounters& line : launch.lines) {
    places.emplace(line.where, Nothing()).first->second += line.counters;
  }
  return places;
}

std::string Text(const std::optional<std::uint64_t>& value) {
  return value ? fmt::format("{}", *value) : "not measured";
}

std::string Shape(const MeasuredLaunch& launch) {
  return fmt::format("{} <<<({}, {}, {}), ({}, {}, {})>>>", launch.kernel, launch.grid.x,
                     launch.grid.y, launch.grid.z, launch.block.x, launch.block.y, launch.block.z);
}

std::string Outcome(const MeasuredLaunch& launch) {
  return launch.not_counted.empty() ? "counted" : launch.not_counted;
}

class Comparer {
 public:
  explicit Comparer(const std::vector<KnownDifference>& known) : known_(known) {
    for (const Quantity& quantity : quantities_) comparison_.figures.push_back({quantity.name});
  }

  void Compare(const MeasuredLaunch& first, const MeasuredLaunch& second) {
    if (Shape(first) != Shape(second)) {
      Disagree(first, {}, kLaunches, Shape(first), Shape(second));
    } else if (first.not_counted.empty() != second.not_counted.empty()) {
      Disagree(first, {}, kLaunches, Outcome(first), Outcome(second));
    } else if (!first.not_counted.empty()) {
      ++comparison_.not_counted;
    } else {
      ++comparison_.launches;
      CompareLines(first, second);
    }
  }

  void OnlyFirst() { ++comparison_.unmeasured; }
  void OnlySecond(const MeasuredLaunch& launch) {
    Disagree(launch, {}, kLaunches, "no such launch", Shape(launch));
  }

  Comparison Take() {
    for (std::size_t i = 0; i < known_.size(); ++i) {
      if (!used_.contains(i)) comparison_.stale.push_back(known_[i]);
    }
    return std::move(comparison_);
  }

 private:
  void CompareLines(const MeasuredLaunch& first, const MeasuredLaunch& second) {
    const auto at_first = ByPlace(first);
    const auto at_second = ByPlace(second);
    std::set<SourceLocation> places;
    for (const auto& [place, counters] : at_first) places.insert(place);
    for (const auto& [place, counters] : at_second) places.insert(place);
    const auto of = [](const auto& counters, const SourceLocation& place) {
      const auto found = counters.find(place);
      return found == counters.end() ? Nothing() : found->second;
    };
    for (const SourceLocation& place : places) {
      CompareLine(first, place, of(at_first, place), of(at_second, place));
    }
  }

  void CompareLine(const MeasuredLaunch& launch, const SourceLocation& place,
                   const CounterSet& first, const CounterSet& second) {
    for (std::size_t i = 0; i < quantities_.size(); ++i) {
      const auto a = quantities_[i].value(first);
      const auto b = quantities_[i].value(second);
      Figure& figure = comparison_.figures[i];
      if (a == b && a.value_or(1) == 0) {
        // Agreement that there is no conflict counts only for lines that access shared memory.
        if (quantities_[i].name != "excessive_wavefronts") continue;
        if (first.OrZero(Counter::kSharedWavefronts) == 0) continue;
      }
      ++figure.lines;
      if (a && a == b) {
        ++figure.agreeing;
      } else if (Disagree(launch, place, quantities_[i].name, Text(a), Text(b))) {
        ++figure.known;
      }
    }
  }

  // Returns true if the disagreement is listed.
  bool Disagree(const MeasuredLaunch& launch, const SourceLocation& place, std::string_view counter,
                std::string first, std::string second) {
    Disagreement difference{launch.Name(),
                            launch.subject,
                            std::string(counter),
                            place,
                            std::move(first),
                            std::move(second),
                            {}};
    for (std::size_t i = 0; i < known_.size(); ++i) {
      if (!known_[i].Covers(counter, launch.subject, place)) continue;
      used_.insert(i);
      difference.cause = known_[i].cause;
      break;
    }
    const bool listed = !difference.cause.empty();
    comparison_.disagreements.push_back(std::move(difference));
    return listed;
  }

  const std::vector<KnownDifference>& known_;
  const std::vector<Quantity> quantities_ = Quantities();
  std::set<std::size_t> used_;
  Comparison comparison_;
};

std::string Line(const Disagreement& difference, const Comparison& comparison) {
  return fmt::format("  {}{}{} {}: {} has {}, {} has {}{}\n", difference.launch,
                     difference.where.known() ? " " : "", difference.where.Text(),
                     difference.counter, comparison.first, difference.first, comparison.second,
                     difference.second,
                     difference.cause.empty() ? "" : " [" + difference.cause + "]");
}

}  // namespace

bool Comparison::AsExpected() const {
  return launches > 0 && stale.empty() &&
         std::all_of(disagreements.begin(), disagreements.end(),
                     [](const Disagreement& difference) { return !difference.cause.empty(); });
}

Comparison Compare(const Measurements& first, const Measurements& second,
                   const std::vector<KnownDifference>& known) {
  Comparer comparer(known);
  std::map<std::string, const MeasuredLaunch*> others;
  for (const MeasuredLaunch& launch : second.launches) others.emplace(launch.Name(), &launch);
  for (const MeasuredLaunch& launch : first.launches) {
    const auto other = others.find(launch.Name());
    if (other == others.end()) {
      comparer.OnlyFirst();
      continue;
    }
    comparer.Compare(launch, *other->second);
    others.erase(other);
  }
  for (const auto& [name, launch] : others) comparer.OnlySecond(*launch);
  Comparison comparison = comparer.Take();
  comparison.first = first.device;
  comparison.second = second.device;
  return comparison;
}

std::string RowsFor(const Comparison& comparison) {
  std::set<std::string> rows;
  for (const Disagreement& difference : comparison.disagreements) {
    if (!difference.cause.empty()) continue;
    rows.insert(fmt::format("? {} {} {}\n", difference.counter, difference.subject,
                            difference.where.known() ? difference.where.Text() : "-"));
  }
  return fmt::format("{}", fmt::join(rows, ""));
}

std::string ToText(const Comparison& comparison, bool all) {
  std::string text = fmt::format("{} against {}: {} compared by source line", comparison.first,
                                 comparison.second, Counted(comparison.launches, "launch"));
  if (comparison.not_counted > 0) {
    text += fmt::format(", {} counted by neither", comparison.not_counted);
  }
  if (comparison.unmeasured > 0) {
    text += fmt::format("\nnew, and not measured on {}: {}", comparison.second,
                        Counted(comparison.unmeasured, "launch"));
  }
  text += fmt::format("\n\n{:<24} {:>16} {:>9} {:>12}\n", "counter", "lines that agree", "share",
                      "known causes");
  for (const Figure& figure : comparison.figures) {
    const double share = figure.lines == 0 ? 100
                                           : 100 * static_cast<double>(figure.agreeing) /
                                                 static_cast<double>(figure.lines);
    text += fmt::format("{:<24} {:>16} {:>7.2f} % {:>12}\n", figure.counter,
                        fmt::format("{} / {}", figure.agreeing, figure.lines), share, figure.known);
  }
  std::map<std::string, std::uint64_t> causes;
  std::string lines;
  for (const Disagreement& difference : comparison.disagreements) {
    if (!difference.cause.empty()) ++causes[difference.cause];
    if (difference.cause.empty() || all) lines += Line(difference, comparison);
  }
  for (const auto& [cause, count] : causes) {
    text += fmt::format("\n{} known as \"{}\"", Counted(count, "disagreement"), cause);
  }
  if (!causes.empty()) text += '\n';
  if (!lines.empty()) text += (all ? "\ndisagreements:\n" : "\nnot listed:\n") + lines;
  for (const KnownDifference& row : comparison.stale) {
    text += fmt::format("\n{}: listed as \"{}\", but {} of {} at {} agrees now\n", row.where.Text(),
                        row.cause, row.counter, row.subject, row.place);
  }
  if (comparison.launches == 0) text += "\nno launch was compared\n";
  return text;
}

}  // namespace warpcheck::parity
