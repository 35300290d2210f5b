#include "compile/messages/ptxas_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpcheck::compile {
namespace {

using testing::ElementsAre;

TEST(PtxasLog, ReadsWhatEachKernelTakes) {
  const auto kernels = ParsePtxasLog(
      "ptxas info    : 0 bytes gmem, 12 bytes cmem[3]\n"
      "ptxas info    : Compiling entry function '_Z1aPf' for 'sm_90'\n"
      "ptxas info    : Function properties for _Z1aPf\n"
      "    112 bytes stack frame, 112 bytes spill stores, 96 bytes spill loads\n"
      "ptxas info    : Used 32 registers, used 1 barriers, 16640 bytes smem, 380 bytes cmem[0], 8 "
      "bytes cmem[2]\n"
      "ptxas info    : Compile time = 5.1 ms\n"
      "ptxas info    : Compiling entry function '_Z1bPf' for 'sm_90'\n"
      "ptxas info    : Function properties for _Z1bPf\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 8 registers, used 0 barriers, 256 bytes cumulative stack size\n",
      "");
  EXPECT_THAT(kernels,
              ElementsAre(KernelResources{.name = "_Z1aPf",
                                          .registers = 32,
                                          .stack_bytes = 112,
                                          .spill_store_bytes = 112,
                                          .spill_load_bytes = 96,
                                          .shared_bytes = 16640,
                                          .constant_bytes = 388},
                          KernelResources{.name = "_Z1bPf", .registers = 8, .stack_bytes = 256}));
}

TEST(PtxasLog, CountsFunctionsWithTheKernelsThatCallThem) {
  const std::string log =
      "ptxas info    : Compiling entry function '_Z1aPf' for 'sm_90'\n"
      "ptxas info    : Function properties for _Z1aPf\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 26 registers, used 0 barriers\n"
      "ptxas info    : Compiling entry function '_Z1bPf' for 'sm_90'\n"
      "ptxas info    : Function properties for _Z1bPf\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 26 registers, used 0 barriers\n"
      "ptxas info    : Function properties for _Z3reciPi\n"
      "    40 bytes stack frame, 36 bytes spill stores, 36 bytes spill loads\n";
  const std::string ptx =
      ".func  (.param .b32 func_retval0) _Z3reciPi\n(\n.param .b32 p\n)\n;\n"
      ".visible .entry _Z1aPf(\n.param .u64 x\n)\n{\n"
      "call.uni (retval0), \n_Z4stepi, \n(param0);\n}\n"
      ".visible .entry _Z1bPf(\n)\n{\n_Z3reciPix: ret;\n}\n"
      ".func _Z4stepi(.param .b32 p)\n{\ncall.uni (retval0), \n_Z3reciPi, \n(param0);\n}\n"
      ".func  (.param .b32 func_retval0) _Z3reciPi(\n)\n{\ncall _Z3reciPi;\n}\n";
  const auto kernels = ParsePtxasLog(log, ptx);
  ASSERT_EQ(kernels.size(), 2U);
  EXPECT_EQ(kernels[0].stack_bytes, 40U);
  EXPECT_TRUE(kernels[0].spills());
  EXPECT_FALSE(kernels[1].spills()) << "it calls nothing";
}

// A table of pointers belongs to no function's body. Every function that calls through a pointer
// may reach the functions in it.
TEST(PtxasLog, FollowsTablesOfFunctions) {
  const std::string log =
      "ptxas info    : Compiling entry function '_Z1aPf' for 'sm_90'\n"
      "ptxas info    : Function properties for _Z1aPf\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 24 registers, used 0 barriers\n"
      "ptxas info    : Compiling entry function '_Z1bPf' for 'sm_90'\n"
      "ptxas info    : Function properties for _Z1bPf\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 24 registers, used 0 barriers\n"
      "ptxas info    : Function properties for _Z4deepi\n"
      "    40 bytes stack frame, 36 bytes spill stores, 36 bytes spill loads\n";
  const std::string table = ".global .align 8 .u64 functions[1] = {_Z4deepi};\n";
  const std::string deep = ".func _Z4deepi(.param .b32 p)\n{\nret;\n}\n";
  const std::string calls =
      ".visible .entry _Z1aPf(\n)\n{\nprototype_0 : .callprototype (_) _ (.param .b32 _);\n"
      "call %rd1, (param0), prototype_0;\n}\n";
  const std::string other = ".visible .entry _Z1bPf(\n)\n{\nret;\n}\n";
  const std::string orders[] = {".func _Z4deepi(.param .b32 p)\n;\n" + table + deep + calls + other,
                                deep + other + table + calls, deep + calls + table + other};
  for (const std::string& ptx : orders) {
    const auto kernels = ParsePtxasLog(log, ptx);
    ASSERT_EQ(kernels.size(), 2U);
    EXPECT_TRUE(kernels[0].spills()) << ptx;
    EXPECT_FALSE(kernels[1].spills()) << "it calls nothing";
  }
}

TEST(PtxasLog, ReadsTheFirstError) {
  EXPECT_EQ(FirstPtxasError("ptxas k.ptx, line 29; error   : Unknown modifier '.instr'\n"
                            "ptxas fatal   : Ptx assembly aborted due to errors\n"),
            "Unknown modifier '.instr'");
  EXPECT_EQ(FirstPtxasError("ptxas error   : Entry function '_Z1kPf' uses too much shared data\n"),
            "Entry function '_Z1kPf' uses too much shared data");
  EXPECT_EQ(FirstPtxasError("ptxas info    : 0 bytes gmem\n"), "");
}

TEST(PtxasPlace, ReadsAComplaint) {
  const auto complaint =
      ParsePtxasPlace("ptxas my k.ptx, line 29; error   : Unknown modifier '.instr'");
  ASSERT_TRUE(complaint);
  EXPECT_EQ(complaint->file, "my k.ptx");
  EXPECT_EQ(complaint->line, 29);
  EXPECT_EQ(complaint->kind, "error");
  EXPECT_EQ(complaint->message, "Unknown modifier '.instr'");
  for (const char* other : {"", "ptxas ", "ptxas fatal   : Ptx assembly aborted due to errors",
                            "ptxas a, line ", "k.cu(3): error: x, line 3; y : z"}) {
    EXPECT_FALSE(ParsePtxasPlace(other)) << other;
  }
}

TEST(PtxasLog, TakesAnyText) {
  EXPECT_TRUE(ParsePtxasLog("", "").empty());
  const auto kernels =
      ParsePtxasLog("Compiling entry function 'k\n99999999999999 bytes stack frame\n: Used \n",
                    ".entry \n.func (\n.func");
  ASSERT_EQ(kernels.size(), 1U);
  EXPECT_EQ(kernels[0].name, "k");
}

}  // namespace
}  // namespace warpcheck::compile
