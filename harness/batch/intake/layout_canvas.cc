// Reads Canvas's "Download Submissions". A file is named <name>[_LATE]_<user>_<attachment>_<file>,
// where <name> is the sortable name in lower case without spaces and commas. With anonymous grading
// it is named [LATE_]anon_<id>_<attachment>_<file>. A text or a link is named
// <name>[_LATE]_<user>_text.html or _link.html.
//
// The sources are lib/content_zipper.rb of canvas-lms (get_filename, add_upload_submission,
// add_text_or_url), and app/models/attachment.rb (make_unique_filename) for "-1", "-2", ... before
// the extension.
#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <map>
#include <optional>

#include "batch/intake/file_names.h"
#include "batch/intake/layout.h"

namespace warpcheck::batch {
namespace {

struct CanvasName {
  std::string student;  // such as "berganna_12345"
  std::string shown;    // such as "berganna"
  std::string user;     // such as "12345"
  bool late = false;
  std::uint64_t attachment = 0;  // 0 for a text or a link
  std::string file;              // the name that the student gave the file
};

std::optional<CanvasName> Parse(const std::string& name) {
  static const re2::RE2 kAnonymous(R"((LATE_)?anon_([A-Za-z0-9]+)_(\d{1,18})_(.+))",
                                   re2::RE2::Latin1);
  static const re2::RE2 kText(R"((.+?)(_LATE)?_(\d{1,18})_((?:text|link)\.html))",
                              re2::RE2::Latin1);
  static const re2::RE2 kUpload(R"((.+?)(_LATE)?_(\d{1,18})_(\d{1,18})_(.+))", re2::RE2::Latin1);
  CanvasName parsed;
  std::string late;
  std::string user;
  if (re2::RE2::FullMatch(name, kAnonymous, &late, &user, &parsed.attachment, &parsed.file)) {
    parsed.student = parsed.shown = "anon_" + user;
  } else if (re2::RE2::FullMatch(name, kText, &parsed.shown, &late, &user, &parsed.file) ||
             re2::RE2::FullMatch(name, kUpload, &parsed.shown, &late, &user, &parsed.attachment,
                                 &parsed.file)) {
    parsed.student = parsed.shown + "_" + user;
  } else {
    return std::nullopt;
  }
  parsed.user = std::move(user);
  parsed.late = !late.empty();
  return parsed;
}

// Returns true if there are files, and most of them have such names.
bool Recognises(const Export& exported) {
  std::size_t files = 0;
  std::size_t named = 0;
  for (const Part& part : PartsOf(exported)) {
    if (part.is_folder) continue;
    ++files;
    if (Parse(part.name)) ++named;
  }
  return named > 0 && 2 * named > files;
}

// Returns the name that a file had before Canvas numbered it: "transpose.cu" for
// "transpose-2.cu".
std::string Unnumbered(const std::string& file) {
  static const re2::RE2 kNumbered(R"((.+)-\d{1,3}(\.[^.]+|\.tar\.gz))", re2::RE2::Latin1);
  std::string name;
  std::string extension;
  return re2::RE2::FullMatch(file, kNumbered, &name, &extension) ? name + extension : file;
}

bool IsTyped(const File& file) { return file.name == "text.html" || file.name == "link.html"; }

struct Version {
  CanvasName name;
  std::string what;
  File file;
};
using Versions = std::vector<Version>;  // the versions of one file, the newest first

HandIn HandInOf(const CanvasName& name) {
  HandIn hand_in;
  hand_in.who = name.student;
  hand_in.name = name.shown;
  hand_in.late = name.late;
  hand_in.known_as = {name.user};
  hand_in.number = name.attachment;
  return hand_in;
}

void Add(const std::string& name, Version& version, HandIn& hand_in) {
  version.file.name = name;
  hand_in.what += (hand_in.what.empty() ? "" : ", ") + version.what;
  hand_in.files.push_back(std::move(version.file));
}

// Adds the hand-ins of one student. If there is one file, each version of it is a hand-in. If there
// are several files, the export does not say which versions belong together: the newest version of
// each is taken, and the others are listed as superseded.
void AddHandIns(std::map<std::string, Versions>& files, Sorted& sorted) {
  const auto attachment = [](const Version& one) { return one.name.attachment; };
  for (auto& [name, versions] : files) std::ranges::sort(versions, std::greater(), attachment);
  if (files.size() == 1) {
    for (Version& version : files.begin()->second) {
      Add(files.begin()->first, version, sorted.hand_ins.emplace_back(HandInOf(version.name)));
    }
    return;
  }
  const auto newest = std::ranges::max_element(
      files, {}, [&](const auto& file) { return attachment(file.second.front()); });
  HandIn hand_in = HandInOf(newest->second.front().name);
  for (auto& [name, versions] : files) {
    Add(name, versions.front(), hand_in);
    for (std::size_t i = 1; i < versions.size(); ++i) {
      sorted.superseded.push_back(
          {versions[i].what, fmt::format("{} counts: it is the newest", versions.front().what)});
    }
  }
  sorted.hand_ins.push_back(std::move(hand_in));
}

Result<Sorted> Sort(const Export& exported) {
  Sorted sorted;
  std::map<std::string, std::map<std::string, Versions>> students;
  for (const Part& part : PartsOf(exported)) {
    const auto parsed = part.is_folder ? std::nullopt : Parse(part.name);
    if (!parsed) {
      sorted.refused.push_back(
          {part.name,
           "its name does not have the form of Canvas: <name>_<user>_<attachment>_<file>"});
      continue;
    }
    students[parsed->student][Unnumbered(parsed->file)].push_back(
        {.name = *parsed, .what = part.name, .file = part.files.front()});
  }
  for (auto& [student, files] : students) {
    AddHandIns(files, sorted);
    const HandIn& hand_in = sorted.hand_ins.back();
    if (std::ranges::all_of(hand_in.files, IsTyped)) {
      sorted.refused.push_back(Refused(hand_in,
                                       "is a text or a link typed into Canvas, not a file: ask "
                                       "for a .cu file"));
      sorted.hand_ins.pop_back();
    }
  }
  return sorted;
}

}  // namespace

const Layout kCanvasLayout = {.name = "Canvas",
                              .expects = "<name>[_LATE]_<user>_<attachment>_<file>",
                              .recognises = Recognises,
                              .sort = Sort};

}  // namespace warpcheck::batch
