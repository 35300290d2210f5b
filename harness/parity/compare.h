// Two devices' measurements of the same launches, compared source line by source line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parity/known.h"
#include "parity/measurements.h"

namespace warpcheck::parity {

// Of one counter, over all lines at which either device counted something for it.
struct Figure {
  std::string counter;
  std::uint64_t agreeing = 0;
  std::uint64_t lines = 0;
  std::uint64_t known = 0;  // lines that disagree for a cause that is listed
};

struct Disagreement {
  std::string launch;  // "subject case #index"
  std::string subject;
  std::string counter;  // or kLaunches, where the launches themselves differ
  SourceLocation where;
  std::string first;  // what each device has: a number, or text
  std::string second;
  std::string cause;  // of the list; empty where it is not listed
};

struct Comparison {
  std::string first;  // devices
  std::string second;
  std::uint64_t launches = 0;     // compared line by line
  std::uint64_t not_counted = 0;  // by neither device, so that there is nothing to compare
  std::uint64_t unmeasured = 0;   // that the second device has not made: new since then
  std::vector<Figure> figures;    // the counters of the file, and excessive wavefronts
  std::vector<Disagreement> disagreements;
  std::vector<KnownDifference> stale;  // listed, but there is no such disagreement

  // Something was compared, and every disagreement is listed, and the other way around.
  bool AsExpected() const;
};

// Launches are matched by subject, case and index. `second` may lack some, not the other way
// around.
Comparison Compare(const Measurements& first, const Measurements& second,
                   const std::vector<KnownDifference>& known);

// A row for the list of known disagreements for each that is not on it, once a cause stands in
// place of "?".
std::string RowsFor(const Comparison& comparison);

// For people: the figures, each disagreement that is not listed, and counts of those that are, by
// cause; with `all`, the listed ones too.
std::string ToText(const Comparison& comparison, bool all);

}  // namespace warpcheck::parity
