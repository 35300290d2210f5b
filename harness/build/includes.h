// This file finds the headers that a submission includes beside its own files. The preprocessor's
// output names them, whatever macros, conditions and paths an #include line is made of.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "build/sources.h"

namespace warpcheck::build {

// A header that one of the submission's own files includes by itself.
struct Include {
  SourceLocation where;  // of the line that includes it: the file as the preprocessor names it
  std::string path;      // where it was found
};

// From the preprocessor's output. `folder`: where the submission's files lie.
std::vector<Include> IncludesIn(std::string_view preprocessed, const std::string& folder);

// Says whether the header at `path` is one of `allowed` (Language::allow).
bool IsAllowed(const std::string& path, const std::vector<std::string>& allowed);

// "cub/block/block_reduce.cuh": the path as an #include line names it.
std::string NameOfHeader(const std::string& path);

// A line `# 1 "file" 1` is for compilers alone: it says that another file begins, which would hide
// what is included after it. The first such line of the sources.
std::optional<SourceLocation> FindLineMarker(const Sources& sources);

}  // namespace warpcheck::build
