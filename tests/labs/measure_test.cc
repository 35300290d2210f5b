#include "labs/lab/measure.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <fstream>

#include "base/files.h"
#include "base/scratch_folder.h"
#include "host/places.h"
#include "labs/lab/find_lab.h"
#include "labs/lab/tables.h"

namespace warpcheck::lab {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

const Bench kEmulator{.device = "warpcheck emulator",
                      .processes = {{"--emulator", "--counting=lines", "--launch=0"}},
                      .notes = {}};

Lab Mini() { return *ReadLab(WARPCHECK_TEST_DATA "/mini"); }

Result<Measured> RunLab(const Lab& lab, const Chosen& chosen = {}, const Bench& bench = kEmulator) {
  KernelNames names;
  const auto plan = WARPCHECK_TRY(Plan(lab, chosen, false, names));
  const auto cache = WARPCHECK_TRY(CacheFolder());
  const auto kernels = WARPCHECK_TRY(CompileKernels(lab, names, cache));
  return Measure(lab, plan, kernels, bench);
}

class Labs : public testing::Test {
 protected:
  Labs() { ::setenv("WARPCHECK_GPU_HOST", WARPCHECK_GPU_HOST_PROGRAM, 1); }
  ~Labs() override { ::unsetenv("WARPCHECK_GPU_HOST"); }

  // Lets this script of the shell serve the devices. $COUNT counts its calls.
  void GpuHost(const std::string& script) {
    const fs::path program = folder_->path() / "gpu_host";
    std::ofstream(program) << "#!/bin/sh\necho >> " << folder_->path().string()
                           << "/calls\nCOUNT=$(wc -l < " << folder_->path().string() << "/calls)\n"
                           << script << "\n";
    fs::permissions(program, fs::perms::owner_all);
    ::setenv("WARPCHECK_GPU_HOST", program.c_str(), 1);
  }

  Result<ScratchFolder> folder_ = ScratchFolder::Make();
};

// Compares with a file, which WARPCHECK_UPDATE_GOLDEN=1 writes anew.
void ExpectGolden(const std::string& text, const std::string& name) {
  const fs::path file = fs::path(WARPCHECK_TEST_DATA) / "golden" / name;
  if (::getenv("WARPCHECK_UPDATE_GOLDEN") != nullptr) {
    ASSERT_TRUE(WriteFile(file, text));
  }
  const auto golden = ReadFile(file);
  ASSERT_TRUE(golden) << golden.error().Text();
  EXPECT_EQ(text, *golden) << name;
}

TEST_F(Labs, ShowWhatWasMeasured) {
  const Lab lab = Mini();
  const auto measured = RunLab(lab);
  ASSERT_TRUE(measured) << measured.error().Text();
  ASSERT_FALSE(measured->fault) << measured->fault->Text();
  ExpectGolden(TextTable(lab, *measured), "mini.txt");
  ExpectGolden(CsvTable(lab, *measured), "mini.csv");
  ExpectGolden(JsonOf(lab, *measured), "mini.json");
  const auto figures = FiguresOf(lab, *measured);
  ASSERT_THAT(figures, SizeIs(1)) << "the emulator has no times for the second figure";
  ExpectGolden(SvgOf(figures[0]), "mini.svg");
  const std::string page = PageOf(lab, *measured);
  for (const char* text : {"<h1>Storing with a stride</h1>", "refused: cudaErrorInvalid",
                           "data:image/svg+xml,%3Csvg", "A lecture of the tests"}) {
    EXPECT_THAT(page, HasSubstr(text));
  }
}

TEST_F(Labs, CountSectorsByHand) {
  const auto measured = RunLab(Mini(), {{"block", {AxisValueOf("128")}}});
  ASSERT_TRUE(measured) << measured.error().Text();
  ASSERT_THAT(measured->rows, SizeIs(3));
  // 1024 words lie in 128 sectors; with 8 words between them each lies in its own.
  EXPECT_EQ(measured->rows[0].cells[0], 128);
  EXPECT_EQ(measured->rows[1].cells[0], 256);
  EXPECT_EQ(measured->rows[2].cells[0], 1024);
  EXPECT_EQ(measured->rows[2].cells[1], 8);
  EXPECT_EQ(measured->rows[2].cells[2], std::nullopt);
  EXPECT_EQ(measured->rows[2].cells[3], 100);
}

TEST_F(Labs, ShowARefusedLaunch) {
  const auto measured = RunLab(Mini(), {{"block", {AxisValueOf("2048")}}});
  ASSERT_TRUE(measured) << measured.error().Text();
  EXPECT_FALSE(measured->fault);
  ASSERT_THAT(measured->rows, SizeIs(3));
  EXPECT_THAT(measured->rows[0].refused, HasSubstr("cudaErrorInvalid"));
  EXPECT_THAT(TextTable(Mini(), *measured), HasSubstr("refused"));
}

TEST_F(Labs, EndWhereThereIsNoDevice) {
  GpuHost("exit 1");
  const auto measured = RunLab(Mini());
  ASSERT_TRUE(measured);
  EXPECT_THAT(measured->rows, SizeIs(0));
  ASSERT_TRUE(measured->fault);
  EXPECT_THAT(measured->fault->message, HasSubstr("strided at stride = 1, block = 128: "));
}

TEST_F(Labs, KeepTheRowsBeforeAGpuFails) {
  GpuHost("if [ $COUNT -gt 2 ]; then exit 1; fi\nexec " WARPCHECK_GPU_HOST_PROGRAM " \"$@\"");
  const Lab lab = Mini();
  const auto measured = RunLab(lab);
  ASSERT_TRUE(measured);
  EXPECT_THAT(measured->rows, SizeIs(2));
  ASSERT_TRUE(measured->fault);
  EXPECT_THAT(measured->fault->message, HasSubstr("stride = 2"));
  EXPECT_THAT(TextTable(lab, *measured), HasSubstr("128"));
  EXPECT_THAT(JsonOf(lab, *measured), HasSubstr("\"fault\": \"strided at stride = 2"));
}

TEST_F(Labs, EndWhenAKernelLeavesItsArray) {
  Lab lab = Mini();
  lab.variants[0].call.kernel = "leaves_its_array";
  const auto measured = RunLab(lab);
  ASSERT_TRUE(measured) << measured.error().Text();
  ASSERT_TRUE(measured->fault);
  EXPECT_THAT(measured->rows, SizeIs(0));
  EXPECT_THAT(measured->fault->message, HasSubstr("leaves_its_array: "));
  EXPECT_THAT(measured->fault->message, testing::Not(HasSubstr("wrong result")));
}

TEST_F(Labs, EndWhenAResultIsWrong) {
  Lab lab = Mini();
  lab.variants[0].call.kernel = "writes_nothing";
  const auto measured = RunLab(lab, {{"block", {AxisValueOf("128")}}});
  ASSERT_TRUE(measured) << measured.error().Text();
  ASSERT_TRUE(measured->fault);
  EXPECT_THAT(measured->fault->message, HasSubstr("writes_nothing gives a wrong result"));
}

TEST_F(Labs, SayWhichKernelIsMissing) {
  Lab lab = Mini();
  for (const char* name : {"missing", "missing<3>"}) {
    lab.variants[0].call.kernel = name;
    const auto measured = RunLab(lab);
    ASSERT_FALSE(measured);
    EXPECT_THAT(measured.error().Text(), HasSubstr("lab.toml:28:"));
    EXPECT_THAT(measured.error().message, HasSubstr(std::string("mini.cu has no kernel ") + name));
  }
}

TEST_F(Labs, SayThatArgumentsDoNotFit) {
  Lab lab = Mini();
  lab.variants[0].call.arguments.pop_back();
  const auto measured = RunLab(lab);
  ASSERT_TRUE(measured) << measured.error().Text();
  ASSERT_TRUE(measured->fault);
  EXPECT_THAT(measured->fault->message, HasSubstr("has 2 parameters, not 1"));
}

TEST(Plan, SaysWhichSizeIsNoSize) {
  Lab lab = Mini();
  lab.variants[0].call.grid = {*Formula::Parse("1 - stride")};
  KernelNames names;
  const auto plan = Plan(lab, {{"stride", {AxisValueOf("4")}}}, false, names);
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().message,
            "the grid is \"1 - stride\", which is -3 at stride = 4, block = 128");
}

