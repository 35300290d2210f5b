// A submission's source for a page, line by line: what each line costs, and what is wrong with it.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "grading/grade.h"
#include "report/page_template.h"

namespace warpcheck {

// Statements of a source that are shown in reports.

// What stands in line `line` (from 1) of C++ text, as one line without indentation: the whole
// statement where it is written over several lines, up to kMostStatementLines of them. Empty beyond
// the text.
std::string StatementAt(std::string_view text, int line);

inline constexpr int kMostStatementLines = 6;

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

// What C++ and CUDA text consists of, for its colours.

// A stretch of the text, [begin, end).
struct CodePart {
  std::size_t begin = 0;
  std::size_t end = 0;
  const char* kind = "";  // "keyword", "cuda", "string", "literal", "comment", "directive"

  friend bool operator==(const CodePart&, const CodePart&) = default;
};

// In order, without those that have no colour. Any text gives an answer; of one that is no C++ some
// lines may have none. No part begins or ends within a character of UTF-8.
std::vector<CodePart> CodeParts(std::string_view text);

}  // namespace warpcheck
