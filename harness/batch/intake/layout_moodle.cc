// Reads Moodle's "Download all submissions": a folder <name>_<id>_assignsubmission_file[_]/ for
// each student. If "Download submissions in folders" is off, there are files
// <name>_<id>_assignsubmission_file_<file> instead. Other plugins (onlinetext) have their name in
// place of "file". A name contains no '_'. With anonymous marking it is "Participant". For teams it
// is the group's name, and students without a group have no id.
//
// The source is mod/assign/classes/downloader.php of moodle (get_student_prefix,
// load_submissionplugin_filelist). Older versions write the '_' at the end of a folder's name:
// mod/assign/locallib.php (download_submissions).
#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <map>
#include <optional>

#include "batch/intake/layout.h"

namespace warpcheck::batch {
namespace {

struct MoodleName {
  std::string student;  // such as "Anna Berg_12345"
  std::string shown;    // such as "Anna Berg"
  std::string id;       // such as "12345"; may be empty
  std::string plugin;   // the plugin, such as "file"
  std::string file;     // the file in an export without folders; otherwise empty
};

std::optional<MoodleName> Parse(const std::string& name) {
  static const re2::RE2 kName(R"(([^_]+)(_\d{1,18})?_assignsubmission_([a-z]+)(?:_(.*))?)",
                              re2::RE2::Latin1);
  MoodleName parsed;
  std::string id;
  if (!re2::RE2::FullMatch(name, kName, &parsed.shown, &id, &parsed.plugin, &parsed.file)) {
    return std::nullopt;
  }
  parsed.student = parsed.shown + id;
  if (!id.empty()) parsed.id = id.substr(1);
  return parsed;
}

bool Recognises(const Export& exported) {
  return std::ranges::any_of(PartsOf(exported),
                             [](const Part& part) { return Parse(part.name).has_value(); });
}

Result<Sorted> Sort(const Export& exported) {
  Sorted sorted;
  std::map<std::string, HandIn> students;
  std::map<std::string, std::string> typed;  // the plugin of a typed submission, by student
  for (Part& part : PartsOf(exported)) {
    const auto parsed = Parse(part.name);
    if (!parsed) {
      sorted.refused.push_back(
          {part.name,
           "its name does not have the form of Moodle: <name>_<id>_assignsubmission_file"});
      continue;
    }
    HandIn& hand_in = students[parsed->student];
    hand_in.who = parsed->student;
    hand_in.name = parsed->shown;
    if (!parsed->id.empty()) hand_in.known_as = {parsed->id};
    if (hand_in.what.empty() || parsed->plugin == "file") hand_in.what = part.name;
    if (parsed->plugin != "file") {  // the student typed it into the browser
      typed[parsed->student] = parsed->plugin;
      continue;
    }
    for (File& file : part.files) {
      if (!part.is_folder) file.name = parsed->file;
      hand_in.files.push_back(std::move(file));
    }
  }
  for (auto& [student, hand_in] : students) {
    const auto text = typed.find(student);
    if (hand_in.files.empty() && text != typed.end()) {
      sorted.refused.push_back(
          Refused(hand_in, fmt::format("was typed into Moodle ({}), not handed in "
                                       "as a file: ask for a .cu file",
                                       text->second)));
      continue;
    }
    sorted.hand_ins.push_back(std::move(hand_in));
  }
  return sorted;
}

}  // namespace

const Layout kMoodleLayout = {.name = "Moodle",
                              .expects = "<name>_<id>_assignsubmission_file_/*.cu",
                              .recognises = Recognises,
                              .sort = Sort};

}  // namespace warpcheck::batch
