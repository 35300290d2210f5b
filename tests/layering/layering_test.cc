// Includes run downwards only: a folder of the harness may include itself and the folders below it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;

// From the bottom up, as in harness/CMakeLists.txt.
constexpr auto kLayers = std::to_array<std::string_view>(
    {"base", "device", "ptx", "sandbox", "build", "emulator", "gpu", "cudart", "remote", "run",
     "results", "checks", "grading", "report", "parity", "batch", "cli"});

// Beyond the order: what is above another and yet must not know it.
struct Forbidden {
  std::string_view folder;
  std::string_view includes;
};
constexpr auto kForbidden = std::to_array<Forbidden>({
    {"device", "ptx"},       // a device is more than one that runs PTX
    {"sandbox", "device"},   // runs any program
    {"gpu", "emulator"},     // two devices that know nothing of each other
    {"gpu", "ptx"},          //
    {"cudart", "emulator"},  // works on any Device
    {"cudart", "gpu"},       //
    {"cudart", "ptx"},       //
    {"remote", "emulator"},  // serves any Device
    {"remote", "gpu"},       //
    {"remote", "cudart"},    //
    {"run", "gpu"},          // an emulator, in the process of the program that it runs
    {"run", "remote"},       //
    {"checks", "run"},       //
    {"checks", "gpu"},       // a GPU is used in a process of its own (gpu_host)
    {"grading", "checks"},   // the front end never links what runs student code's requests
    {"report", "checks"},    //
    {"parity", "checks"},    //
    {"parity", "report"},    //
    {"batch", "checks"},     //
    {"batch", "parity"},     //
    {"cli", "checks"},       //
});

std::optional<std::size_t> LayerOf(std::string_view folder) {
  const auto found = std::find(kLayers.begin(), kLayers.end(), folder);
  if (found == kLayers.end()) return std::nullopt;
  return static_cast<std::size_t>(found - kLayers.begin());
}

// Why a file of `folder` must not include `included` ("ptx/module.h"); empty if it may.
std::string Objection(std::string_view folder, std::string_view included) {
  const std::string_view target = included.substr(0, included.find('/'));
  const auto from = LayerOf(folder);
  const auto to = LayerOf(target);
  if (!from) return "is in no layer";
  if (!to) return "includes a folder that is in no layer";
  if (*to > *from) return "includes upwards";
  for (const Forbidden& rule : kForbidden) {
    if (rule.folder == folder && rule.includes == target) return "includes what it must not know";
  }
  return "";
}

std::vector<std::string> QuotedIncludes(const std::string& text) {
  static const std::regex kInclude(R"re(^\s*#\s*include\s+"([^"]+)")re");
  std::vector<std::string> includes;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (std::regex_search(line, match, kInclude)) includes.push_back(match[1]);
  }
  return includes;
}

TEST(Layering, ObjectsToAnUpwardInclude) {
  EXPECT_EQ(Objection("ptx", "emulator/emulator.h"), "includes upwards");
  EXPECT_EQ(Objection("cudart", "emulator/emulator.h"), "includes what it must not know");
  EXPECT_EQ(Objection("base", "stuff/stuff.h"), "includes a folder that is in no layer");
  EXPECT_EQ(Objection("emulator", "ptx/module.h"), "");
}

TEST(Layering, FoldersOfTheHarnessAreLayers) {
  for (const auto& entry : fs::directory_iterator(fs::path(WARPCHECK_SOURCE_DIR) / "harness")) {
    if (!entry.is_directory()) continue;
    EXPECT_TRUE(LayerOf(entry.path().filename().string())) << entry.path();
  }
}

TEST(Layering, IncludesRunDownwards) {
  const fs::path harness = fs::path(WARPCHECK_SOURCE_DIR) / "harness";
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(harness)) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".h" && extension != ".cc" && extension != ".def") continue;
    ++files;
    const std::string folder = fs::relative(entry.path(), harness).begin()->string();
    const auto text = ReadFile(entry.path());
    ASSERT_TRUE(text) << text.error().Text();
    for (const std::string& included : QuotedIncludes(*text)) {
      EXPECT_EQ(Objection(folder, included), "") << entry.path() << " includes " << included;
    }
  }
  EXPECT_GT(files, 50);
}

}  // namespace
}  // namespace warpcheck
