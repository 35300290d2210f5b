// Lines of calls of the CUDA runtime in the host's code, which no device knows: added to what is
// said of such a call, from the text of the submission.
#pragma once

#include <map>
#include <string>

#include "results/results.h"

namespace warpcheck {

// Behind the name of a call that wrote too little, wrote what has to stay, or allocated too little,
// adds the lines that make such a call, where they are few: "cudaMemset (line 22) wrote ...".
// `sources`: the submission's files, their text by their name.
void AddCallLines(ChecksReport& report, const std::map<std::string, std::string>& sources);

}  // namespace warpcheck
