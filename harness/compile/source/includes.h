// This file finds the headers that a submission includes beside its own files, and the lines that
// could hide a header. The names come from the preprocessor's output, so that macros, conditions
// and paths in #include lines do not matter.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "compile/source/language.h"
#include "compile/source/sources.h"

namespace warpcheck::compile {

// A header from outside that one of the submission's own files includes.
struct Include {
  SourceLocation where;              // the line that includes it
  std::string path;                  // the path at which it was found
  std::vector<std::string> reads{};  // the paths of the files that it includes itself, each once
};

// OwnFiles has what the preprocessor's output says about the submission's own files. Their names
// are relative to its folder.
struct OwnFiles {
  std::vector<std::string> names;  // the files that were read, each once
  std::vector<Include> includes;
  // A line `#include ...` that a macro made. The preprocessor passes it on, and the compiler would
  // obey it.
  std::optional<SourceLocation> made_by_macro;
};

// Reads the preprocessor's output. `folder` is the folder of the submission's files.
OwnFiles ReadPreprocessed(std::string_view preprocessed, const std::string& folder);

// Returns whether the header at `path` is in `allowed` (Language::allow).
bool IsAllowed(const std::string& path, const std::vector<std::string>& allowed);

// Returns whether an #include line with this name, such as "cub/cub.cuh", includes what the
// language does not allow, as far as the name alone tells it.
bool IsForbidden(std::string_view name, const Language& language);

// Returns whether the language does not allow the header, or a header that it includes.
bool BringsForbidden(const Include& include, const Language& language);

// Returns whether an #include line of the sources names what the language does not allow, or leaves
// it to a macro what it names. The line may be one that no compiler reads.
bool MayIncludeForbidden(const Sources& sources, const Language& language);

// Returns the name by which an #include line names the header, such as
// "cub/block/block_reduce.cuh".
std::string NameOfHeader(const std::string& path);

// Finds a line like `# 1 "file" 1` in the files of `sources` called `names`. Compilers write such
// lines themselves, to say that another file begins. In a submission such a line would hide the
// headers that are included after it, even in a raw string, because the preprocessor passes it on.
// If comments and literals are too confusing to tell them apart, returns their place too.
std::optional<SourceLocation> FindLineMarker(const Sources& sources,
                                             const std::vector<std::string>& names);

}  // namespace warpcheck::compile
