// A submission's source as HTML, line by line: what each line costs, and what is wrong with it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "grading/grade.h"

namespace warpcheck {

// HTML to be shown below a line, by file (as in Attempt::sources) and line.
using LineNotes = std::map<std::string, std::map<int, std::vector<std::string>>>;

// The id of a line in its page: "f2-17". Empty for a place that no source has.
std::string LineAnchor(const Attempt& attempt, const SourceLocation& where);

// A table for each file, with the sectors and wavefronts of all launches together. At most 20,000
// lines of at most 1,000 bytes.
std::string AnnotatedSource(const Attempt& attempt, const LineNotes& notes);

}  // namespace warpcheck
