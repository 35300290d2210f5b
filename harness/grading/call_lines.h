// Adds line numbers to complaints about calls of the CUDA runtime. A device does not know the line
// of a call, so it is searched in the text of the submission.
#pragma once

#include <map>
#include <string>

#include "results/results.h"

namespace warpcheck {

// For each complaint that blames a call (Complaint::call), adds the lines with such a call where
// its message, or else its hint, first names it, if they are few: "cudaMemset (line 22) wrote ...".
// `sources` are the texts of the submission's files by name.
void AddCallLines(ChecksReport& report, const std::map<std::string, std::string>& sources);

}  // namespace warpcheck
