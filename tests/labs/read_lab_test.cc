#include <gmock/gmock.h>

#include "base/files.h"
#include "base/scratch_folder.h"
#include "labs/lab/lab.h"

namespace warpcheck::lab {
namespace {

using testing::HasSubstr;

std::string MiniToml() { return *ReadFile(WARPCHECK_TEST_DATA "/mini/lab.toml"); }

std::string ErrorOf(const std::string& toml) {
  const auto folder = ScratchFolder::Make();
  if (!folder || !WriteFile(folder->path() / "lab.toml", toml)) return "no folder";
  const auto lab = ReadLab(folder->path());
  return lab ? "none" : lab.error().Text();
}

// Returns the small lab with one text replaced by another.
std::string Changed(std::string_view old, std::string_view text) {
  std::string toml = MiniToml();
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
              HasSubstr("occupancy is the name of something measured"));
  EXPECT_THAT(ErrorAfter("kernel = \"store<{stride}>\"", ""), HasSubstr("missing key \"kernel\""));
  EXPECT_THAT(ErrorAfter("title = \"Storing", "title = Storing"), HasSubstr("lab.toml:1:"));
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
