#include "cli/class/platform_setup.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/hash.h"
#include "base/json/text.h"
#include "cli/class/filled_setting.h"
#include "grading/handouts/bundle.h"
#include "grading/handouts/tar_gz.h"
#include "host/places.h"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;

Result<std::string> Template(const fs::path& name) { return ReadFile(CourseFiles() / name); }

// Returns a script for the assignment and its bundle.
Result<std::string> Script(const fs::path& name, const PlatformSource& source) {
  auto text = WARPCHECK_TRY(Template(name));
  return FilledSetting(std::move(text), {source.assignment, FileDigest(source.bundle)}, name);
}

std::string BundleName(const PlatformSource& source) {
  return source.assignment + std::string(kBundleEnding);
}

// Returns the student's folder as an archive, in which it has the assignment's name.
Result<std::string> StudentArchive(const PlatformSource& source) {
  std::map<std::string, std::string> files;
  for (const auto& [path, text] : source.student) {
    files[(fs::path(source.assignment) / path).string()] = text;
  }
  return PackTarGz(files);
}

// Returns a table of the problems that the lab must have on Autolab: id, points and name.
std::string Problems(const PlatformSource& source) {
  std::string text = "Define these problems in the lab on Autolab: a name, and its points.\n\n";
  Points hidden;
  for (const Criterion& criterion : source.rubric.criteria) {
    if (criterion.hidden) {
      hidden += criterion.points;
      continue;
    }
    text += fmt::format("{}  {}  ({})\n", criterion.id, criterion.points.Text(), criterion.name);
  }
  if (hidden != Points()) text += fmt::format("hidden-tests  {}  (Hidden tests)\n", hidden.Text());
  return text;
}

Result<HandoutFiles> Autolab(const PlatformSource& source) {
  HandoutFiles files;
  const auto driver = WARPCHECK_TRY(Script("autolab/driver.sh", source));
  files["autograde.tar"] =
      WARPCHECK_TRY(PackTar({{"driver.sh", driver}, {BundleName(source), source.bundle}}));
  files["autograde-Makefile"] = WARPCHECK_TRY(Template("autolab/autograde-Makefile"));
  files["Dockerfile"] = WARPCHECK_TRY(Template("autolab/Dockerfile"));
  files["problems.txt"] = Problems(source);
  files[source.assignment + "-handout.tar.gz"] = WARPCHECK_TRY(StudentArchive(source));
  return files;
}

// Returns a UUID that is always the same for an assignment, because PrairieLearn knows a question
// by it. Its digits come from a hash. Its version and variant say that it is random (RFC 9562).
std::string UuidOf(const PlatformSource& source) {
  std::string digits =
      Sha256({"prairielearn", source.assignment, source.rubric.title}).substr(0, 32);
  digits[12] = '4';
  digits[16] = 'a';
  for (const std::size_t place : {20U, 16U, 12U, 8U}) digits.insert(place, "-");
  return digits;
}

std::string Renamed(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

Result<HandoutFiles> Prairielearn(const PlatformSource& source) {
  HandoutFiles files;
  const auto info = WARPCHECK_TRY(Template("prairielearn/info.json"));
  auto object = nlohmann::ordered_json::parse(info, nullptr, false);
  if (!object.is_object()) return Fail("prairielearn/info.json is not JSON");
  object["uuid"] = UuidOf(source);
  object["title"] = source.rubric.title;
  files["info.json"] = JsonText(object, 2) + "\n";
  auto question = WARPCHECK_TRY(Template("prairielearn/question.html"));
  files["question.html"] = Renamed(std::move(question), "transpose", source.assignment);
  files["image/Dockerfile"] = WARPCHECK_TRY(Template("Dockerfile"));
  files["tests/run.sh"] = WARPCHECK_TRY(Script("prairielearn/tests/run.sh", source));
  files[fs::path("tests") / BundleName(source)] = source.bundle;
  files[fs::path("clientFilesQuestion") / (source.assignment + ".tar.gz")] =
      WARPCHECK_TRY(StudentArchive(source));
  return files;
}

Result<HandoutFiles> Coursera(const PlatformSource& source) {
  HandoutFiles files;
  files["grader/Dockerfile"] = WARPCHECK_TRY(Template("coursera/Dockerfile"));
  files["grader/run.sh"] = WARPCHECK_TRY(Script("coursera/run.sh", source));
  files[fs::path("grader") / BundleName(source)] = source.bundle;
  files[source.assignment + "-handout.tar.gz"] = WARPCHECK_TRY(StudentArchive(source));
  return files;
}

// The autograder's zip holds the wheel: warpcheck-gradescope makes it of this bundle.
Result<HandoutFiles> Gradescope(const PlatformSource& source) {
  HandoutFiles files;
  files[fs::path("grader") / BundleName(source)] = source.bundle;
  files[source.assignment + "-handout.tar.gz"] = WARPCHECK_TRY(StudentArchive(source));
  return files;
}

struct Platform {
  std::string_view name;
  Result<HandoutFiles> (*setup)(const PlatformSource& source);
};
constexpr Platform kPlatforms[] = {{"autolab", Autolab},
                                   {"coursera", Coursera},
                                   {"gradescope", Gradescope},
                                   {"prairielearn", Prairielearn}};

}  // namespace

std::vector<std::string> Platforms() {
  std::vector<std::string> names;
  for (const Platform& platform : kPlatforms) names.emplace_back(platform.name);
  return names;
}

bool IsPlatform(std::string_view name) {
  return std::ranges::find(kPlatforms, name, &Platform::name) != std::end(kPlatforms);
}

Result<HandoutFiles> PlatformSetup(std::string_view platform, const PlatformSource& source) {
  return std::ranges::find(kPlatforms, platform, &Platform::name)->setup(source);
}

}  // namespace warpcheck
