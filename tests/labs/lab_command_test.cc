#include "cli/measure/lab_command.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "base/files.h"
#include "base/json/text.h"
#include "base/scratch_folder.h"
#include "cli/exit_status.h"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class LabCommandTest : public testing::Test {
 protected:
  LabCommandTest() { Serve("exec " WARPCHECK_GPU_HOST_PROGRAM " --emulator \"$@\""); }
  ~LabCommandTest() override { ::unsetenv("WARPCHECK_GPU_HOST"); }

  // Lets this line of the shell serve the GPU.
  void Serve(const std::string& line) {
    const fs::path program = Path("gpu_host");
    std::ofstream(program) << "#!/bin/sh\n" << line << "\n";
    fs::permissions(program, fs::perms::owner_all);
    ::setenv("WARPCHECK_GPU_HOST", program.c_str(), 1);
  }
  fs::path Path(const std::string& name) const { return folder_->path() / name; }

  static LabOptions Mini(const std::string& device) {
    LabOptions options;
    options.lab = WARPCHECK_TEST_DATA "/mini";
    options.device = device;
    return options;
  }

  // Runs the command and keeps what it prints.
  int Run(const LabOptions& options) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int status = LabCommand(options);
    std::fflush(stdout);
    out_ = testing::internal::GetCapturedStdout();
    error_ = testing::internal::GetCapturedStderr();
    return status;
  }

  // Returns how many lines of the text contain an argument.
  static int CallsWith(const std::string& text, const std::string& argument) {
    std::istringstream lines(text);
    int calls = 0;
    for (std::string line; std::getline(lines, line);)
      calls += line.find(argument) != std::string::npos ? 1 : 0;
    return calls;
  }

  Result<ScratchFolder> folder_ = ScratchFolder::Make();
  std::string out_, error_;
};

TEST_F(LabCommandTest, WritesEveryFile) {
  LabOptions options = Mini("gpu");
  options.sets = {"stride=1,4", "block=128"};
  options.csv = Path("a.csv");
  options.json = Path("a.json");
  options.html = Path("a.html");
  options.svg = Path("figures");
  ASSERT_EQ(Run(options), kExitFull) << error_;
  EXPECT_THAT(out_, HasSubstr("512"));
  EXPECT_THAT(*ReadFile(options.csv), HasSubstr("\n4,128,strided,512,4,"));
  EXPECT_THAT(*ReadFile(options.json), HasSubstr("\"schema\": \"warpcheck-lab-1\""));
  EXPECT_THAT(*ReadFile(options.html), HasSubstr("</html>"));
  EXPECT_THAT(*ReadFile(options.svg / "mini_1.svg"), HasSubstr("</svg>"));
}

// The lab has four lines. Sectors of stores are counted line by line, and all sectors are not.
TEST_F(LabCommandTest, CountsAllLinesInOneProcessIfTotalsSuffice) {
  Serve("echo \"$*\" >> " + Path("calls").string() +
        "; exec " WARPCHECK_GPU_HOST_PROGRAM " --emulator \"$@\"");
  fs::copy(WARPCHECK_TEST_DATA "/mini", Path("mini"), fs::copy_options::recursive);
  LabOptions options;
  options.device = "gpu";
  options.lab = Path("mini");
  options.sets = {"block=128,256"};
  ASSERT_EQ(Run(options), kExitFull) << error_;
  const std::string by_line = *ReadFile(Path("calls"));
  EXPECT_EQ(CallsWith(by_line, "--counting=lines"), 4) << by_line;
  EXPECT_EQ(CallsWith(by_line, "--counting=totals"), 0) << by_line;

  std::string toml = *ReadFile(Path("mini/lab.toml"));
  for (std::size_t at = 0; (at = toml.find("global_store_sectors")) != std::string::npos;) {
    toml.replace(at, std::string("global_store_sectors").size(), "global_sectors");
  }
  ASSERT_TRUE(WriteFile(Path("mini/lab.toml"), toml));
  fs::remove(Path("calls"));
  ASSERT_EQ(Run(options), kExitFull) << error_;
  const std::string of_totals = *ReadFile(Path("calls"));
  EXPECT_EQ(CallsWith(of_totals, "--counting=lines"), 0) << of_totals;
  EXPECT_EQ(CallsWith(of_totals, "--counting=totals"), 1) << of_totals;
  EXPECT_THAT(out_, HasSubstr("1024")) << "8 words lie between two that are stored";
}

