// Tests that includes run downwards only: a folder of the harness may include itself and the
// folders below it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files.h"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;

// The folders have the order of harness/CMakeLists.txt, from the bottom up.
constexpr auto kLayers = std::to_array<std::string_view>(
    {"base",       "cpptext",     "process", "debuginfo",   "hostwatch", "device",
     "hardware",   "order",       "ptx",     "experiments", "sandbox",   "compile",
     "emulator",   "gpu",         "cudart",  "remote",      "run",       "results",
     "provenance", "trial",       "checks",  "grading",     "report",    "host",
     "similarity", "class_pages", "batch",   "lab",         "proof",     "cli"});

// The folders inside a folder, from the bottom up; "" stands for the files of the folder itself.
struct Rooms {
  std::string_view folder;
  std::span<const std::string_view> rooms;
};
constexpr auto kEmulatorRooms = std::to_array<std::string_view>(
    {"memory", "code", "decode", "lanes", "core", "record", "warps", "blocks", "access",
     "instructions", "checkers", "trace", "parallel", ""});
constexpr auto kTrialRooms = std::to_array<std::string_view>({"devices", ""});
constexpr auto kChecksRooms = std::to_array<std::string_view>({"failures", "speed", ""});
constexpr auto kBaseRooms = std::to_array<std::string_view>({"", "text", "json"});
constexpr auto kPtxRooms = std::to_array<std::string_view>({"", "analysis", "parser"});
constexpr auto kExperimentsRooms = std::to_array<std::string_view>({"", "kinds"});
constexpr auto kCompileRooms = std::to_array<std::string_view>({"source", "messages", ""});
constexpr auto kSandboxRooms = std::to_array<std::string_view>({"supervisor", "", "confine"});
constexpr auto kCudartRooms =
    std::to_array<std::string_view>({"tables", "order", "graphs", "", "calls"});
constexpr auto kGpuRooms = std::to_array<std::string_view>({"cupti", ""});
constexpr auto kBatchRooms =
    std::to_array<std::string_view>({"course", "intake", "journal", "marks", "work", "slurm"});
constexpr auto kGradingRooms = std::to_array<std::string_view>({"", "handouts"});
constexpr auto kReportRooms = std::to_array<std::string_view>(
    {"exactness", "", "timeline", "html", "dump", "terminal", "changes", "machine"});
constexpr auto kLabRooms = std::to_array<std::string_view>({"launch", "", "run", "report"});
constexpr auto kProofRooms = std::to_array<std::string_view>({"parity", "mutation"});
constexpr auto kCliRooms =
    std::to_array<std::string_view>({"run", "watch", "", "class", "measure"});
constexpr auto kRooms = std::to_array<Rooms>({{"base", kBaseRooms},
                                              {"ptx", kPtxRooms},
                                              {"experiments", kExperimentsRooms},
                                              {"sandbox", kSandboxRooms},
                                              {"compile", kCompileRooms},
                                              {"emulator", kEmulatorRooms},
                                              {"gpu", kGpuRooms},
                                              {"cudart", kCudartRooms},
                                              {"trial", kTrialRooms},
                                              {"checks", kChecksRooms},
                                              {"grading", kGradingRooms},
                                              {"report", kReportRooms},
                                              {"batch", kBatchRooms},
                                              {"lab", kLabRooms},
                                              {"proof", kProofRooms},
                                              {"cli", kCliRooms}});

// The order allows these includes, but they are forbidden: the first folder must not include the
// second.
struct Forbidden {
  std::string_view folder;
  std::string_view includes;
};
constexpr auto kForbidden = std::to_array<Forbidden>({
    // A device need not run PTX.
    {"device", "ptx"},
    // The sandbox runs any program.
    {"sandbox", "device"},
    // The two devices do not know each other.
    {"gpu", "emulator"},
    {"gpu", "ptx"},
    // The runtime works on any Device.
    {"cudart", "emulator"},
    {"cudart", "gpu"},
    {"cudart", "ptx"},
    // The order knows nothing of CUDA but streams, events and waits.
    {"order", "hardware"},
    // The protocol serves any Device.
    {"remote", "emulator"},
    {"remote", "gpu"},
    {"remote", "cudart"},
    // `warpcheck run` uses an emulator in the process of the program that it runs.
    {"run", "gpu"},
    {"run", "remote"},
    // Any Device can be watched.
    {"provenance", "emulator"},
    {"provenance", "remote"},
    // Only a process of its own (gpu_host) uses a GPU.
    {"trial", "run"},
    {"trial", "gpu"},
    {"checks", "run"},
    {"checks", "gpu"},
    // The front end never calls code that carries out the requests of a student's program.
    {"grading", "trial"},
    {"grading", "checks"},
    {"report", "trial"},
    {"report", "checks"},
    {"host", "trial"},
    {"host", "checks"},
    {"batch", "trial"},
    {"batch", "checks"},
    {"cli", "trial"},
    {"cli", "checks"},
});

