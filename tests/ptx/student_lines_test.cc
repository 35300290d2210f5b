#include "ptx/student_lines.h"

#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <string>

#include "ptx/parser/parser.h"

namespace warpcheck::ptx {
namespace {

bool IsStudentFile(std::string_view path) { return path.ends_with(".cu"); }
bool IsAnyFile(std::string_view) { return true; }

std::string Read(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Expects that the innermost place of every instruction is now its place in the student's files.
void ExpectSamePlaces(const std::string& text) {
  const auto before = ParseModule(text);
  const auto after = ParseModule(AtStudentLines(text, IsStudentFile));
  ASSERT_TRUE(before) << before.error().Text();
  ASSERT_TRUE(after) << after.error().Text();
  ASSERT_EQ(before->functions.size(), after->functions.size());
  for (std::size_t f = 0; f < before->functions.size(); ++f) {
    const auto& body = before->functions[f].body;
    ASSERT_EQ(body.size(), after->functions[f].body.size());
    for (std::size_t i = 0; i < body.size(); ++i) {
      EXPECT_EQ(after->Place(after->functions[f].body[i].location, IsAnyFile).Text(),
                before->Place(body[i].location, IsStudentFile).Text())
          << before->functions[f].name << " " << i;
    }
  }
}

constexpr const char* kText = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p)
{
	.reg .b64 %rd<3>;
	.reg .b32 %r<3>;
	.loc	1 10 3
	ld.param.u64 %rd1, [p];
	.loc	2 84 3, function_name $L__info_string0, inlined_at 1 10 7
	ld.global.u32 %r1, [%rd1];
	.loc	2 90 5, function_name $L__info_string0, inlined_at 1 11 9
	.loc	3 7 1, function_name $L__info_string1+4, inlined_at 2 90 5
	st.global.u32 [%rd1], %r1;
	.loc	3 8 1, function_name $L__info_string1, inlined_at 2 91 5
	st.global.u32 [%rd1+4], %r1;
	.loc	1 5 2, function_name $L__info_string2, inlined_at 1 12 9
	st.global.u32 [%rd1+8], %r1;
	ret;
}
	.file	1 "dir/student code.cu"
	.file	2 "/cuda/outer.hpp"
	.file	3 "/cuda/inner.hpp"
)";

std::vector<std::string> Locs(const std::string& text) {
  std::vector<std::string> locs;
  for (std::size_t at = 0; (at = text.find("\t.loc\t", at)) != std::string::npos; ++at) {
    locs.push_back(text.substr(at + 6, text.find('\n', at) - at - 6));
  }
  return locs;
}

TEST(StudentLines, MoveInlinedCodeOutToTheStudentsCall) {
  EXPECT_THAT(Locs(AtStudentLines(kText, IsStudentFile)),
              testing::ElementsAre("1 10 3", "1 10 7", "1 11 9", "1 11 9",
                                   // The caller is at a place in a header that has no code.
                                   "3 8 1, function_name $L__info_string1, inlined_at 2 91 5",
                                   // An inlined function of the student keeps its place.
                                   "1 5 2, function_name $L__info_string2, inlined_at 1 12 9"));
}

TEST(StudentLines, ChangeNothingElse) {
  const std::string text = kText;
  const std::string changed = AtStudentLines(text, IsStudentFile);
  EXPECT_EQ(std::count(changed.begin(), changed.end(), '\n'),
            std::count(text.begin(), text.end(), '\n'));
  EXPECT_EQ(AtStudentLines(text, IsAnyFile), text);
  EXPECT_EQ(AtStudentLines(text, [](std::string_view) { return false; }), text);
}

TEST(StudentLines, StayWithinTheirFunction) {
  std::string text = kText;
  const std::string second = R"(.visible .entry k2()
{
	.loc	3 9 1, function_name $L__info_string1, inlined_at 2 90 5
	ret;
}
)";
  text.insert(text.find("\t.file"), second);
  EXPECT_EQ(Locs(AtStudentLines(text, IsStudentFile)).back(),
            "3 9 1, function_name $L__info_string1, inlined_at 2 90 5");
}

TEST(StudentLines, AreThoseThatTheEmulatorFinds) {
  ExpectSamePlaces(kText);
  ExpectSamePlaces(Read(WARPCHECK_TEST_DATA "/kernels_sm_90.ptx"));
  ExpectSamePlaces(Read(WARPCHECK_TEST_DATA "/../../emulator/data/h200_kernels.ptx"));
}

TEST(StudentLines, LeaveAloneWhatIsNoPtx) {
  for (const std::string text :
       {"", "\n", ".loc", ".loc 1", "\t.loc\t1 2 3, inlined_at", ".file 1 \"\n.loc x inlined_at\n",
        ".loc 99999999999999 1 1, inlined_at 1 1 1\n"}) {
    const std::string changed = AtStudentLines(text, IsStudentFile);
    EXPECT_THAT(changed, testing::AnyOf(text, text + "\n"));
  }
}

}  // namespace
}  // namespace warpcheck::ptx