// A GPU is there, and must not be asked.
TEST_F(LabCommandTest, CountsWhatKernelsLaunchOnTheEmulator) {
  fs::create_directories(Path("tree"));
  std::ofstream(Path("tree/tree.cu")) << R"(
extern "C" __global__ void tree(int* out, int depth) {
  atomicAdd(out, 1);
  if (depth == 0) return;
  tree<<<1, 1>>>(out, depth - 1);
  tree<<<1, 1>>>(out, depth - 1);
})";
  std::ofstream(Path("tree/lab.toml")) << R"(
title = "A tree of launches"
lecture = "none"
launches_kernels = true
axis = [{name = "depth", label = "depth", values = [0, 3], gpu_values = [9]}]
buffer = [{name = "out", bytes = 4}]
launch = {grid = 1, block = 1, arguments = ["out", "depth"]}
variant = [{name = "two children", kernel = "tree"}]
column = [{name = "launches", formula = "launches"}, {name = "warp_instructions"}]
)";
  LabOptions options;
  options.lab = Path("tree").string();
  options.device = "gpu";
  options.json = Path("tree.json");
  ASSERT_EQ(Run(options), kExitFull) << error_;
  EXPECT_THAT(out_, HasSubstr("Only the emulator runs kernels that launch kernels."));
  const auto json = nlohmann::json::parse(*ReadFile(Path("tree.json")));
  EXPECT_EQ(json["device"], "warpcheck emulator");
  ASSERT_EQ(json["rows"].size(), 2U);
  EXPECT_EQ(json["rows"][0]["launches"], 1);
  EXPECT_EQ(json["rows"][1]["launches"], 15);
  // Seven kernels launch two others, and eight none.
  EXPECT_GT(json["rows"][1]["warp_instructions"],
            14 * json["rows"][0]["warp_instructions"].get<int>());
}

TEST_F(LabCommandTest, SaysThatThereIsNoGpu) {
  Serve("exit 1");
  EXPECT_EQ(Run(Mini("gpu")), kExitUsage);
  EXPECT_EQ(out_, "");
  EXPECT_THAT(error_, HasSubstr("error: "));
}

TEST_F(LabCommandTest, ShowsWhatWasMeasuredBeforeAFault) {
  Serve("exec " WARPCHECK_GPU_HOST_PROGRAM " --emulator \"$@\"");
  LabOptions options = Mini("gpu");
  options.sets = {"block=128", "stride=1,300000"};  // the second array does not fit
  EXPECT_EQ(Run(options), kExitFault);
  EXPECT_THAT(out_, HasSubstr("128  strided      128"));
  EXPECT_THAT(error_, HasSubstr("strided at stride = 300000, block = 128: "));
}

