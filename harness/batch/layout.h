// The layouts that exports have: what each is known by, and how its files become hand-ins. A new
// one is a file layout_<name>.cc, a row in layouts.cc and a section in docs/batch_layouts.md.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "batch/files.h"
#include "batch/roster.h"

namespace warpcheck::batch {

// What one student, or one team, handed in at one time.
struct HandIn {
  std::string who;   // the student as the export knows them: equal for hand-ins of one student
  std::string name;  // as to be shown
  std::string what;  // as the export names it
  std::vector<File> files{};  // names relative to the hand-in
  std::string submitted{};    // as in Entry
  bool late = false;
  std::vector<std::string> known_as{};  // numbers and addresses of the student, as in Entry
  std::uint64_t number = 0;  // grows from one hand-in of a student to the next, where there is one
  std::size_t of_several = 0;  // from 1, in their order, where several of a student are graded
};

Excluded Refused(const HandIn& hand_in, std::string reason);

struct Export {
  std::string name;  // of its folder or archive
  std::vector<File> files;
};

struct Sorted {
  std::vector<HandIn> hand_ins{};
  std::vector<Excluded> superseded{};
  std::vector<Excluded> refused{};
};

struct Layout {
  std::string_view name;     // "Canvas"
  std::string_view expects;  // for people: what it looks like
  bool (*recognises)(const Export&);
  Result<Sorted> (*sort)(const Export&);
};

extern const Layout kGradescopeLayout;
extern const Layout kMoodleLayout;
extern const Layout kCanvasLayout;
extern const Layout kClassroomLayout;

// The first that recognises an export is the one; the last recognises any.
std::span<const Layout* const> Layouts();

// "anna/src/x.cu" in "anna" and "src/x.cu"; the second is empty for a file of the first level.
struct Split {
  std::string_view first;
  std::string_view rest;
};
Split SplitName(std::string_view name);

// The files by their first part, in order; of a file of the first level the name is kept whole.
struct Part {
  std::string name;
  bool is_folder = false;
  std::vector<File> files{};  // of a folder: names below it
};
std::vector<Part> PartsOf(const Export& exported);

}  // namespace warpcheck::batch
