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

// Something that is not graded, with the reason, which the instructor is shown.
struct Excluded {
  std::string what;    // its name in the export; any UTF-8
  std::string reason;  // a sentence without a period, which says what to do
  // The student whose submission it is, as in Entry; empty if it is nobody's.
  std::string id{};
  std::string name{};
  std::vector<std::string> known_as{};
};

struct File {
  std::string name;  // relative, UTF-8, with '/' between its parts; a folder's name ends with '/'
  // The path of its bytes. Empty for a folder, and for a file that is never read, because it
  // is not a source, an archive or a platform's list of submissions.
  std::filesystem::path contents{};
  // Why the whole hand-in is refused because of this file: "is a symbolic link: ..."; mostly empty.
  std::string problem{};

  friend bool operator==(const File&, const File&) = default;
};

struct Listing {
  std::vector<File> files;  // sorted by name: the folders of the first level, and all files
  std::vector<Excluded> rejected{};  // entries whose names cannot be used: "../x", not UTF-8
};

// The file in which Gradescope's exports list the submissions (docs/batch_layouts.md).
inline constexpr std::string_view kGradescopeList = "submission_metadata.yml";

// Lists the files below a folder, without those that are ignored (IsIgnored); a repository's .git
// stays, as the entry "name/.git" without its contents. Fails if a folder cannot be read, and
// beyond 200,000 files.
Result<Listing> ListFolder(const std::filesystem::path& folder);

// Sorts the files and drops those that are ignored; of each "name/.git" one entry stays.
void SortAndFilter(std::vector<File>& files);

// Returns how many bytes a file with this name may have, by its use as a source, an archive or a
// list; 0 for a file that is never read.
std::uint64_t MaxBytes(std::string_view name);

WARPCHECK_FIELDS(Excluded, what, reason);
WARPCHECK_FIELDS_IF_CHANGED(Excluded, id, name, known_as);

}  // namespace warpcheck::batch
