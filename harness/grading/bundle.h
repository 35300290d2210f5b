// An assignment as one file that students are given, NAME.warp: a tar archive, packed by gzip, of
// a course that has this assignment alone (assignments.h).
//
//   bundle.json                       which format, which warpcheck made it, which assignment
//   assignments/NAME/rubric.toml
//   assignments/NAME/NAME.h
//   build/NAME_checks                 holds nothing of the reference
//
// A bundle holds a program, so that nothing of it is read before it is known to be the file that
// somebody vouches for, by its SHA-256: a handout's Makefile does. Equal contents make equal files.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "grading/assignments.h"

namespace warpcheck {

// Bundles are called so, and assignments cannot be.
inline constexpr std::string_view kBundleEnding = ".warp";

// Its bytes, packed by GNU tar. `checks`: the checks program that goes into it; `version`: of this
// warpcheck.
Result<std::string> PackBundle(const Assignment& assignment, const std::filesystem::path& checks,
                               std::string_view version);

struct BundleReader {
  std::string version;              // of this warpcheck: its checks programs belong to it
  std::string trusted;              // the SHA-256 that somebody vouches for; may be empty
  std::filesystem::path cache;      // bundles are unpacked below it, once
  std::filesystem::path libraries;  // of this warpcheck, for the checks program
};

// The course in it. Fails on what is no bundle, is not trusted, or was made by another warpcheck.
Result<Course> OpenBundle(const std::filesystem::path& bundle, const BundleReader& reader);

}  // namespace warpcheck