std::optional<std::size_t> LayerOf(std::string_view folder) {
  const auto found = std::find(kLayers.begin(), kLayers.end(), folder);
  if (found == kLayers.end()) return std::nullopt;
  return static_cast<std::size_t>(found - kLayers.begin());
}

// Returns why a file of `folder` must not include `included` ("ptx/module.h"); empty if it may.
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

// Splits "emulator/core/warp.h" into {"emulator", "core", "warp.h"}.
std::vector<std::string> PartsOf(const fs::path& path) {
  std::vector<std::string> parts;
  for (const fs::path& part : path) parts.push_back(part.string());
  return parts;
}

// Returns the number of the room that a file lies in, by the path below harness/. Returns nothing
// if the file is in no room.
std::optional<std::size_t> RoomOf(const Rooms& rooms, const std::vector<std::string>& parts) {
  const auto found = std::ranges::find(rooms.rooms, parts.size() < 3 ? "" : parts[1]);
  if (found == rooms.rooms.end()) return std::nullopt;
  return static_cast<std::size_t>(found - rooms.rooms.begin());
}

// Returns the same for the rooms of a folder; `file` and `included` are paths below harness/.
std::string RoomObjection(const fs::path& file, const fs::path& included) {
  const std::vector<std::string> from = PartsOf(file);
  const std::vector<std::string> to = PartsOf(included);
  for (const Rooms& rooms : kRooms) {
    if (from.front() != rooms.folder || to.front() != rooms.folder) continue;
    const auto from_room = RoomOf(rooms, from);
    const auto to_room = RoomOf(rooms, to);
    if (!from_room) return "is in no room";
    if (!to_room) return "includes a room that is not listed";
    if (*to_room > *from_room) return "includes upwards";
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
  EXPECT_EQ(RoomObjection("emulator/core/warp.h", "emulator/code/step.h"), "");
  EXPECT_EQ(RoomObjection("emulator/emulator.cc", "emulator/parallel/parallel_run.h"), "");
  EXPECT_EQ(RoomObjection("emulator/code/step.h", "emulator/core/warp.h"), "includes upwards");
  EXPECT_EQ(RoomObjection("emulator/warps/run.cc", "emulator/emulator.h"), "includes upwards");
  EXPECT_EQ(RoomObjection("batch/work/batch.cc", "batch/slurm/executor.h"), "includes upwards");
  EXPECT_EQ(RoomObjection("emulator/attic/a.h", "emulator/code/step.h"), "is in no room");
  EXPECT_EQ(RoomObjection("checks/source.cc", "emulator/core/observer.h"), "");
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
      EXPECT_EQ(RoomObjection(fs::relative(entry.path(), harness), included), "")
          << entry.path() << " includes " << included;
    }
  }
  EXPECT_GT(files, 50);
}

// Returns the floors of the picture in docs/design.md, from the top down. "[name]" is a room, and
// lines of dots separate the floors.
std::vector<std::set<std::string>> FloorsOfThePicture() {
  const auto design = ReadFile(fs::path(WARPCHECK_SOURCE_DIR) / "docs/design.md");
  std::vector<std::set<std::string>> floors;
  if (!design) return floors;
  const std::string_view picture = std::string_view(*design).substr(design->find("## The rooms"));
  static const std::regex kRoom(R"re(\[([a-z_]+)\])re");
  std::istringstream lines{std::string(picture.substr(0, picture.find("\n|")))};
  bool above = false;
  for (std::string line; std::getline(lines, line);) {
    const std::sregex_iterator first(line.begin(), line.end(), kRoom), end;
    above |= line.find("····") != std::string::npos;
    if (first == end) continue;
    if (floors.empty() || std::exchange(above, false)) floors.emplace_back();
    for (auto at = first; at != end; ++at) {
      EXPECT_TRUE(floors.back().insert((*at)[1]).second) << (*at)[1] << " stands there twice";
    }
  }
  return floors;
}

