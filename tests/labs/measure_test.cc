#include "lab/run/measure.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <stdlib.h>

#include <fstream>

#include "base/files.h"
#include "base/scratch_folder.h"
#include "host/places.h"
#include "lab/find_lab.h"
#include "lab/read_lab.h"
#include "lab/report/figures.h"
#include "lab/report/page.h"
#include "lab/report/tables.h"
#include "lab/report/timeline.h"
#include "lab/run/fit_arguments.h"

namespace warpcheck::lab {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

Lab Mini() { return *ReadLab(WARPCHECK_TEST_DATA "/mini"); }

Result<Measured> RunLab(const Lab& lab, const Chosen& chosen = {},
                        const Bench& bench = EmulatorBench()) {
  KernelNames names;
  auto plan = WARPCHECK_TRY(Plan(lab, chosen, false, names));
  const auto cache = WARPCHECK_TRY(CacheFolder());
  const auto kernels = WARPCHECK_TRY(CompileKernels(lab, names, cache));
  WARPCHECK_TRY(FitArguments(lab, kernels, plan));
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
  EXPECT_EQ(measured->notes.size(), EmulatorBench().notes.size() + 1) << "all for one reason";
  EXPECT_EQ(
      measured->notes.back(),
      "Refused with cudaErrorInvalidValue: blockDim.x is 2048 in a block of 2048x1x1 threads, "
      "and the limit is 1024: use more blocks.");
}

TEST_F(Labs, NoteMissingCountersOnlyIfAColumnNeedsThem) {
  Bench bench = EmulatorBench();
  bench.processes.front().arguments = {"--emulator", "--counting=none"};
  bench.notes.clear();
  Lab lab = Mini();
  const Chosen fits = {{"block", {AxisValueOf("128")}}};
  const auto lacking = RunLab(lab, fits, bench);
  ASSERT_TRUE(lacking) << lacking.error().Text();
  EXPECT_THAT(lacking->notes, ElementsAre("Counters are missing: counters were not asked for"));
  std::erase_if(lab.columns, [](const Column& column) { return column.name != "occupancy"; });
  const auto content = RunLab(lab, fits, bench);
  ASSERT_TRUE(content) << content.error().Text();
  EXPECT_THAT(content->notes, SizeIs(0));
}

TEST_F(Labs, SayWhichColumnDividesByZero) {
  Lab lab = Mini();
  lab.columns[1].formula = *Formula::Parse("100 / (stride - stride)");
  const auto measured = RunLab(lab, {{"block", {AxisValueOf("128")}}});
  ASSERT_TRUE(measured) << measured.error().Text();
  EXPECT_EQ(
      measured->notes.back(),
      "The column waste is not shown: its formula \"100 / (stride - stride)\" divides by zero "
      "in every line.");
  lab.columns[1].formula = *Formula::Parse("100 / (stride - 1)");
  const auto partly = RunLab(lab, {{"block", {AxisValueOf("128")}}});
  ASSERT_TRUE(partly) << partly.error().Text();
  EXPECT_EQ(partly->notes, EmulatorBench().notes) << "two lines have a value";
}

TEST_F(Labs, EndWhereThereIsNoDevice) {
  GpuHost("exit 1");
  const auto measured = RunLab(Mini());
  ASSERT_TRUE(measured);
  EXPECT_THAT(measured->rows, SizeIs(0));
  ASSERT_TRUE(measured->fault);
  EXPECT_THAT(measured->fault->message, HasSubstr("strided at stride = 1, block = 128: "));
}

// The emulator has a gibibyte of memory, and the array of the third line needs more.
TEST_F(Labs, KeepTheRowsBeforeADeviceFails) {
  const Lab lab = Mini();
  const auto measured =
      RunLab(lab, {{"stride", {AxisValueOf("1"), AxisValueOf("2"), AxisValueOf("300000")}},
                   {"block", {AxisValueOf("128")}}});
  ASSERT_TRUE(measured);
  EXPECT_THAT(measured->rows, SizeIs(2));
  ASSERT_TRUE(measured->fault);
  EXPECT_THAT(measured->fault->message, HasSubstr("stride = 300000"));
  EXPECT_THAT(TextTable(lab, *measured), HasSubstr("128"));
  EXPECT_THAT(JsonOf(lab, *measured), HasSubstr("\"fault\": \"strided at stride = 300000"));
}

// The lab has six lines, so that two processes of the second kind are served, and the third is not.
TEST_F(Labs, NeedAllProcesses) {
  GpuHost("if [ $COUNT -gt 8 ]; then exit 1; fi\nexec " WARPCHECK_GPU_HOST_PROGRAM " \"$@\"");
  Bench bench = EmulatorBench();
  bench.processes.push_back(bench.processes.front());
  const auto measured = RunLab(Mini(), {}, bench);
  ASSERT_TRUE(measured);
  EXPECT_LE(measured->rows.size(), 2U);
  ASSERT_TRUE(measured->fault);
  EXPECT_THAT(measured->fault->message, HasSubstr("strided at stride = "));
}

TEST_F(Labs, EndWhenAKernelLeavesItsArray) {
  Lab lab = Mini();
  lab.variants[0].call.kernel = "leaves_its_array";
  const auto measured = RunLab(lab);
  ASSERT_TRUE(measured) << measured.error().Text();
  ASSERT_TRUE(measured->fault);
  EXPECT_THAT(measured->rows, SizeIs(0));
  EXPECT_THAT(measured->fault->message, HasSubstr("leaves_its_array: "));
  EXPECT_THAT(measured->fault->where.file, testing::EndsWith("mini.cu")) << "of the kernel";
  EXPECT_THAT(measured->fault->message, testing::Not(HasSubstr("wrong result")));
}

TEST_F(Labs, EndWhenACheckReadsOutsideItsArray) {
  Lab lab = Mini();
  lab.check->kernel = "reads_too_far";
  const auto measured = RunLab(lab, {{"block", {AxisValueOf("128")}}});
  ASSERT_TRUE(measured) << measured.error().Text();
  ASSERT_TRUE(measured->fault);
  EXPECT_THAT(measured->fault->message, HasSubstr("reads_too_far: reads element 65,536, "));
  EXPECT_THAT(measured->fault->where.file, testing::EndsWith("mini.cu"));
}

TEST_F(Labs, EndWhenAResultIsWrong) {
  Lab lab = Mini();
  lab.variants[0].call.kernel = "writes_nothing";
  const auto measured = RunLab(lab, {{"block", {AxisValueOf("128")}}});
  ASSERT_TRUE(measured) << measured.error().Text();
  ASSERT_TRUE(measured->fault);
  EXPECT_THAT(measured->fault->message, HasSubstr("writes_nothing gives a wrong result"));
  EXPECT_EQ(measured->fault->where, lab.variants[0].call.where);
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
  lab.variants[0].call.kernel = "store";
  const auto measured = RunLab(lab);
  ASSERT_FALSE(measured);
  EXPECT_THAT(
      measured.error().hint,
      testing::AllOf(HasSubstr("its kernels are: count_wrong, "),
                     HasSubstr("write a kernel of a template with its arguments: copy<4>")));
}

TEST_F(Labs, FindAKernelInItsNamespace) {
  Lab lab = Mini();
  lab.variants[0].call.kernel = "inner::plain_too";
  const auto measured =
      RunLab(lab, {{"stride", {AxisValueOf("1")}}, {"block", {AxisValueOf("128")}}});
  ASSERT_TRUE(measured) << measured.error().Text();
  EXPECT_FALSE(measured->fault) << measured->fault->Text();
}

TEST_F(Labs, NeedOneKernelOfEachName) {
  Lab lab = Mini();
  lab.variants[0].call.kernel = "twice";
  const auto measured = RunLab(lab);
  ASSERT_FALSE(measured);
  EXPECT_THAT(measured.error().Text(),
              HasSubstr("lab.toml:28:10: error: mini.cu has 2 kernels twice"));
}

TEST_F(Labs, SayThatArgumentsDoNotFit) {
  Lab lab = Mini();
  lab.variants[0].call.arguments.list.pop_back();
  const auto measured = RunLab(lab);
  ASSERT_FALSE(measured) << "no launch may come before";
  EXPECT_THAT(measured.error().Text(), HasSubstr("/mini/lab.toml:24:13: error: "));
  EXPECT_THAT(
      measured.error().message,
      HasSubstr("the kernel store<1> has 2 parameters, and the variant strided gives it 1"));
}

// Copies, pieces, memory of the host, textures and limits of registers.
class LabsWithSteps : public Labs {
 protected:
  Result<Measured> Measure(const std::string& pieces) {
    return RunLab(lab_, {{"p", {AxisValueOf(pieces)}}});
  }
  std::optional<double> Cell(const Measured& measured, std::string_view variant,
                             std::string_view column) const {
    const auto row = std::ranges::find(measured.rows, variant, &Row::variant);
    const auto at = std::ranges::find(lab_.columns, column, &Column::name);
    EXPECT_TRUE(row != measured.rows.end() && at != lab_.columns.end());
    return row->cells[static_cast<std::size_t>(at - lab_.columns.begin())];
  }

