// Packs an assignment into one file for students, NAME.warp, and opens it again. The file is a tar
// archive, packed by gzip, of a course with this single assignment (assignments.h).
//
//   bundle.json                       the format, the version of warpcheck, the assignment's name
//   assignments/NAME/rubric.toml
//   assignments/NAME/NAME.h
//   build/NAME_checks                 the checks program, without the reference
//
// A bundle holds a program. So it is read only if its SHA-256 is the one that the reader trusts,
// which the Makefile of a handout names. Equal contents make equal files.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "grading/assignments.h"

namespace warpcheck {

// The names of bundles end with this text. Names of assignments cannot end with it.
inline constexpr std::string_view kBundleEnding = ".warp";

// Says whose machine a bundle is for. One for students has no hidden criteria in its rubric; its
// checks program has their tests, but reports nothing of them.
enum class BundleFor { kStudents, kStaff };

// Returns the bytes of a bundle. `checks` is the checks program that goes into it, `version` the
// version of this warpcheck.
Result<std::string> PackBundle(const Assignment& assignment, const std::filesystem::path& checks,
                               std::string_view version, BundleFor reader = BundleFor::kStudents);

struct BundleReader {
  std::string version;          // the version of this warpcheck, which must have made the bundle
  std::string trusted;          // the SHA-256 that is trusted; may be empty
  std::filesystem::path cache;  // bundles are unpacked once, below this folder
  std::filesystem::path libraries;  // this warpcheck's libraries, for the checks program
};

// Returns the course in a bundle. Fails if the file is not a bundle, is not trusted, or was made by
// another version of warpcheck.
Result<Course> OpenBundle(const std::filesystem::path& bundle, const BundleReader& reader);

}  // namespace warpcheck
