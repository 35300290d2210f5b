// How common opcodes are, and the document that says what is supported.
#include "ptx/usage.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "ptx/opcode.h"

namespace warpcheck::ptx {
namespace {

TEST(Usage, SaysHowCommonAnOpcodeIs) {
  EXPECT_EQ(HowCommon(Opcode::kWmmaMma), "in 5 of 1,300 surveyed kernels");
  EXPECT_EQ(HowCommon(Opcode::kMov), "in 1,259 of 1,300 surveyed kernels");
  EXPECT_EQ(HowCommon(Opcode::kSzext), "in none of 1,300 surveyed kernels");
}

// A row for a mnemonic that is none would never be found.
TEST(Usage, NamesOpcodesAlone) {
  for (const char* mnemonic : {
#define USED(mnemonic, files, form) mnemonic,
#include "ptx/usage.def"
#undef USED
       }) {
    EXPECT_TRUE(OpcodeNamed(mnemonic).has_value()) << mnemonic;
  }
}

// What one file in a hundred has is executed.
TEST(Usage, ExecutesWhatIsCommon) {
  for (std::size_t i = 0; i < kOpcodeCount; ++i) {
    const auto opcode = static_cast<Opcode>(i);
    if (FilesWith(opcode) * 100 < kSurveyedFiles) continue;
    EXPECT_TRUE(IsExecuted(opcode)) << Text(opcode);
  }
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
