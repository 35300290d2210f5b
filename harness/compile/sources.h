// A submission's files, read once and within bounds: what is compiled is what was hashed.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "compile/builder.h"

namespace warpcheck::compile {

struct SourceFile {
  std::string name;  // relative to the submission, with '/'
  std::string bytes;
};

struct Sources {
  std::vector<SourceFile> files;     // sorted by name; the headers' base names among them
  std::vector<std::string> kernels;  // the names that end in .cu, sorted
};

// At most 1 MB a file, 8 MB and 64 files altogether. Symbolic links, devices and pipes are refused,
// and so are names with control characters, and two .cu files of one name in different folders.
Result<Sources> ReadSources(const Request& request);

}  // namespace warpcheck::compile
