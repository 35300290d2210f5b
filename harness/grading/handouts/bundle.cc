#include "grading/handouts/bundle.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "base/files.h"
#include "base/hash.h"
#include "base/json/record.h"
#include "base/scratch_folder.h"
#include "grading/handouts/tar_gz.h"
#include "grading/rubric.h"

namespace warpcheck {

// The manifest of a bundle. Bundles of every format have these fields.
struct BundleFacts {
  int format = 1;
  std::string version;
  std::string assignment;
};
WARPCHECK_FIELDS(BundleFacts, format, version, assignment);

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxBytes = std::size_t{1}
                                  << 28;  // the most bytes of a bundle, and of its files
constexpr std::size_t kBlockBytes = std::size_t{1} << 16;
constexpr char kFacts[] = "bundle.json";

using Files = std::map<std::string, std::string>;  // contents of files by name

struct ReadCloser {
  void operator()(archive* opened) const { archive_read_free(opened); }
};

// The paths of an assignment's files in a course. The last path is that of the checks program.
std::vector<std::string> NamesIn(const std::string& assignment) {
  const std::string folder = "assignments/" + assignment;
  return {folder + "/rubric.toml", folder + "/" + assignment + ".h",
          "build/" + assignment + "_checks"};
}

tl::unexpected<Error> NoBundle(const fs::path& bundle, std::string_view why) {
  return Fail(fmt::format("{} is not a bundle of an assignment: {}", bundle.string(), why), {},
              "take the file that `warpcheck handout` made");
}

Result<Files> Unpack(const fs::path& bundle, const std::string& bytes) {
  const std::unique_ptr<archive, ReadCloser> opened(archive_read_new());
  archive_read_support_filter_gzip(opened.get());
  archive_read_support_format_tar(opened.get());
  const auto damaged = [&] {
    const char* why = archive_error_string(opened.get());
    return NoBundle(bundle, why == nullptr ? "it is damaged" : why);
  };
  if (archive_read_open_memory(opened.get(), bytes.data(), bytes.size()) != ARCHIVE_OK) {
    return damaged();
  }
  Files files;
  std::size_t left = kMaxBytes;
  for (archive_entry* entry = nullptr;;) {
    const int status = archive_read_next_header(opened.get(), &entry);
    if (status == ARCHIVE_EOF) return files;
    const char* name = status == ARCHIVE_OK ? archive_entry_pathname(entry) : nullptr;
    if (name == nullptr) return damaged();
    std::string contents;
    std::string block(kBlockBytes, '\0');
    for (la_ssize_t got = 0;;) {
      got = archive_read_data(opened.get(), block.data(), block.size());
      if (got < 0) return damaged();
      if (got == 0) break;
      if (static_cast<std::size_t>(got) > left) return NoBundle(bundle, "it is too large");
      left -= static_cast<std::size_t>(got);
      contents.append(block, 0, static_cast<std::size_t>(got));
    }
    files[name] = std::move(contents);
  }
}

Result<std::string> ReadTrusted(const fs::path& bundle, const std::string& trusted) {
  auto bytes = WARPCHECK_TRY(ReadFile(bundle, kMaxBytes));
  const std::string digest = FileDigest(bytes);
  if (trusted == digest) return bytes;
  if (trusted.empty()) {
    return Fail(
        fmt::format("{} contains a program, but it is not known to come from your course",
                    bundle.string()),
        {},
        fmt::format("`make check` in the folder of your course's handout grades with it; or ask "
                    "your course whether its SHA-256 is {}, and then add --trust and that number",
                    digest));
  }
  return Fail(fmt::format("{} is not the file that is trusted: its SHA-256 is {}, not {}",
                          bundle.string(), digest, trusted),
              {}, "it was damaged or changed: take it from the handout again");
}

Result<BundleFacts> FactsOf(const fs::path& bundle, const Files& files,
                            const std::string& version) {
  const auto text = files.find(kFacts);
  if (text == files.end()) return NoBundle(bundle, fmt::format("it has no {}", kFacts));
  auto facts = ParseRecord<BundleFacts>(text->second);
  if (!facts) return NoBundle(bundle, facts.error().message);
  if (facts->version != version || facts->format != BundleFacts().format) {
    return Fail(
        fmt::format("{} was made by {}, and this is {}", bundle.string(), facts->version, version),
        {}, "install that version, or ask your course for a new handout");
  }
  for (const std::string& name : NamesIn(facts->assignment)) {
    if (!files.contains(name)) return NoBundle(bundle, fmt::format("it has no {}", name));
  }
  return facts;
}

Result<> WriteInside(const fs::path& folder, const std::string& name, const std::string& bytes) {
  const fs::path path = folder / name;
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  return WriteFile(path, bytes);
}

bool IsComplete(const fs::path& folder, const std::string& assignment) {
  return std::ranges::all_of(NamesIn(assignment), [&](const std::string& name) {
    std::error_code error;
    return fs::exists(folder / name, error);
  });
}

}  // namespace

Result<std::string> PackBundle(const Assignment& assignment, const fs::path& checks,
                               std::string_view version, BundleFor reader) {
  const BundleFacts facts = {.version = std::string(version), .assignment = assignment.name};
  Files files = {{kFacts, JsonText(ToJson(facts)) + "\n"}};
  const std::vector<std::string> names = NamesIn(assignment.name);
  const fs::path contents[] = {assignment.rubric, assignment.header, checks};
  for (std::size_t i = 0; i < names.size(); ++i) {
    files[names[i]] = WARPCHECK_TRY(ReadFile(contents[i], kMaxBytes));
  }
  std::string& rubric = files[names.front()];
  if (reader == BundleFor::kStudents) rubric = RubricForStudents(rubric);
  return PackTarGz(files);
}

Result<Course> OpenBundle(const fs::path& bundle, const BundleReader& reader) {
  const auto bytes = WARPCHECK_TRY(ReadTrusted(bundle, reader.trusted));
  const auto files = WARPCHECK_TRY(Unpack(bundle, bytes));
  const auto facts = WARPCHECK_TRY(FactsOf(bundle, files, reader.version));

  const fs::path kept = reader.cache / "bundles";
  const fs::path folder = kept / Sha256({reader.trusted, reader.libraries.string()});
  const Course course = {.home = folder, .programs = folder / "build", .named = bundle};
  if (IsComplete(folder, facts.assignment)) return course;
  const auto scratch = WARPCHECK_TRY(
      ScratchFolder::MakeIn(kept, "new.", "set WARPCHECK_CACHE to a folder that can be written"));
  std::error_code error;
  for (const std::string& name : NamesIn(facts.assignment)) {
    WARPCHECK_TRY(WriteInside(scratch.path(), name, files.at(name)));
  }
  const fs::path programs = scratch.path() / "build";
  fs::permissions(programs / (facts.assignment + "_checks"), fs::perms(0755), error);
  // The checks program looks here for its libraries.
  fs::create_directory_symlink(reader.libraries, programs / "libs", error);
  // Another process may have unpacked the bundle first, and may be using it. So a complete folder
  // stays, and a damaged folder is moved away.
  fs::rename(scratch.path(), folder, error);
  if (error && !IsComplete(folder, facts.assignment)) {
    fs::remove_all(folder, error);
    fs::rename(scratch.path(), folder, error);
  }
  if (error && !IsComplete(folder, facts.assignment)) {
    return Fail(fmt::format("cannot unpack {} to {}: {}", bundle.string(), folder.string(),
                            error.message()));
  }
  return course;
}

}  // namespace warpcheck
