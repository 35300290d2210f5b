// The files of an export or of one hand-in: a listing, of a folder or of an archive.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/record.h"
#include "base/result.h"

namespace warpcheck::batch {

// What is not graded, and why: shown to the instructor, never left out in silence.
struct Excluded {
  std::string what;    // as the export names it; any UTF-8
  std::string reason;  // one sentence without a period, and what to do
  // Of the student whose it is, as in Entry; empty where it is nobody's.
  std::string id{};
  std::string name{};
  std::vector<std::string> known_as{};
};

struct File {
  std::string name;  // relative, UTF-8, with '/'; of a folder it ends with '/'
  // Where its bytes are. Empty for a folder and for a file that is of no use: no source, no
  // archive, no list of submissions.
  std::filesystem::path contents{};
  std::string
      objection{};  // why the whole hand-in has to be refused: a link, an encrypted file, ...

  friend bool operator==(const File&, const File&) = default;
};

struct Listing {
  std::vector<File> files;              // sorted by name; folders of the first level, and all files
  std::vector<Excluded> unplaceable{};  // names that lead nowhere: "../x", no UTF-8
};

// A name that Gradescope's exports have (docs/batch_layouts.md).
inline constexpr std::string_view kGradescopeList = "submission_metadata.yml";

// Clutter is left out, except a mark "name/.git" for a repository.
Result<Listing> ListFolder(const std::filesystem::path& folder);

struct UnpackLimits {
  std::uint64_t entries = 0;
  std::uint64_t bytes = 0;  // of all entries together, unpacked
  std::uint64_t ratio = 0;  // of unpacked bytes to those of the archive, beyond the first megabyte
};
inline constexpr UnpackLimits kClassLimits = {
    .entries = 200'000, .bytes = std::uint64_t{8} << 30, .ratio = 1000};
inline constexpr UnpackLimits kHandInLimits = {
    .entries = 5'000, .bytes = std::uint64_t{256} << 20, .ratio = 100};

// Lists an archive (.zip, .tar, .tar.gz), and puts what is of use into `folder`, which is made:
// under numbers, so that no name in an archive is ever a path here. Fails on an archive that is
// damaged, encrypted as a whole, or beyond the limits. It is read in a confined process
// (sandbox/confine.h), which may write to `folder` alone.
Result<Listing> Unpack(const std::filesystem::path& archive, const std::filesystem::path& folder,
                       const UnpackLimits& limits);

// The same in this process, of an open file, into a folder that is there: what Unpack confines.
Result<Listing> UnpackHere(int archive, const std::filesystem::path& folder,
                           const UnpackLimits& limits);

// A listing as text, and back: what the confined process answers. It has read what strangers made,
// and may be theirs by now. So it is believed only as far as UnpackHere could have said it: paths
// that lead nowhere else, plain files in `folder` itself, no larger than their use allows. The rest
// is an error.
std::string ListingText(const Result<Listing>& listing);
Result<Listing> ListingFrom(std::string_view text, const std::filesystem::path& folder);

// Sorts the files and drops clutter, of which "name/.git" stays, once.
void Tidy(std::vector<File>& files);

// The most bytes of a file by its use: a source, an archive, a list. 0 for a file of no use.
std::uint64_t MaxBytes(std::string_view name);

WARPCHECK_FIELDS(Excluded, what, reason);
WARPCHECK_FIELDS_IF_CHANGED(Excluded, id, name, known_as);

}  // namespace warpcheck::batch
