// This file finds the headers that a submission includes beside its own files, and what would hide
// one. The preprocessor's output names them, whatever macros, conditions and paths an #include line
// is made of.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "compile/sources.h"

namespace warpcheck::compile {

// A header that one of the submission's own files includes by itself.
struct Include {
  SourceLocation where;  // of the line that includes it
  std::string path;      // where it was found
};

// What the preprocessor's output says of the submission's own files. Their names are relative to
// its folder.
struct OwnFiles {
  std::vector<std::string> names;  // of those that were read, each once
  std::vector<Include> includes;
  // A line `#include ...` that a macro made. The preprocessor passes it on, and the compiler behind
  // it obeys.
  std::optional<SourceLocation> made_by_macro;
};

// `folder`: where the submission's files lie.
OwnFiles ReadPreprocessed(std::string_view preprocessed, const std::string& folder);

// Says whether the header at `path` is one of `allowed` (Language::allow).
bool IsAllowed(const std::string& path, const std::vector<std::string>& allowed);

// "cub/block/block_reduce.cuh": the path as an #include line names it.
std::string NameOfHeader(const std::string& path);

// A line `# 1 "file" 1` is for compilers alone: it says that another file begins, which would hide
// what is included after it. In a raw string it does so in the preprocessor's output. The first
// such line of these files of the sources; also where comments and literals are written so that
// nobody can tell.
std::optional<SourceLocation> FindLineMarker(const Sources& sources,
                                             const std::vector<std::string>& names);

}  // namespace warpcheck::compile