  Lab lab_ = *ReadLab(WARPCHECK_TEST_DATA "/steps");
};

// The phases by hand: one stream does one step after another. With four pieces in four streams, the
// last piece is copied in after 1, and its kernel and its copy to the host follow. The copies of
// pageable memory let nothing else run, so that only a copy to the host overlaps with them.
TEST_F(LabsWithSteps, CountPhases) {
  const auto measured = Measure("4");
  ASSERT_TRUE(measured) << measured.error().Text();
  ASSERT_FALSE(measured->fault) << measured->fault->Text();
  EXPECT_EQ(Cell(*measured, "in order", "phases"), 3);
  EXPECT_EQ(Cell(*measured, "in streams", "phases"), 1.5);
  EXPECT_EQ(Cell(*measured, "where it lies", "phases"), 1);
  EXPECT_EQ(Cell(*measured, "in streams", "copied"), 2048);
  EXPECT_EQ(Cell(*measured, "where it lies", "copied"), 0);
  EXPECT_EQ(Cell(*measured, "in streams", "threads"), 256) << "of all pieces";
  EXPECT_EQ(Cell(*measured, "in streams", "time_us"), std::nullopt);
}

TEST_F(LabsWithSteps, ShowATimeline) {
  const auto measured = Measure("2");
  ASSERT_TRUE(measured) << measured.error().Text();
  ASSERT_FALSE(measured->fault) << measured->fault->Text();
  // Each half takes half a phase, which is a quarter of the line.
  EXPECT_THAT(TextTable(lab_, *measured),
              HasSubstr("Two pieces: warpcheck emulator, 2 phases\n"
                        "  stream 1  >>>>>>>>>>>>>>>>>>##################<<<<<<<<<<<<<<<<<<\n"
                        "  stream 2                    >>>>>>>>>>>>>>>>>>##################"
                        "<<<<<<<<<<<<<<<<<<\n"));
  EXPECT_THAT(JsonOf(lab_, *measured), HasSubstr("\"what\": \"copy to the GPU\""));
  EXPECT_THAT(PageOf(lab_, *measured), HasSubstr("Two pieces: warpcheck emulator; the table"));
  const auto timelines = TimelinesOf(lab_, *measured);
  ASSERT_THAT(timelines, SizeIs(1));
  EXPECT_THAT(SvgOf(timelines[0]), HasSubstr("<title>kernel: 0.5 to 1 phases</title>"));
}

TEST_F(LabsWithSteps, FetchFromTexturesAndLimitRegisters) {
  const auto measured = Measure("1");
  ASSERT_TRUE(measured) << measured.error().Text();
  ASSERT_FALSE(measured->fault) << measured->fault->Text();
  EXPECT_EQ(Cell(*measured, "texture", "texture_requests"), 8);
  EXPECT_EQ(Cell(*measured, "in order", "texture_requests"), 0);
  EXPECT_EQ(Cell(*measured, "in order", "spill_bytes"), 0);
  EXPECT_EQ(Cell(*measured, "few registers", "registers"), 24);
  EXPECT_GT(Cell(*measured, "few registers", "spill_bytes"), 0);
}

TEST_F(LabsWithSteps, SayWhenTheHostsResultIsWrong) {
  lab_.variants[0].after.clear();
  const auto measured = Measure("1");
  ASSERT_TRUE(measured) << measured.error().Text();
  ASSERT_TRUE(measured->fault);
  // Every seventh of the 256 floats is 0, and so is its double.
  EXPECT_THAT(measured->fault->message, HasSubstr("twice gives a wrong result: 219 elements"));
}

TEST(Plan, SaysWhatDoesNotFit) {
  const auto error = [](const auto& change) {
    Lab lab = *ReadLab(WARPCHECK_TEST_DATA "/steps");
    change(lab);
    KernelNames names;
    const auto plan = Plan(lab, {{"p", {AxisValueOf("4")}}}, false, names);
    return plan ? std::string("none") : plan.error().Text();
  };
  EXPECT_EQ(error([](Lab&) {}), "none");
  EXPECT_THAT(error([](Lab& lab) { lab.variants[0].pieces = *Formula::Parse("7"); }),
              HasSubstr("the 1024 bytes of host_in cannot be cut into 7 equal pieces at n = 256"));
  EXPECT_THAT(error([](Lab& lab) { lab.variants[0].pieces = *Formula::Parse("0"); }),
              HasSubstr("the number of pieces: 0\n"
                        "  it must be a whole number from 1 to 1,024"));
  EXPECT_THAT(error([](Lab& lab) { lab.variants[1].streams = *Formula::Parse("65"); }),
              HasSubstr("it must be a whole number from 1 to 64"));
  EXPECT_THAT(error([](Lab& lab) { lab.buffers[0].bytes = *Formula::Parse("n"); }),
              HasSubstr("host_in has 256 bytes and in has 1024"));
  EXPECT_THAT(error([](Lab& lab) { lab.textures[0].width = *Formula::Parse("30"); }),
              HasSubstr("a row of the texture image has 120 bytes, which is no multiple of 32"));
  EXPECT_THAT(error([](Lab& lab) { lab.textures[0].height = *Formula::Parse("n"); }),
              HasSubstr("the texture image has 32768 bytes, and its buffer 1024"));
  EXPECT_THAT(error([](Lab& lab) { lab.variants[0].call.registers = *Formula::Parse("8"); }),
              HasSubstr("it may be 16 to 255, or 0 for no limit"));
}

// Returns the error of the small lab with one text of its lab.toml replaced by another.
std::string PlanErrorAfter(const std::string& old, const std::string& text,
                           const Chosen& chosen = {}) {
  const auto folder = ScratchFolder::Make();
  std::string toml = *ReadFile(WARPCHECK_TEST_DATA "/mini/lab.toml");
  const std::size_t at = toml.find(old);
  if (at == std::string::npos) return "the lab does not have the text " + old;
  toml.replace(at, old.size(), text);
  if (!folder || !WriteFile(folder->path() / "lab.toml", toml)) return "no folder";
  const auto lab = ReadLab(folder->path());
  if (!lab) return lab.error().Text();
  KernelNames names;
  const auto plan = Plan(*lab, chosen, false, names);
  return plan ? "none" : plan.error().Text();
}

TEST(Plan, SaysWhichSizeIsNoSizeAndWhere) {
  const std::string grid = "\"ceil(1024, block)\"";
  EXPECT_THAT(
      PlanErrorAfter(grid, "\"1 - stride\"", {{"stride", {AxisValueOf("4")}}}),
      HasSubstr("/lab.toml:22:8: error: the grid: \"1 - stride\" is -3 at stride = 4, block "
                "= 128\n  it must be a whole number from 1 to 4,294,967,295"));
  EXPECT_THAT(PlanErrorAfter(grid, "0"), HasSubstr("lab.toml:22:8: error: the grid: 0\n"));
  EXPECT_THAT(PlanErrorAfter(grid, "\"1 / (stride - 1)\""),
              HasSubstr("lab.toml:22:8: error: the grid: \"1 / (stride - 1)\" gives no number at "
                        "stride = 1, block = 128\n  write a formula that does not divide by zero"));
  EXPECT_THAT(PlanErrorAfter(grid, "\"0.5\""), HasSubstr("the grid: 0.5\n"));
  EXPECT_THAT(PlanErrorAfter("\"4 * 1024 * stride\"", "0"),
              HasSubstr("lab.toml:18:9: error: the bytes of out: 0\n"));
  EXPECT_THAT(PlanErrorAfter("\"4 * 1024 * stride\"", "\"1000000 * 1000000 * stride\""),
              HasSubstr("is 1,000,000,000,000 at stride = 1, block = 128\n  it must be a whole "
                        "number from 1 to 68,719,476,736"));
  EXPECT_THAT(PlanErrorAfter("[\"out\", 1024]", "[\"out + 4 * 1024 + 1\", 1024]"),
              HasSubstr("lab.toml:24:14: error: the offset in out: \"4 * 1024 + 1\" is 4,097 at"));
  EXPECT_THAT(PlanErrorAfter("[\"out\", 1024]", "[\"out\", \"1000000 * 1000000 * 1000000\"]"),
              HasSubstr("it must be a whole number from -9,000,000,000,000,000 to 9,000"));
  EXPECT_THAT(
      PlanErrorAfter("[1, 2, 8]", "[\"far\"]"),
      HasSubstr("lab.toml:18:9: error: the bytes of out: \"4 * 1024 * stride\" gives no "
                "number at stride = far, block = 128\n  give the axis stride whole numbers"));
  EXPECT_THAT(PlanErrorAfter("bytes = \"4 * 1024\"", "bytes = \"1 / 0\""),
              HasSubstr("lab.toml:3:9: error: the bytes that a launch must move"));
}

TEST(Plan, LimitsTheLinesOfATable) {
  std::string values;
  for (int i = 1; i <= 5000; ++i) values += fmt::format("{}{}", i == 1 ? "" : ", ", i);
  EXPECT_EQ(PlanErrorAfter("[1, 2, 8]", "[" + values + "]"), "none");
  EXPECT_THAT(PlanErrorAfter("[1, 2, 8]", "[" + values + ", 5001]"),
              HasSubstr("the table would have more than 10,000 lines"));
}

TEST(Plan, TakesAValueThatLooksLikeItsMark) {
  EXPECT_THAT(
      PlanErrorAfter("\"4 * 1024 * stride\"", "4096", {{"stride", {AxisValueOf("{stride}")}}}),
      HasSubstr("an argument: \"stride\" gives no number at stride = {stride}"))
      << "the check's; the kernel's name comes before";
}

TEST(Plan, HasOtherValuesForAGpu) {
  KernelNames names;
  const auto plan = Plan(Mini(), {}, true, names);
  ASSERT_TRUE(plan);
  EXPECT_THAT(*plan, SizeIs(4));
  EXPECT_THAT(names.places, SizeIs(3)) << "store<1>, store<8> and the check";
}

TEST(InstanceName, LeavesOutTypesAndBlanks) {
  EXPECT_EQ(InstanceName("void copy<4, true>(float const*, int)"), "copy<4,true>");
  EXPECT_EQ(InstanceName("void k<3u>(float*)"), "k<3>");
  EXPECT_EQ(InstanceName("void k<unsigned char>(float*)"), "k<unsignedchar>");
  EXPECT_EQ(InstanceName("k(float*)"), "k");
  EXPECT_EQ(InstanceName("(anonymous namespace)::k(float*)"), "k");
  EXPECT_EQ(InstanceName("void lab::k<float>(float*)"), "lab::k<float>");
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
