// Writes a dumped array as text, for people.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "results/array_dump.h"

namespace warpcheck {

// Returns got - expected for each element. It is 0 for elements that are equal or both NaN, and NaN
// for an element that was never written.
std::vector<double> DifferencesOf(const ArrayDump& dump);

// Each returns a text with a row for each row of the array; lines with '#' explain it. "!" follows
// a wrong element, and "_" stands for an element that was never written. Of a large array there are
// the rows and columns around the first wrong element. `title` says which array it is.
std::string ExpectedText(const ArrayDump& dump, const std::string& title);
std::string GotText(const ArrayDump& dump, const std::string& title);
std::string DifferenceText(const ArrayDump& dump, const std::string& title);

}  // namespace warpcheck