TEST_F(LabCommandTest, ListsTheOthersBesideABrokenLab) {
  fs::create_directories(Path("course/assignments"));
  fs::create_directories(Path("course/labs"));
  fs::copy(WARPCHECK_TEST_DATA "/mini", Path("course/labs/mini"), fs::copy_options::recursive);
  fs::copy(Path("course/labs/mini"), Path("course/labs/broken"), fs::copy_options::recursive);
  std::ofstream(Path("course/labs/broken/lab.toml")) << "title = \"A\"\ntitle = \"B\"\n";
  ::setenv("WARPCHECK_COURSE", Path("course").c_str(), 1);
  LabOptions options;
  options.json = Path("labs.json");
  const int status = Run(options);
  ::unsetenv("WARPCHECK_COURSE");
  EXPECT_EQ(status, kExitFault);
  EXPECT_THAT(out_, HasSubstr("mini  "));
  EXPECT_THAT(out_, Not(HasSubstr("broken")));
  const std::string place = Path("course/labs/broken/lab.toml").string() + ":2:";
  EXPECT_THAT(error_, HasSubstr(place));
  std::map<std::string, nlohmann::json> listed;
  const nlohmann::json written = ParseJson(*ReadFile(options.json));
  for (const auto& lab : written.at("labs")) listed[lab["name"]] = lab;
  EXPECT_EQ(listed["mini"]["error"], nullptr);
  EXPECT_EQ(listed["mini"]["folder"], Path("course/labs/mini").string());
  EXPECT_EQ(listed["broken"]["title"], "");
  EXPECT_THAT(listed["broken"]["error"].get<std::string>(), HasSubstr(place));
}

TEST_F(LabCommandTest, RunsEveryLabAndComplainsAboutTheBrokenOne) {
  for (const char* const name : {"broken", "mini"}) {
    fs::create_directories(Path("course/labs") / name);
    fs::copy(WARPCHECK_TEST_DATA "/mini", Path("course/labs") / name,
             fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  }
  fs::create_directories(Path("course/assignments"));
  fs::create_directories(Path("home"));
  std::ofstream(Path("course/labs/broken/lab.toml")) << "title = \"A\"\ntitle = \"B\"\n";
  ::setenv("WARPCHECK_COURSE", Path("course").c_str(), 1);
  ::setenv("WARPCHECK_HOME", Path("home").c_str(), 1);
  LabOptions options;
  options.device = "emulator";
  options.all = Path("all");
  const int status = Run(options);
  ::unsetenv("WARPCHECK_COURSE");
  ::unsetenv("WARPCHECK_HOME");
  EXPECT_EQ(status, kExitUsage) << error_;
  EXPECT_THAT(error_, HasSubstr("broken/lab.toml:2:"));
  EXPECT_THAT(out_, HasSubstr("Storing with a stride, on warpcheck emulator"));
  for (const char* const file : {"table.csv", "lab.json", "page.html", "mini_1.svg"}) {
    EXPECT_TRUE(fs::exists(Path("all/mini") / file)) << file;
  }
}

TEST_F(LabCommandTest, ListsNothingOfACourseThatIsNotThere) {
  ::setenv("WARPCHECK_COURSE", Path("none").c_str(), 1);
  EXPECT_EQ(Run({}), kExitUsage);
  ::unsetenv("WARPCHECK_COURSE");
  EXPECT_EQ(out_, "");
  EXPECT_THAT(error_, HasSubstr("there is no course " + Path("none").string()));
}

TEST_F(LabCommandTest, SaysWhatIsWrongWithItsOptions) {
  LabOptions options = Mini("emulator");
  options.sets = {"size=3"};
  EXPECT_EQ(Run(options), kExitUsage);
  EXPECT_THAT(error_, HasSubstr("the lab has no axis size"));
  options.sets = {"stride="};
  EXPECT_EQ(Run(options), kExitUsage);
  EXPECT_THAT(error_, HasSubstr("--set stride= has no values"));
  options.all = Path("all");
  EXPECT_EQ(Run(options), kExitUsage);
  EXPECT_THAT(error_, HasSubstr("--all runs every lab as it is"));
  options.all.clear();
  options.lab = "";
  EXPECT_EQ(Run(options), kExitUsage);
  EXPECT_THAT(error_, HasSubstr("need the name of a lab"));
  options.lab = "/nonexistent/lab";
  EXPECT_EQ(Run(options), kExitUsage);
  EXPECT_THAT(error_, HasSubstr("/nonexistent/lab has no lab.toml"));
}

}  // namespace
}  // namespace warpcheck
