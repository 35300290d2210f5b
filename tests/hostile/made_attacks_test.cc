// Tests attacks that need to know where files are, or that are too large for a file.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "hostile/grading.h"

namespace warpcheck::hostile {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr char kFunction[] = "\nvoid transpose(const float*, float*, int, int) {}\n";

// Returns the compiler's error about a text that must not compile.
compile::CompileError ErrorOf(const std::string& name, const std::string& text,
                              CompilerLimits limits = CompilerLimits::kUsual) {
  const auto submission = Written(name, "#include \"transpose.h\"\n" + text + kFunction);
  const auto graded = GradeInTheWorld("transpose", submission, limits);
  if (!graded) {
    ADD_FAILURE() << graded.error().Text();
    return {};
  }
  EXPECT_EQ(graded->verdict, Verdict::kError);
  EXPECT_EQ(graded->score, Points());
  if (graded->attempt.build.error) return *graded->attempt.build.error;
  ADD_FAILURE() << "it was compiled";
  return {};
}

std::vector<fs::path> WhatIsSecret() {
  const World& world = Stage::Get().world;
  const fs::path course = WARPCHECK_SOURCE_DIR;
  return {world.home_file(),
          world.other_submission(),
          course / "reference/transpose.cu",
          course / "assignments/transpose/checks.cpp",
          "/etc/passwd",
          "/etc/shadow"};
}

TEST(AtCompileTime, IncludesNothingOfOthers) {
  for (const fs::path& path : WhatIsSecret()) {
    const auto error = ErrorOf("include", fmt::format("#include \"{}\"", path.string()));
    EXPECT_THAT(error.message, HasSubstr("No such file")) << path;
  }
}

TEST(AtCompileTime, TakesInNoBytesOfOthers) {
  for (const fs::path& path : WhatIsSecret()) {
    const auto text = fmt::format("asm(\".incbin \\\"{}\\\"\");", path.string());
    EXPECT_THAT(ErrorOf("incbin", text).log, HasSubstr("file not found")) << path;
  }
}

TEST(AtCompileTime, FindsNothingInItsSurroundings) {
  ErrorOf("environment", "#include \"/proc/self/environ\"\n#error stop");
  ErrorOf("supervisor", "#include \"/proc/1/environ\"\n#error stop");
  ErrorOf("parent", "#include \"/proc/1/cmdline\"\n#error stop");
  ErrorOf("descriptors", "#include \"/proc/self/fd/3\"\n#error stop");
  ErrorOf("precompiled", "#pragma GCC pch_preprocess \"/proc/self/exe\"\n#error stop");
}

TEST(AtCompileTime, BombsEndAtALimit) {
  const auto bomb = [](const char* name, const std::string& text) {
    return ErrorOf(name, text, CompilerLimits::kSmall);
  };
  EXPECT_NE(bomb("zero", "#include \"/dev/zero\"").message, "");
  EXPECT_NE(bomb("itself", "#include __FILE__").message, "");
  bomb("templates",
       "template <int N, int M> struct Tree { static constexpr long value = Tree<N - 1, 2 * M>"
       "::value + Tree<N - 1, 2 * M + 1>::value; };\n"
       "template <int M> struct Tree<0, M> { static constexpr long value = M; };\n"
       "long bomb = Tree<26, 1>::value;");
  bomb("array", "char bomb[1ull << 46] = {1};");
  bomb("repeat", "asm(\".rept 2000000000\\n.quad 1\\n.endr\");");
}

TEST(AtCompileTime, LargeSourcesAreRefused) {
  const auto large = std::string(100 << 20, '\n') + kFunction;
  const auto graded = GradeInTheWorld("transpose", Written("large", large));
  ASSERT_FALSE(graded);
  EXPECT_EQ(graded.error().blame, compile::Failure::Blame::kSubmission);
  fs::remove(Stage::Get().world.workplace() / "large.cu");
}

TEST(AtCompileTime, LinksOutOfTheSubmissionAreRefused) {
  const fs::path link = Stage::Get().world.workplace() / "link.cu";
  fs::create_symlink(Stage::Get().world.other_submission(), link);
  const auto graded = GradeInTheWorld("transpose", link);
  ASSERT_FALSE(graded);
  EXPECT_EQ(graded.error().blame, compile::Failure::Blame::kSubmission);
  EXPECT_THAT(graded.error().Text(), HasSubstr("symbolic link"));
  fs::remove(link);
}

TEST(AtRunTime, OpensNothingOfOthers) {
  std::string text =
      "#include \"transpose.h\"\n#include <cstdio>\n#include <fcntl.h>\n"
      "#include <unistd.h>\nvoid transpose(const float*, float*, int, int) {\n"
      "  for (const char* path : {";
  for (const fs::path& path : WhatIsSecret()) text += fmt::format("\"{}\", ", path.string());
  text +=
      "\"/proc/self/exe\"}) {\n    const int file = open(path, O_RDONLY);\n"
      "    const int written = open(path, O_WRONLY | O_TRUNC);\n"
      "    printf(\"%s %s %s\\n\", file < 0 ? \"closed\" : \"open\",\n"
      "           written < 0 ? \"safe\" : \"lost\", path);\n"
      "    static char bytes[1 << 16];\n"
      "    for (long got; file >= 0 && (got = read(file, bytes, sizeof bytes)) > 0;) {\n"
      "      if (path[1] != 'p') fwrite(bytes, 1, got, stdout);\n    }\n  }\n}\n";
  const auto graded = GradeInTheWorld("transpose", Written("open", text));
  ASSERT_TRUE(graded) << graded.error().Text();
  EXPECT_EQ(graded->score, Points());
  const std::string& output = graded->attempt.report.host_output;
  for (const fs::path& path : WhatIsSecret()) {
    EXPECT_THAT(output, HasSubstr("closed safe " + path.string() + "\n"));
  }
  EXPECT_THAT(output, HasSubstr("open safe /proc/self/exe\n"));  // such a submission can tell it
}

// Tens of thousands of pairs of lines race. The report about them stays short, and the submission
// gets the grade that it deserves.
TEST(AtRunTime, RacesOfManyLinesAreTheSubmissionsZero) {
  constexpr int kLines = 250;
  std::string text = fmt::format(
      "#include \"transpose.h\"\n__global__ void races(float* out) {{\n"
      "  __shared__ volatile float s[1];\n  float v = 0;\n"
      "  for (int j = 0; j < {0}; ++j) switch ((j + threadIdx.x / 32) % {0}) {{\n",
      kLines);
  for (int line = 0; line < kLines; ++line) {
    text += fmt::format("case {0}:\n s[0] = v + {0};\n v += s[0];\n break;\n", line);
  }
  text +=
      "  }\n  out[threadIdx.x] = v;\n}\n"
      "void transpose(const float*, float* out, int, int) { races<<<1, 1024>>>(out); }\n";
  const auto graded = GradeInTheWorld("transpose", Written("races", text));
  ASSERT_TRUE(graded) << graded.error().Text();
  EXPECT_TRUE(graded->score_is_final);
  EXPECT_EQ(graded->score, Points());
}

}  // namespace
}  // namespace warpcheck::hostile
