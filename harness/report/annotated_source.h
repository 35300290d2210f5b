// A submission's source as HTML, line by line: what each line costs, and what is wrong with it.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "grading/grade.h"

namespace warpcheck {

// Statements of a source that are shown in reports.

// What stands in line `line` (from 1) of C++ text, as one line without indentation: the whole
// statement where it is written over several lines, up to kMostStatementLines of them. Empty beyond
// the text.
std::string StatementAt(std::string_view text, int line);

inline constexpr int kMostStatementLines = 6;

// HTML to be shown below a line, by file (as in Attempt::sources) and line.
using LineNotes = std::map<std::string, std::map<int, std::vector<std::string>>>;

// The id of a line in its page: "f2-17". Empty for a place that no source has.
std::string LineAnchor(const Attempt& attempt, const SourceLocation& where);

// A table for each file, with the sectors and wavefronts of all launches together. At most 20,000
// lines of at most 1,000 bytes.
std::string AnnotatedSource(const Attempt& attempt, const LineNotes& notes);

}  // namespace warpcheck
