#include <fmt/format.h>

#include <algorithm>

#include "base/files.h"
#include "grading/validation.h"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;

// Folders of tests/submissions/<assignment>/: what a submission itself can get.
std::optional<Verdict> VerdictOfFolder(const std::string& name) {
  for (const Verdict verdict : {Verdict::kPassed, Verdict::kFailed, Verdict::kError}) {
    if (name == Name(verdict)) return verdict;
  }
  return std::nullopt;
}

// The entries of a folder by name, none where it cannot be read.
std::vector<fs::path> Entries(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    entries.push_back(at->path());
  }
  std::ranges::sort(entries);
  return entries;
}

class Finder {
 public:
  Finder(const fs::path& home, const Assignment& assignment)
      : home_(home), name_(assignment.name) {}

  Specimens Find(const Rubric& rubric) {
    AddOwn("reference", Verdict::kPassed, rubric.Total());
    AddOwn("student_template", std::nullopt, Points());
    const fs::path tests = home_ / "tests" / "submissions" / name_;
    const std::vector<fs::path> folders = Entries(tests);
    if (folders.empty()) {
      Problem(fmt::format("there are no test submissions in {}", NameOf(tests)),
              "programs whose grade is known prove the checks: <verdict>/*.cu");
    }
    for (const fs::path& folder : folders) AddTests(folder);
    return std::move(specimens_);
  }

 private:
  // Within the course.
  std::string NameOf(const fs::path& path) const { return path.lexically_relative(home_).string(); }

  void Problem(std::string message, std::string hint) {
    specimens_.problems.push_back(Fail(std::move(message), {}, std::move(hint)).value());
  }

  // The assignment's own file in `folder`.
  void AddOwn(const char* folder, std::optional<Verdict> verdict, Points score) {
    const fs::path path = home_ / folder / (name_ + ".cu");
    std::error_code error;
    if (!fs::exists(path, error)) {
      Problem(fmt::format("there is no {}", NameOf(path)), "every assignment has one");
      return;
    }
    Specimen& specimen = specimens_.all.emplace_back();
    specimen.name = NameOf(path);
    specimen.path = path;
    specimen.verdict = verdict;
    specimen.expectation.score = score;
  }

  void AddTests(const fs::path& folder) {
    const auto verdict = VerdictOfFolder(folder.filename().string());
    if (!verdict) {
      Problem(fmt::format("{} is no verdict's folder", NameOf(folder)),
              "test submissions lie in passed/, failed/ and error/");
      return;
    }
    for (const fs::path& path : Entries(folder)) AddTest(path, *verdict);
  }

  void AddTest(const fs::path& path, Verdict verdict) {
    if (path.extension() != ".cu") {
      Problem(fmt::format("{} is no .cu file", NameOf(path)), "a test submission is a single file");
      return;
    }
    const auto source = ReadFile(path);
    auto expectation = source ? ParseExpectation(*source, NameOf(path))
                              : Result<Expectation>(tl::unexpect, source.error());
    if (!expectation) {
      specimens_.problems.push_back(expectation.error());
      return;
    }
    Specimen& specimen = specimens_.all.emplace_back();
    specimen.name = NameOf(path);
    specimen.path = path;
    specimen.verdict = verdict;
    specimen.expectation = *std::move(expectation);
  }

  const fs::path& home_;
  const std::string& name_;
  Specimens specimens_;
};

}  // namespace

Specimens FindSpecimens(const fs::path& home, const Assignment& assignment, const Rubric& rubric) {
  return Finder(home, assignment).Find(rubric);
}

}  // namespace warpcheck
