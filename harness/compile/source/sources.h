// Reads a submission's files once and within limits, so that exactly the bytes that are hashed are
// compiled.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "compile/source/request.h"

namespace warpcheck::compile {

struct SourceFile {
  std::string name;  // the path within the submission, with '/'
  std::string bytes;
};

struct Sources {
  std::vector<SourceFile> files;  // sorted by name; includes the assignment's headers, by base name
  std::vector<std::string> kernels;  // names that end in .cu, sorted
};

// Reads at most 1 MB from each file, and 8 MB and 64 files altogether. Fails for symbolic links,
// devices, pipes, names with control characters, and two .cu files of one name in different
// folders.
Result<Sources> ReadSources(const Request& request);

// Writes the files into a folder, and makes its subfolders.
Result<> WriteSources(const Sources& sources, const std::filesystem::path& folder);

}  // namespace warpcheck::compile
