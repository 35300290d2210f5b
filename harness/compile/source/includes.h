// This file finds the headers that a submission includes beside its own files, and lines that could
// hide one. The preprocessor's output names the headers, whatever macros, conditions and paths an
// #include line is made of.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "compile/source/sources.h"

namespace warpcheck::compile {

// A header that one of the submission's own files includes by itself.
struct Include {
  SourceLocation where;  // the line that includes it
  std::string path;      // the path at which it was found
};

// The preprocessor's output about the submission's own files. Their names are relative to its
// folder.
struct OwnFiles {
  std::vector<std::string> names;  // the files that were read, each once
  std::vector<Include> includes;
  // A line `#include ...` that a macro made. The preprocessor passes it on, and the compiler behind
  // it obeys.
  std::optional<SourceLocation> made_by_macro;
};

// Reads the preprocessor's output. The submission's files lie in `folder`.
OwnFiles ReadPreprocessed(std::string_view preprocessed, const std::string& folder);

// Says whether the header at `path` is one of `allowed` (Language::allow).
bool IsAllowed(const std::string& path, const std::vector<std::string>& allowed);

// Returns the path as an #include line names it, such as "cub/block/block_reduce.cuh".
std::string NameOfHeader(const std::string& path);

// Finds a line like `# 1 "file" 1` in the files of `sources` called `names`. Compilers write such
// lines for themselves, to say that another file begins; in a submission one would hide what is
// included after it, even in a raw string, since the preprocessor passes it on. Also returns the
// place where comments and literals are too confusing to tell.
std::optional<SourceLocation> FindLineMarker(const Sources& sources,
                                             const std::vector<std::string>& names);

}  // namespace warpcheck::compile