TEST(Layering, ThePictureShowsEveryFolderOnItsFloor) {
  const auto floors = FloorsOfThePicture();
  EXPECT_EQ(floors.size(), 5u);
  std::map<std::string, std::size_t, std::less<>> floor_of;
  for (std::size_t i = 0; i < floors.size(); ++i) {
    for (const std::string& room : floors[i]) {
      EXPECT_TRUE(floor_of.emplace(room, i).second) << room << " is on two floors";
    }
  }
  EXPECT_EQ(floor_of.size(), kLayers.size());
  for (const std::string_view folder : kLayers) {
    ASSERT_TRUE(floor_of.contains(folder)) << folder << " is not in the picture";
    const fs::path files = fs::path(WARPCHECK_SOURCE_DIR) / "harness" / folder;
    for (const auto& entry : fs::recursive_directory_iterator(files)) {
      if (!entry.is_regular_file()) continue;
      for (const std::string& included : QuotedIncludes(*ReadFile(entry.path()))) {
        const auto target = floor_of.find(included.substr(0, included.find('/')));
        if (target == floor_of.end()) continue;  // the test IncludesRunDownwards reports these
        EXPECT_GE(target->second, floor_of.find(folder)->second)
            << entry.path() << " includes " << included << ", of a floor above";
      }
    }
  }
}

// Returns the subject of each folder, as the table in docs/design.md gives it.
std::map<std::string, std::string> SubjectsOfTheTable() {
  const auto design = ReadFile(fs::path(WARPCHECK_SOURCE_DIR) / "docs/design.md");
  std::map<std::string, std::string> subjects;
  if (!design) return subjects;
  std::istringstream lines(design->substr(design->find("| folder | subject |")));
  static const std::regex kRow(R"re(^\| `([a-z_/]+)` \| ([^|]+) \|)re");
  std::smatch row;
  for (std::string line; std::getline(lines, line) && line.starts_with('|');) {
    if (std::regex_search(line, row, kRow)) subjects[row[1]] = row[2];
  }
  return subjects;
}

// Returns the folders of harness/ with code.
std::set<std::string> FoldersWithCode() {
  const fs::path harness = fs::path(WARPCHECK_SOURCE_DIR) / "harness";
  std::set<std::string> folders;
  for (const auto& entry : fs::recursive_directory_iterator(harness)) {
    const fs::path folder = fs::relative(entry.path().parent_path(), harness);
    const std::string extension = entry.path().extension().string();
    if (extension == ".cc" || extension == ".h") folders.insert(folder.string());
  }
  for (const std::string_view folder : kLayers) folders.emplace(folder);
  return folders;
}

TEST(Layering, EachFolderHasOneSubject) {
  static const std::regex kAnd(R"re(\band\b)re");
  std::set<std::string> named;
  for (const auto& [folder, subject] : SubjectsOfTheTable()) {
    named.insert(folder);
    EXPECT_FALSE(std::regex_search(subject, kAnd)) << folder << " has two subjects: " << subject;
  }
  EXPECT_EQ(named, FoldersWithCode());
}

// Returns the names of the constants of namespaces in a file, as `pattern` finds them.
std::set<std::string> Constants(const std::string& text, const std::regex& pattern) {
  std::set<std::string> names;
  std::istringstream lines(text);
  std::smatch match;
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_search(line, match, pattern)) names.insert(match[1]);
  }
  return names;
}

// Files are compiled together. A source's constant would then hide a header's constant from the
// sources after it, without a message of the compiler.
TEST(Layering, NoConstantOfASourceIsCalledAsOneOfAHeader) {
  const std::regex of_header(R"(^inline (?:constexpr|const)\b[^=({\[]*?\b(k[A-Z]\w*)\s*[={\[(])");
  const std::regex of_source(R"(^(?:constexpr|const)\b[^=({\[]*?\b(k[A-Z]\w*)\s*[={\[(])");
  EXPECT_EQ(Constants("constexpr std::array<int, kCount> kSizes = {};", of_source),
            std::set<std::string>{"kSizes"});
  const fs::path source = WARPCHECK_SOURCE_DIR;
  std::map<std::string, fs::path> shared;
  std::vector<fs::path> sources;
  for (const char* const tree : {"harness", "tests"}) {
    for (const auto& entry : fs::recursive_directory_iterator(source / tree)) {
      if (entry.path().extension() == ".cc") sources.push_back(entry.path());
      if (entry.path().extension() != ".h") continue;
      for (const std::string& name : Constants(*ReadFile(entry.path()), of_header)) {
        shared[name] = entry.path();
      }
    }
  }
  EXPECT_GT(shared.size(), 50u);
  for (const fs::path& path : sources) {
    for (const std::string& name : Constants(*ReadFile(path), of_source)) {
      EXPECT_FALSE(shared.contains(name)) << path << " has a " << name << ", as " << shared[name];
    }
  }
}

}  // namespace
}  // namespace warpcheck
