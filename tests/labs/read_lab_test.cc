#include "lab/read_lab.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/files.h"
#include "base/scratch_folder.h"

namespace warpcheck::lab {
namespace {

using testing::HasSubstr;

std::string MiniToml() { return *ReadFile(WARPCHECK_TEST_DATA "/mini/lab.toml"); }
std::string StepsToml() { return *ReadFile(WARPCHECK_TEST_DATA "/steps/lab.toml"); }

std::string ErrorOf(const std::string& toml) {
  const auto folder = ScratchFolder::Make();
  if (!folder || !WriteFile(folder->path() / "lab.toml", toml)) return "no folder";
  const auto lab = ReadLab(folder->path());
  return lab ? "none" : lab.error().Text();
}

// Returns the small lab with one text replaced by another.
std::string Changed(std::string_view old, std::string_view text, std::string toml = MiniToml()) {
  const std::size_t at = toml.find(old);
  if (at == std::string::npos) {
    ADD_FAILURE() << "the lab does not have the text " << old;
    return toml;
  }
  return toml.replace(at, old.size(), text);
}

// Returns the error of the small lab with one text replaced by another.
std::string ErrorAfter(std::string_view old, std::string_view text) {
  return ErrorOf(Changed(old, text));
}

TEST(ReadLab, ReadsTheSmallLab) {
  const auto lab = ReadLab(WARPCHECK_TEST_DATA "/mini");
  ASSERT_TRUE(lab) << lab.error().Text();
  EXPECT_EQ(lab->name, "mini");
  EXPECT_EQ(lab->source.filename(), "mini.cu");
  EXPECT_EQ(lab->axes[0].gpu_values.size(), 2U);
  EXPECT_EQ(lab->axes[1].gpu_values, lab->axes[1].values);
  EXPECT_EQ(lab->variants[0].call.kernel, "store<{stride}>");
  EXPECT_EQ(lab->columns[0].formula.text(), "global_store_sectors");
}

TEST(ReadLab, SaysWhatIsWrongAndWhere) {
  EXPECT_THAT(ErrorAfter("label = \"stride, words\"", "labl = \"x\""),
              HasSubstr("lab.toml:7:8: error: unknown key \"labl\""));
  EXPECT_THAT(ErrorAfter("values = [1, 2, 8]", "values = []"), HasSubstr("the axis has no values"));
  EXPECT_THAT(ErrorAfter("[[axis]]", "launches_kernels = 1\n[[axis]]"),
              HasSubstr("this must be true or false"));
  EXPECT_THAT(ErrorAfter("values = [1, 2, 8]\n", ""), HasSubstr("the axis has no values"));
  EXPECT_THAT(ErrorAfter("32 * global_store_sectors", "32 * global_stores"),
              HasSubstr("there is no counter global_stores"));
  EXPECT_THAT(ErrorAfter("name = \"global_store_sectors\"", "name = \"stores\""),
              HasSubstr("the column stores has no formula, and is no counter"));
  EXPECT_THAT(ErrorAfter("store<{stride}>", "store<{strid}>"),
              HasSubstr("{strid} in the kernel's name is no axis"));
  EXPECT_THAT(ErrorAfter("arguments = [\"out\", 1024]", "arguments = [\"in\", 1024]"),
              HasSubstr("the argument \"in\" uses in, which is no buffer and no axis"));
  EXPECT_THAT(ErrorAfter("grid = \"ceil(1024, block)\"", "grid = \"ceil(1024, threads)\""),
              HasSubstr("uses threads, which is no axis"));
  EXPECT_THAT(ErrorAfter("grid = \"ceil(1024, block)\"", "grid = [1, 1, 1, 1]"),
              HasSubstr("\"grid\" must be one to three whole numbers or formulas"));
  EXPECT_THAT(ErrorAfter("grid = \"ceil(1024, block)\"", "grid = \"1 +\""),
              HasSubstr("is no formula: it is wrong at its end"));
  EXPECT_THAT(ErrorAfter("fill = \"hashed\"", "fill = \"twos\""),
              HasSubstr("there is no fill \"twos\""));
  EXPECT_THAT(ErrorAfter("x = \"stride\"", "x = \"n\""), HasSubstr("there is no axis n"));
  EXPECT_THAT(ErrorAfter("x = \"stride\"", "x = \"stride\"\nvariants = [\"strided\", \"other\"]"),
              HasSubstr("there is no variant other"));
  EXPECT_THAT(ErrorAfter("column = \"gbps\"", "column = \"speed\""),
              HasSubstr("there is no column speed"));
  EXPECT_THAT(ErrorAfter("name = \"block\"", "name = \"occupancy\""),
              HasSubstr("occupancy is the name of something else"));
  EXPECT_THAT(ErrorAfter("kernel = \"store<{stride}>\"", ""), HasSubstr("missing key \"kernel\""));
  EXPECT_THAT(ErrorAfter("title = \"Storing", "title = Storing"), HasSubstr("lab.toml:1:"));
}

TEST(ReadLab, NeedsACheckThatCanFail) {
  EXPECT_THAT(ErrorAfter("arguments = [\"out\", 1024, \"stride\", \"wrong\"]",
                         "arguments = [\"out\", 1024, \"stride\", \"out\"]"),
              HasSubstr("lab.toml:30:1: error: the check has no argument \"wrong\"\n"));
  EXPECT_THAT(ErrorAfter("kernel = \"store<{stride}>\"",
                         "kernel = \"store<{stride}>\"\ncheck_arguments = [\"out\"]"),
              HasSubstr("lab.toml:29:19: error: the check has no argument \"wrong\"\n"));
}

TEST(ReadLab, LetsKernelsLaunchKernelsOnlyWithoutSteps) {
  EXPECT_THAT(ErrorOf(Changed("[[axis]]", "launches_kernels = true\n[[axis]]", StepsToml())),
              HasSubstr("a lab whose kernels launch kernels has no copies, pieces, streams"));
}

TEST(ReadLab, ReadsMemoryTexturesAndPieces) {
  const auto lab = ReadLab(WARPCHECK_TEST_DATA "/steps");
  ASSERT_TRUE(lab) << lab.error().Text();
  EXPECT_TRUE(lab->has_steps);
  EXPECT_EQ(lab->buffers[0].host, HostMemory::kPinned);
  EXPECT_EQ(lab->buffers[1].host, HostMemory::kManaged);
  EXPECT_EQ(lab->buffers[3].host, std::nullopt);
  EXPECT_EQ(lab->textures[0].buffer, 3U);
  EXPECT_EQ(lab->textures[0].kind.is_pitched_memory, 1U);
  EXPECT_EQ(lab->variants[0].before[0].to, 3U);
  EXPECT_EQ(lab->variants[3].before.size(), 0U);
  EXPECT_EQ(lab->variants[5].call.registers.text(), "24");
  EXPECT_FALSE(ReadLab(WARPCHECK_TEST_DATA "/mini")->has_steps);
}

TEST(ReadLab, SaysWhatIsWrongWithMemoryTexturesAndPieces) {
  const auto after = [](std::string_view old, std::string_view text) {
    return ErrorOf(Changed(old, text, StepsToml()));
  };
  EXPECT_EQ(after("title", "title"), "none");
  EXPECT_THAT(after("\"pinned\"", "\"locked\""),
              testing::AllOf(HasSubstr("lab.toml:16:10: error: there is no memory \"locked\""),
                             HasSubstr("device, pinned, pageable, managed")));
  EXPECT_THAT(after("before = [\"host_in -> in\"]", "before = [\"host_in\"]"),
              HasSubstr("\"host_in\" is no copy"));
  EXPECT_THAT(after("before = [\"host_in -> in\"]", "before = [\"host -> in\"]"),
              HasSubstr("there is no buffer host\n"));
  EXPECT_THAT(after("[\"host_in\", \"host_out\"]", "[\"paged_in\", \"host_out\"]"),
              HasSubstr("a kernel cannot use paged_in, which is pageable memory"));
  EXPECT_THAT(after("pieces = \"p\"", "pieces = \"q\""), HasSubstr("uses q, which is no axis"));
  EXPECT_THAT(after("pieces = \"p\"", "pieces = \"piece\""), HasSubstr("which is no axis"));
  EXPECT_THAT(
      after("[\"host_in\", \"host_out\", \"wrong\"]", "[\"host_in\", \"piece\", \"wrong\"]"),
      HasSubstr("uses piece, which is no buffer and no axis"));
  EXPECT_THAT(after("name = \"p\"", "name = \"streams\""),
              HasSubstr("streams is the name of something else"));
  EXPECT_THAT(after("name = \"image\"", "name = \"out\""),
              HasSubstr("out is the name of something else"));
  EXPECT_THAT(after("buffer = \"in\"", "buffer = \"host_in\""),
              HasSubstr("the buffer host_in is no memory of the device"));
  EXPECT_THAT(after("layout = \"pitch\"", "layout = \"tiles\""),
              HasSubstr("there is no layout \"tiles\""));
  EXPECT_THAT(after("layout = \"pitch\"", "layout = \"linear\""),
              HasSubstr("a texture with layout = \"linear\" has no height"));
  EXPECT_THAT(after("height = \"n / 32\"", ""), HasSubstr("needs a height"));
  EXPECT_THAT(after("width = 32", ""), HasSubstr("missing key \"width\""));
  EXPECT_THAT(after("width = 32", "width = 32\ntype = \"half\""),
              HasSubstr("there is no type \"half\" of texels"));
  EXPECT_THAT(after("width = 32", "width = 32\naddress = \"wrap\""),
              HasSubstr("wrap and mirror need normalized coordinates"));
  EXPECT_THAT(after("width = 32", "width = 32\nnormalized = 1"),
              HasSubstr("\"normalized\" must be true or false"));
  EXPECT_THAT(after("width = 32", "width = 32\ntype = \"uint\"\nfilter = \"linear\""),
              HasSubstr("only texels of floats can be interpolated"));
  EXPECT_THAT(after("variant = \"in streams\"", "variant = \"in time\""),
              HasSubstr("there is no variant in time"));
  EXPECT_THAT(ErrorOf(MiniToml() + "\n[[timeline]]\ntitle = \"t\"\nvariant = \"strided\"\n"),
              HasSubstr("the lab has no steps for a timeline"));
  EXPECT_THAT(after("before = []", "before = []\ncheck_arguments = [\"paged_in\"]"),
              HasSubstr("a kernel cannot use paged_in, which is pageable memory"));
  EXPECT_THAT(after("before = []", "before = []\ncheck_arguments = 1"),
              HasSubstr("\"check_arguments\" must be a list"));
  std::string unchecked = Changed("kernel = \"store<{stride}>\"",
                                  "kernel = \"store<{stride}>\"\ncheck_arguments = [\"out\"]");
  const std::size_t check = unchecked.find("[check]");
  unchecked.erase(check, unchecked.find("[[column]]") - check);
  EXPECT_THAT(ErrorOf(unchecked), HasSubstr("the lab has no [check]"));
}

TEST(ReadLab, NeedsNamesThatAreNewAndFitIntoFormulas) {
  for (const char* name : {"a b", "2d", "ceil", "größe", "_n"}) {
    const std::string quoted = fmt::format("name = \"{}\"", name);
    EXPECT_THAT(ErrorAfter("name = \"block\"", quoted),
                HasSubstr(fmt::format(
                    "lab.toml:12:8: error: the axis cannot have the name \"{}\"\n", name)));
    EXPECT_THAT(ErrorAfter("name = \"out\"", quoted), HasSubstr("the buffer cannot have the name"));
    EXPECT_THAT(ErrorAfter("name = \"waste\"", quoted),
                HasSubstr("the column cannot have the name"));
  }
  for (const char* name : {"variant", "stride", "likely_limiter", "piece"}) {
    EXPECT_THAT(ErrorAfter("name = \"block\"", fmt::format("name = \"{}\"", name)),
                HasSubstr(fmt::format("{} is the name of something else", name)));
  }
  for (const char* name : {"variant", "refused", "stride", "gbps"}) {
    EXPECT_THAT(ErrorAfter("name = \"waste\"", fmt::format("name = \"{}\"", name)),
                HasSubstr(fmt::format("{} is the name of something else", name)));
  }
  EXPECT_THAT(ErrorOf(MiniToml() + "\n[[variant]]\nname = \"strided\"\nkernel = \"k\"\n"),
              HasSubstr("there are two variants strided"));
  EXPECT_THAT(ErrorAfter("[1, 2, 8]", "[1, 2, 1]"),
              HasSubstr("lab.toml:8:17: error: the axis has the value 1 twice"));
  EXPECT_THAT(ErrorAfter("[1, 2, 8]", "[1, 2.5]"),
              HasSubstr("a value of an axis must be a whole number or a text"));
}

TEST(ReadLab, NeedsValuesThatTheAxesHave) {
  const auto at = [](const std::string& place) {
    return ErrorAfter("column = \"gbps\"", "column = \"gbps\"\nat = { " + place + " }");
  };
  EXPECT_EQ(at("block = 2048"), "none");
  EXPECT_THAT(at("block = 64"),
              HasSubstr("the axis block has no value 64\n  its values are: 128, 2048"));
  EXPECT_THAT(at("stride = 2"), HasSubstr("the axis stride of a GPU has no value 2\n"));
  EXPECT_THAT(at("block = 128.0"), HasSubstr("a value of an axis must be a whole number"));
  EXPECT_THAT(at("size = 128"), HasSubstr("there is no axis size\n  the axes are: stride, block"));
}

TEST(ReadLab, LimitsTheLinesOfAFigure) {
  const std::string figure =
      "\n[[figure]]\ntitle = \"t\"\nx = \"block\"\nlines = \"stride\"\ncolumn = \"waste\"\n";
  EXPECT_EQ(ErrorOf(Changed("[1, 2, 8]", "[1, 2, 3, 4, 5, 6]") + figure), "none");
  EXPECT_THAT(ErrorOf(Changed("[1, 2, 8]", "[1, 2, 3, 4, 5, 6, 7]") + figure),
              HasSubstr("the figure has 7 lines, and at most 6 can be told apart"));
}

}  // namespace
}  // namespace warpcheck::lab
