// Compares two devices' measurements of the same launches, source line by source line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "proof/parity/measurements.h"

namespace warpcheck::parity {

// This text replaces a counter's name if the launches themselves differ, or if one device could not
// count a launch.
inline constexpr std::string_view kLaunches = "launch";

// A row of the list: "cause counter subject file:line". The subject may contain * and ?, and "-"
// instead of file:line means a launch as a whole. It covers all cases of the subject.
// docs/parity.md explains the causes.
struct KnownDifference {
  std::string cause;  // one word, such as "merged-loads"
  std::string counter;
  std::string subject;
  std::string place;
  SourceLocation where;  // the place of the row, for messages

  bool Covers(std::string_view of_counter, std::string_view of_subject,
              const SourceLocation& at) const;
};

// Reads one row from each line; # begins a comment. The error names `file` and the line.
Result<std::vector<KnownDifference>> ParseKnown(std::string_view text, const std::string& file);

// The figures of one counter over all lines at which either device counted something for it.
struct Figure {
  std::string counter;
  std::uint64_t agreeing = 0;
  std::uint64_t lines = 0;
  std::uint64_t known = 0;  // the number of lines that disagree for a listed cause
};

struct Disagreement {
  std::string launch;  // such as "subject case #index"
  std::string subject;
  std::string counter;  // the counter, or kLaunches if the launches themselves differ
  SourceLocation where;
  std::string first;  // the value of each device: a number, or text
  std::string second;
  std::string cause;  // the cause in the list; empty if it is not listed
};

struct Comparison {
  std::string first;  // the names of the devices
  std::string second;
  std::uint64_t launches = 0;     // the number of launches that were compared line by line
  std::uint64_t not_counted = 0;  // the number of launches that neither device counted
  // The number of new launches, which the second device has not made.
  std::uint64_t unmeasured = 0;
  // Figures of the counters of the file, and of excessive wavefronts.
  std::vector<Figure> figures;
  std::vector<Disagreement> disagreements;
  std::vector<KnownDifference> stale;  // listed disagreements that do not occur

  // Returns true if at least one line was compared, every disagreement is listed, and every listed
  // one occurs.
  bool AsExpected() const;
};

// Matches launches by subject, case and index. `second` may lack launches that `first` has; `first`
// must have all launches of `second`.
Comparison Compare(const Measurements& first, const Measurements& second,
                   const std::vector<KnownDifference>& known);

// Returns a row for each disagreement that is not listed, with "?" as its cause.
std::string RowsFor(const Comparison& comparison);

// Returns the comparison as text: the figures, each disagreement that is not listed, and the number
// of listed ones by cause. With `all`, the text also has each listed one.
std::string ToText(const Comparison& comparison, bool all);

}  // namespace warpcheck::parity
