#include "compile/source/includes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpcheck::compile {
namespace {

using testing::ElementsAre;

constexpr char kStart[] =
    "# 0 \"/in/a.cu\"\n# 0 \"<built-in>\"\n# 0 \"<command-line>\"\n"
    "# 1 \"/usr/include/stdc-predef.h\" 1 3 4\n# 0 \"<command-line>\" 2\n"
    "# 1 \"/cuda/include/cuda_runtime.h\" 1\n# 1 \"/cuda/include/crt/host_config.h\" 1\n"
    "# 2 \"/cuda/include/cuda_runtime.h\" 2\n# 0 \"<command-line>\" 2\n# 1 \"/in/a.cu\"\n";

std::vector<std::string> IncludesOf(const std::string& text) {
  std::vector<std::string> found;
  for (const Include& include : ReadPreprocessed(text, "/in").includes) {
    found.push_back(include.where.Text() + " " + include.path);
  }
  return found;
}

std::string MadeByMacro(const std::string& text) {
  const OwnFiles own = ReadPreprocessed(kStart + text, "/in");
  return own.made_by_macro ? own.made_by_macro->Text() : "";
}

TEST(ReadPreprocessed, FindsWhatOwnFilesInclude) {
  const std::string text = std::string(kStart) +
                           "int a;\n# 1 \"/in/b c.h\" 1\n\n# 1 \"/usr/include/x.h\" 1 3\n"
                           "# 1 \"/usr/include/y.h\" 1 3\n# 2 \"/usr/include/x.h\" 2 3\n"
                           "# 3 \"/in/b c.h\" 2\n# 3 \"/in/a.cu\" 2\n# 1 \"/in/../z.h\" 1\n";
  EXPECT_THAT(IncludesOf(text), ElementsAre("b c.h:2 /usr/include/x.h", "a.cu:3 /z.h"));
  EXPECT_THAT(ReadPreprocessed(text, "/in").names, ElementsAre("a.cu", "b c.h"));
}

TEST(ReadPreprocessed, LooksIntoFilesThatStandInForThoseOfCuda) {
  EXPECT_THAT(IncludesOf("# 0 \"/in/a.cu\"\n# 0 \"<built-in>\"\n# 0 \"<command-line>\"\n"
                         "# 1 \"/in/cuda_runtime.h\" 1\n# 1 \"/usr/include/x.h\" 1\n"),
              ElementsAre("cuda_runtime.h:1 /usr/include/x.h"));
}

TEST(ReadPreprocessed, FindsDirectivesThatMacrosMake) {
  EXPECT_EQ(MadeByMacro("\n # include \"x.h\"\n"), "a.cu:2");
  EXPECT_EQ(MadeByMacro(" %:include <x.h>\n"), "a.cu:1");
  EXPECT_EQ(MadeByMacro("R\"(\n)\" a\n# 9 \"/in/b.h\" 1\n   # 1 \"x\" 1\n"), "b.h:9");
  EXPECT_EQ(MadeByMacro("\"a\"R\"(\"\n # include \"x.h\"\n)\""), "a.cu:2");
  EXPECT_EQ(MadeByMacro("#pragma unroll\n#pragma once R\"(\n # include \"x.h\"\n)\""), "a.cu:3");
  EXPECT_EQ(MadeByMacro("#pragma unroll\nauto s = R\"(\n # include \"x.h\"\n#include <y>\n)\";\n"),
            "");
}

TEST(IsAllowed, GoesByTheWholeName) {
  const std::vector<std::string> allowed = {"standard", "cuda/atomic"};
  for (const char* path : {"/usr/include/c++/12/vector", "/usr/include/math.h",
                           "/usr/lib/gcc/x86_64-linux-gnu/12/include/stddef.h",
                           "/usr/include/x86_64-linux-gnu/sys/time.h",
                           "/usr/lib/gcc/x86_64-linux-gnu/9/include-fixed/limits.h",
                           "/usr/local/cuda/targets/x86_64-linux/include/cccl/cuda/atomic"}) {
    EXPECT_TRUE(IsAllowed(path, allowed)) << path;
  }
  for (const char* path :
       {"/usr/include/c++/12/parallel/algorithm", "/usr/local/cuda/include/cccl/thrust/complex.h",
        "/usr/include/linux/time.h", "/usr/local/cuda/include/cccl/cuda/std/atomic", "/math.h"}) {
    EXPECT_FALSE(IsAllowed(path, allowed)) << path;
  }
}

TEST(IsForbidden, KnowsLibrariesByTheirFolders) {
  const Language language{.forbid = {"libraries", "collectives", "mma.h"}};
  for (const char* name :
       {"thrust/scan.h", "cub/cub.cuh", "../include/cub/cub.cuh", "cublasLt.h",
        "/usr/local/cuda/include/cutlass/gemm.h", "mma.h", "cooperative_groups/details/reduce.h"}) {
    EXPECT_TRUE(IsForbidden(name, language)) << name;
  }
  for (const char* name :
       {"cuda_profiler_api.h", "nvtx3/nvToolsExt.h", "cuda/barrier", "vector",
        "cooperative_groups.h", "cooperative_groups/memcpy_async.h", "my_cub/x.h"}) {
    EXPECT_FALSE(IsForbidden(name, language)) << name;
  }
}

TEST(BringsForbidden, LooksIntoWhatAHeaderIncludes) {
  const std::string text = std::string(kStart) +
                           "# 1 \"/cuda/include/x.h\" 1\n# 1 \"/cuda/include/cccl/cub/b.cuh\" 1\n"
                           "# 2 \"/cuda/include/x.h\" 2\n# 2 \"/in/a.cu\" 2\n"
                           "# 1 \"/cuda/include/y.h\" 1\n# 3 \"/in/a.cu\" 2\n";
  const auto includes = ReadPreprocessed(text, "/in").includes;
  ASSERT_EQ(includes.size(), 2U);
  EXPECT_TRUE(BringsForbidden(includes[0], {.forbid = {"libraries"}}));
  EXPECT_FALSE(BringsForbidden(includes[0], {.forbid = {"collectives"}}));
  EXPECT_FALSE(BringsForbidden(includes[1], {.forbid = {"libraries"}}));
}

TEST(MayIncludeForbidden, ReadsIncludeLinesAlone) {
  const auto may = [](const std::string& text) {
    return MayIncludeForbidden({.files = {{"a.cu", text}, {"cub/own.h", ""}}, .kernels = {"a.cu"}},
                               {.forbid = {"libraries"}});
  };
  EXPECT_TRUE(may("int x;\n # include  <cub/cub.cuh>\n"));
  EXPECT_TRUE(may("#define H <x>\n#include H\n"));
  EXPECT_FALSE(may("// #include <cub/cub.cuh>\n#include <cuda/barrier>\n#include \"cub/own.h\"\n"));
}

TEST(FindLineMarker, LooksIntoFilesThatAreRead) {
  const Sources sources{.files = {{"README.md", "# 1 First\n"},
                                  {"a.cu", "auto s = R\"(\n# 1 First\n#include <x>\n)\";\n"},
                                  {"b.h", "// /*\n# 1 \"x\" 1\n"},
                                  {"c.h", "auto s = R\"(\n# 1 \"x\" 1\n)\";\n"}},
                        .kernels = {}};
  const auto find = [&](const std::string& name) {
    const auto found = FindLineMarker(sources, {name});
    return found ? found->Text() : "";
  };
  EXPECT_EQ(find("a.cu"), "");
  EXPECT_EQ(find("b.h"), "b.h:2");
  EXPECT_EQ(find("c.h"), "c.h:2");
  EXPECT_FALSE(FindLineMarker(sources, {}));
}

}  // namespace
}  // namespace warpcheck::compile
