#include "batch/intake/roster.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "batch/course/lateness.h"
#include "batch/course/row_finder.h"
#include "batch/course/student_names.h"
#include "batch/intake/collect.h"
#include "batch/intake/file_names.h"
#include "batch/intake/layout.h"
#include "batch/intake/listing.h"
#include "batch/intake/unpack.h"

namespace warpcheck::batch {

namespace fs = std::filesystem;

std::string At(const std::string& submitted) {
  return submitted.empty() ? "" : ", of " + submitted;
}

namespace {

Result<Listing> Open(const fs::path& source, const fs::path& unpacked) {
  std::error_code failure;
  const fs::file_status status = fs::status(source, failure);
  if (!fs::exists(status)) return Fail(fmt::format("there is no {}", source.string()));
  if (fs::is_directory(status)) return ListFolder(source);
  if (!fs::is_regular_file(status) || !IsArchive(source.string())) {
    return Fail(fmt::format("{} is neither a folder nor an archive", source.string()), {},
                "give a folder, a .zip or a .tar.gz of submissions");
  }
  auto listing = Unpack(source, unpacked, kClassLimits);
  if (!listing) {
    return Fail(fmt::format("{} {}", source.string(), listing.error().message), {},
                "download or pack it again, or unpack it and give the folder");
  }
  return listing;
}

// Returns true for a file or folder that may be a hand-in, judging by its place and name.
bool IsCandidate(const Part& part) {
  return part.is_folder || IsKernel(part.name) || IsArchive(part.name);
}

const Layout& LayoutOf(const Export& exported) {
  return **std::ranges::find_if(
      Layouts(), [&](const Layout* candidate) { return candidate->recognises(exported); });
}

bool IsOfPlatform(const Export& exported) { return &LayoutOf(exported) != Layouts().back(); }

// Opens folders that contain all submissions. Most archives have one such folder, and some tools
// put it into another folder of the same name.
Export WithoutWrappers(Export exported) {
  for (;;) {
    const std::vector<Part> parts = PartsOf(exported);
    const auto wrapper = std::ranges::find_if(parts, IsCandidate);
    if (wrapper == parts.end() || !wrapper->is_folder ||
        std::ranges::count_if(parts, IsCandidate) != 1) {
      return exported;
    }
    Export inner{.name = wrapper->name, .files = wrapper->files};
    const std::vector<Part> below = PartsOf(inner);
    const auto is_kernel = [](const Part& part) { return !part.is_folder && IsKernel(part.name); };
    // Several kernels in one folder may be one student's hand-in, unless the folder has the name of
    // the whole export.
    const bool several = std::ranges::count_if(below, IsCandidate) > 1 &&
                         (wrapper->name == exported.name || std::ranges::none_of(below, is_kernel));
    const bool nested = below.size() == 1 && below[0].is_folder && below[0].name == wrapper->name;
    if (IsOfPlatform(exported) || !(several || nested || IsOfPlatform(inner))) return exported;
    exported = std::move(inner);
  }
}

// Returns the hand-in of each student that counts by the course's rule. If the best one counts,
// returns all of them, because only grades can tell. The others go to `roster` as superseded. If
// the export does not say which one counts, all of them are refused.
std::vector<HandIn> Counting(std::vector<HandIn> hand_ins, const ClassRules& rules,
                             Roster& roster) {
  const RowFinder listed = FinderOf(rules.roster);
  const auto is_on_time = [&](const HandIn& one) {
    std::vector<std::string> known_as = one.known_as;
    known_as.push_back(one.who);
    const auto row = listed.RowOf(SafeId(one.who), known_as);
    return !IsLate(one.submitted, one.late, row ? &rules.roster[*row] : nullptr, rules);
  };
  // Ranks a hand-in: of two hand-ins, the one with the larger rank counts.
  const bool on_time_first = rules.counts == Counts::kNewestOnTime;
  const auto rank = [&](const HandIn& one) {
    return std::tuple(on_time_first && is_on_time(one), one.submitted, one.number);
  };
  std::map<std::string, std::vector<HandIn>> students;
  for (HandIn& hand_in : hand_ins) students[hand_in.who].push_back(std::move(hand_in));
  std::vector<HandIn> counting;
  for (auto& [who, all] : students) {
    std::ranges::stable_sort(all, [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
    if (all.size() > 1 && rules.counts == Counts::kBest) {
      for (std::size_t i = 0; i < all.size(); ++i) {
        all[i].of_several = i + 1;
        counting.push_back(std::move(all[i]));
      }
      continue;
    }
    if (rules.counts != Counts::kFirst) std::ranges::reverse(all);
    if (all.size() > 1 && rank(all[0]) == rank(all[1])) {
      for (const HandIn& one : all) {
        roster.refused.push_back(
            Refused(one, fmt::format("{} submissions are called \"{}\", and it is not known which "
                                     "one counts: keep one of them, or rename them",
                                     all.size(), Readable(who))));
      }
      continue;
    }
    for (std::size_t i = 1; i < all.size(); ++i) {
      roster.superseded.push_back(
          {fmt::format("{} ({}{})", all[i].name, all[i].what, At(all[i].submitted)),
           fmt::format("{}{} counts: it is the {}", all[0].what, At(all[0].submitted),
                       rules.counts == Counts::kFirst        ? "first"
                       : on_time_first && is_on_time(all[0]) ? "newest on time"
                                                             : "newest")});
    }
    counting.push_back(std::move(all[0]));
  }
  return counting;
}

// Refuses hand-ins of different students for which `key` returns the same value.
template <class Key>
std::vector<HandIn> Distinct(std::vector<HandIn> hand_ins, Roster& roster, Key key,
                             const std::set<std::string>& listed, std::string_view reason) {
  std::map<std::string, std::vector<const HandIn*>> alike;  // one hand-in of each student
  std::set<std::string> students;
  for (const HandIn& hand_in : hand_ins) {
    if (students.insert(hand_in.who).second) alike[key(hand_in.who)].push_back(&hand_in);
  }
  const auto is_listed = [&](const HandIn* one) { return listed.contains(one->who); };
  std::set<std::string> told_apart;
  for (const auto& [common, several] : alike) {
    if (several.size() == 1) continue;
    if (std::ranges::all_of(several, is_listed)) {
      told_apart.insert(common);
      continue;
    }
    for (std::size_t i = 0; i < several.size(); ++i) {
      const HandIn& other = *several[i == 0 ? 1 : 0];
      roster.refused.push_back(
          Refused(*several[i], fmt::format(fmt::runtime(reason), Readable(other.what))));
    }
  }
  std::erase_if(hand_ins, [&](const HandIn& one) {
    return alike.at(key(one.who)).size() > 1 && !told_apart.contains(key(one.who));
  });
  return hand_ins;
}

void AddEntry(HandIn& hand_in, const fs::path& scratch, Roster& roster) {
  Entry entry;
  entry.id = SafeId(hand_in.who);
  if (hand_in.of_several > 0) entry.id = SubmissionId(entry.id, hand_in.of_several);
  const fs::path unpacked = scratch / "archives" / entry.id;
  const fs::path folder = scratch / "submissions" / entry.id;
  auto submission = Collect(hand_in, folder, unpacked);
  std::error_code ignored;
  fs::remove_all(unpacked, ignored);
  if (!submission) {
    fs::remove_all(folder, ignored);
    roster.refused.push_back(Refused(hand_in, submission.error().message));
    return;
  }
  entry.known_as = std::move(hand_in.known_as);
  entry.known_as.push_back(hand_in.who);
  entry.name = std::move(hand_in.name);
  entry.what = std::move(hand_in.what);
  entry.submission = std::move(*submission);
  entry.submitted = std::move(hand_in.submitted);
  entry.late = hand_in.late;
  roster.entries.push_back(std::move(entry));
}

Error NothingToGrade(const fs::path& source, const Roster& roster) {
  Error error{.message = fmt::format("{} has no submission that can be graded", source.string())};
  if (!roster.refused.empty()) {
    const Excluded& first = roster.refused.front();
    error.message += fmt::format(": {} was refused, {}", first.what, first.reason);
    if (roster.refused.size() > 1)
      error.message += fmt::format(" (and {} more)", roster.refused.size() - 1);
  }
  error.hint = "expected one of:";
  for (const Layout* layout : Layouts()) {
    error.hint += fmt::format("\n    {}: {}", layout->name, layout->expects);
  }
  return error;
}

}  // namespace

Result<Roster> ReadRoster(const fs::path& source, const fs::path& scratch,
                          const ClassRules& rules) {
  std::error_code failure;
  for (const char* part : {"export", "archives", "submissions"}) {
    fs::remove_all(scratch / part, failure);
    if (failure) break;
  }
  if (!failure) fs::create_directories(scratch, failure);
  if (failure) {
    return Fail(fmt::format("cannot empty {}: {}", scratch.string(), failure.message()));
  }
  auto listing = WARPCHECK_TRY(Open(source, scratch / "export"));
  Roster roster;
  roster.refused = std::move(listing.rejected);
  const fs::path name = source.has_filename() ? source.filename() : source.parent_path().filename();
  const Export exported =
      WithoutWrappers({.name = Stem(name.string()), .files = std::move(listing.files)});
  auto sorted = WARPCHECK_TRY(LayoutOf(exported).sort(exported));
  std::ranges::move(sorted.refused, std::back_inserter(roster.refused));
  std::ranges::move(sorted.superseded, std::back_inserter(roster.superseded));
  std::set<std::string> listed;
  for (const Listed& one : rules.roster) listed.insert(one.id);
  std::vector<HandIn> hand_ins = Counting(std::move(sorted.hand_ins), rules, roster);
  hand_ins = Distinct(std::move(hand_ins), roster, CaseFolded, listed,
                      "its name and \"{}\" differ only in case or Unicode form: rename one");
  hand_ins = Distinct(
      std::move(hand_ins), roster, [](const std::string& who) { return SafeId(who); }, {},
      "its name and \"{}\" give the same file name: rename one");
  for (HandIn& hand_in : hand_ins) AddEntry(hand_in, scratch, roster);
  fs::remove_all(scratch / "export", failure);
  fs::remove_all(scratch / "archives", failure);
  std::ranges::sort(roster.entries, {}, &Entry::id);
  if (roster.entries.empty()) return Fail(NothingToGrade(source, roster));
  return roster;
}

}  // namespace warpcheck::batch