TEST(Plan, HasOtherValuesForAGpu) {
  KernelNames names;
  const auto plan = Plan(Mini(), {}, true, names);
  ASSERT_TRUE(plan);
  EXPECT_THAT(*plan, SizeIs(4));
  EXPECT_THAT(names, SizeIs(3)) << "store<1>, store<8> and the check";
}

TEST(InstanceName, LeavesOutTypesAndBlanks) {
  EXPECT_EQ(InstanceName("void copy<4, true>(float const*, int)"), "copy<4,true>");
  EXPECT_EQ(InstanceName("void k<3u>(float*)"), "k<3>");
  EXPECT_EQ(InstanceName("void k<unsigned char>(float*)"), "k<unsignedchar>");
  EXPECT_EQ(InstanceName("k(float*)"), "k");
  EXPECT_EQ(InstanceName("k"), "k");
}

// Every lab of the project runs at the first value of each axis.
TEST_F(Labs, OfTheProjectRun) {
  ::setenv("WARPCHECK_HOME", WARPCHECK_SOURCE_DIR, 1);
  const auto folders = AllLabs();
  ::unsetenv("WARPCHECK_HOME");
  ASSERT_TRUE(folders);
  ASSERT_FALSE(folders->empty());
  for (const fs::path& folder : *folders) {
    const auto lab = ReadLab(folder);
    ASSERT_TRUE(lab) << lab.error().Text();
    EXPECT_TRUE(fs::exists(folder / "README.md")) << folder;
    Chosen first;
    for (const Axis& axis : lab->axes) first[axis.name] = {axis.values.front()};
    const auto measured = RunLab(*lab, first);
    ASSERT_TRUE(measured) << measured.error().Text();
    EXPECT_FALSE(measured->fault) << measured->fault->Text();
    EXPECT_THAT(measured->rows, SizeIs(lab->variants.size()));
    EXPECT_FALSE(MeasuredColumns(*lab, *measured).empty()) << folder;
  }
}

}  // namespace
}  // namespace warpcheck::lab
