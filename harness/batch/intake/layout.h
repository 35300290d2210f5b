// A Layout says how a learning platform names the submissions in its exports.
//
// To add a layout, write a file layout_<name>.cc that defines k<Name>Layout, and add its row to
// layouts.def; describe it in docs/batch_layouts.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "batch/intake/listing.h"
#include "batch/intake/roster.h"

namespace warpcheck::batch {

// A HandIn has the files that one student, or one team, handed in at one time.
struct HandIn {
  std::string who;            // the student in the export: equal for all hand-ins of one student
  std::string name;           // the name to show
  std::string what;           // the hand-in's name in the export
  std::vector<File> files{};  // names relative to the hand-in
  std::string submitted{};    // the time, as in Entry
  bool late = false;          // true if the platform marked it as late
  std::vector<std::string> known_as{};  // the numbers and addresses of the student, as in Entry
  // Increases with each hand-in of a student; 0 if the export has no numbers.
  std::uint64_t number = 0;
  // Its number from 1 if several hand-ins of the student are graded, otherwise 0.
  std::size_t of_several = 0;
};

// Returns the entry for a hand-in that is refused.
Excluded Refused(const HandIn& hand_in, std::string reason);

struct Export {
  std::string name;  // the name of its folder or archive
  std::vector<File> files;
};

struct Sorted {
  std::vector<HandIn> hand_ins{};
  std::vector<Excluded> superseded{};
  std::vector<Excluded> refused{};
};

struct Layout {
  std::string_view name;     // such as "Canvas"
  std::string_view expects;  // the names that it expects, as a text for people
  bool (*recognises)(const Export&);
  Result<Sorted> (*sort)(const Export&);  // fails if the export as a whole cannot be read
};

#define WARPCHECK_LAYOUT(name) extern const Layout k##name##Layout;
#include "batch/intake/layouts.def"
#undef WARPCHECK_LAYOUT

// Returns all layouts, in the order of layouts.def.
std::span<const Layout* const> Layouts();

// The two parts of a name that is split at its first '/': "anna/src/x.cu" gives "anna" and
// "src/x.cu". `rest` is empty for a file of the first level.
struct Split {
  std::string_view first;
  std::string_view rest;
};
Split SplitName(std::string_view name);

// A folder or a file at the first level of an export.
struct Part {
  std::string name;
  bool is_folder = false;
  std::vector<File> files{};  // a folder's files, named relative to it; or the file itself
};
// Groups the files by the first part of their names, sorted by it.
std::vector<Part> PartsOf(const Export& exported);

}  // namespace warpcheck::batch
