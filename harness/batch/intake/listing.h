// Lists the files of an export, or of one hand-in, whether they lie in a folder or in an archive.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/record.h"
#include "base/result.h"

namespace warpcheck::batch {

// A submission or a file that is not graded, with the reason that the instructor is shown.
struct Excluded {
  std::string what;    // its name in the export; may contain any UTF-8
  std::string reason;  // a sentence without a period that says what to do
  // The student whose submission it is, as in Entry; empty if it belongs to no student.
  std::string id{};
  std::string name{};
  std::vector<std::string> known_as{};
};

struct File {
  // A relative path in UTF-8, with '/' between its parts; the name of a folder ends with '/'.
  std::string name;
  // The path of its bytes. It is empty for a folder, and for a file that is never read because it
  // is not a source, an archive or a platform's list of submissions.
  std::filesystem::path contents{};
  // Why this file makes the whole hand-in refused: "is a symbolic link: ..."; empty for most files.
  std::string problem{};

  friend bool operator==(const File&, const File&) = default;
};

struct Listing {
  std::vector<File> files;  // sorted by name: the folders of the first level, and all files
  // Entries with names that cannot be used, such as "../x" or a name that is not UTF-8.
  std::vector<Excluded> rejected{};
};

// The name of the file in which Gradescope's exports list the submissions (docs/batch_layouts.md).
inline constexpr std::string_view kGradescopeList = "submission_metadata.yml";

// Lists the files below a folder, without those that are ignored (IsIgnored). A repository's .git
// is listed as "name/.git", without its contents. Fails if a folder cannot be read, or if there are
// more than 200,000 files.
Result<Listing> ListFolder(const std::filesystem::path& folder);

// Sorts the files and drops those that are ignored. Keeps one entry for each "name/.git".
void SortAndFilter(std::vector<File>& files);

// Returns the most bytes that a file with this name may have, depending on its use as a source, an
// archive or a list; 0 for a file that is never read.
std::uint64_t MaxBytes(std::string_view name);

WARPCHECK_FIELDS(Excluded, what, reason);
WARPCHECK_FIELDS_IF_CHANGED(Excluded, id, name, known_as);

}  // namespace warpcheck::batch
