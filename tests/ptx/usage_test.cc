// Tests the survey of opcodes, and the document that says what is supported.
#include "ptx/usage.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "ptx/opcode_row.h"

namespace warpcheck::ptx {
namespace {

TEST(Usage, SaysHowCommonAnOpcodeIs) {
  EXPECT_EQ(HowCommon(Opcode::kWmmaMma), "in 5 of 1,300 surveyed kernels");
  EXPECT_EQ(HowCommon(Opcode::kMov), "in 1,259 of 1,300 surveyed kernels");
  EXPECT_EQ(HowCommon(Opcode::kSzext), "in no row of a survey of 1,300 kernels");
}

// A row with a wrong mnemonic would never be found.
TEST(Usage, NamesOpcodesAlone) {
  for (const char* mnemonic : {
#define USED(mnemonic, files, form) mnemonic,
#include "ptx/usage.def"
#undef USED
       }) {
    EXPECT_TRUE(OpcodeNamed(mnemonic).has_value()) << mnemonic;
  }
}

// The emulator must execute every opcode that occurs in at least one of a hundred files.
TEST(Usage, ExecutesWhatIsCommon) {
  for (std::size_t i = 0; i < kOpcodeCount; ++i) {
    const auto opcode = static_cast<Opcode>(i);
    if (FilesWith(opcode) * 100 < kSurveyedFiles) continue;
    EXPECT_TRUE(IsExecuted(opcode)) << Text(opcode);
  }
}

// Returns whether `form`, such as "ld.global.f32", is an opcode that is executed, with suffixes
// that its row accepts. An opcode may contain dots: "bar.warp".
bool IsSupported(const std::string& form) {
  for (std::size_t end = form.find('.');; end = form.find('.', end + 1)) {
    if (const auto opcode = OpcodeNamed(std::string_view(form).substr(0, end))) {
      std::vector<std::string> suffixes;
      std::istringstream rest(end == form.npos ? "" : form.substr(end + 1));
      for (std::string suffix; std::getline(rest, suffix, '.');) suffixes.push_back(suffix);
      const OpcodeRow& row = RowOf(*opcode);
      Modifiers modifiers;
      if (row.executed && (row.any_suffixes || MatchSuffixes(row, suffixes, modifiers))) {
        return true;
      }
    }
    if (end == form.npos) return false;
  }
}

TEST(Usage, SupportsTheFormsThatAreCommon) {
  std::ifstream file(WARPCHECK_TEST_DATA "/common_forms.txt");
  ASSERT_TRUE(file.is_open());
  std::size_t forms = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    EXPECT_TRUE(IsSupported(line.substr(0, line.find(' ')))) << line;
    ++forms;
  }
  EXPECT_GT(forms, 200u);
  EXPECT_FALSE(IsSupported("ld.global.f99"));
  EXPECT_FALSE(IsSupported("tcgen05.mma"));
}

TEST(Usage, TheDocumentIsUpToDate) {
  std::ifstream file(WARPCHECK_TEST_DATA "/../../../docs/ptx_support.md");
  ASSERT_TRUE(file.is_open());
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), SupportDocument())
      << "write it anew: build/ptx_support > docs/ptx_support.md";
}

}  // namespace
}  // namespace warpcheck::ptx
