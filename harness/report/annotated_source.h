// A submission's source for a page, line by line: what each line costs, and what is wrong with it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "grading/grade.h"
#include "report/page_template.h"

namespace warpcheck {

// What a page has to say of a line.
struct LineRemarks {
  std::vector<PageModel> notes{};  // for {{> note}}, shown below it
  bool loses = false;              // points were lost at it
  // By its accesses to that memory: what they cost too much is shown in red.
  bool loses_global = false;
  bool loses_shared = false;
};

// By file (as in Attempt::sources) and line.
using SourceRemarks = std::map<std::string, std::map<int, LineRemarks>>;

// The id of a line in its page: "f2-17". Empty for a place that no source has.
std::string LineAnchor(const Attempt& attempt, const SourceLocation& where);

// For {{> source}}: a table for each file, in the colours of its syntax, with the sectors and
// wavefronts of all launches together: as numbers, and as bars whose whole length is the costliest
// line of all files. At most 20,000 lines of at most 1,000 bytes.
PageModel SourceModel(const Attempt& attempt, const SourceRemarks& remarks);

}  // namespace warpcheck
