// Shows a submission's source on a page: each line with its costs and the remarks about it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "grading/grade.h"
#include "report/html/page_template.h"

namespace warpcheck {

// The remarks about a line.
struct LineRemarks {
  std::vector<PageModel> notes{};  // the data of {{> note}}, shown below the line
  bool loses = false;              // true if points were lost at the line
  // True if points were lost for the line's accesses to that memory, whose cost is then shown in
  // red.
  bool loses_global = false;
  bool loses_shared = false;
};

// The remarks by file (a key of Attempt::sources) and line.
using SourceRemarks = std::map<std::string, std::map<int, LineRemarks>>;

// Returns the id of a line in its page, such as "f2-17"; empty if no source has this place.
std::string LineAnchor(const Attempt& attempt, const SourceLocation& where);

// Returns the data of {{> source}}: a table for each file, with coloured syntax. Each line has its
// sectors and wavefronts over all launches, as numbers and as bars. A full bar is the cost of the
// most expensive line of all files. At most 20,000 lines of at most 1,000 bytes are shown.
PageModel SourceModel(const Attempt& attempt, const SourceRemarks& remarks);

}  // namespace warpcheck
