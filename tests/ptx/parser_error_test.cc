// Tests every kind of error by its full text.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "ptx/parser/parser.h"

namespace warpcheck::ptx {
namespace {

std::string ErrorOf(const std::string& text) {
  const auto module = ParseModule(text, "k.ptx");
  if (!module) return module.error().Text();
  return module->refusals.empty() ? "no error" : module->refusals.front().Text();
}

// Returns the error of one instruction, which stands in line 6.
std::string InstructionError(std::string_view line) {
  return ErrorOf(fmt::format(
      ".version 9.0\n.target sm_90\n.address_size 64\n.global .b32 g;\n.entry k() {{ .reg .pred "
      "%p<4>; .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .f32 %f<4>; .shared .b32 s;\n{}\nret;\n}}\n",
      line));
}

struct Case {
  std::string_view line;
  std::string_view where_and_message;
};

class InstructionErrors : public testing::TestWithParam<Case> {};

TEST_P(InstructionErrors, SayWhatAndWhere) {
  const Case& one = GetParam();
  EXPECT_EQ(InstructionError(one.line),
            fmt::format("k.ptx:6:{}\n  {}", one.where_and_message, one.line));
}

INSTANTIATE_TEST_SUITE_P(
    All, InstructionErrors,
    testing::Values(
        Case{"foo.bar %r1;", "1: error: unknown opcode 'foo.bar'"},
        Case{"add.f99 %r1, %r1, 1;", "1: error: 'add' does not take the suffix '.f99'"},
        Case{"div.f32 %f1, %f1, %f1;",
             "1: error: the suffixes of 'div.f32' are incomplete or do not go together"},
        Case{"add.s16x2 %r1, %r1, %f1;",
             "21: error: register '%f1' is .f32, which does not fit .s16x2"},
        Case{"min.relu.u16x2 %r1, %r1, %r1;",
             "1: error: the suffixes of 'min.relu.u16x2' are incomplete or do not go together"},
        Case{"add.s32 %r1, %r1;", "1: error: 'add' takes 3 operands, got 2"},
        Case{"add.s32 %r1, %rd1, 1;",
             "14: error: register '%rd1' is .b64, which does not fit .s32"},
        Case{"add.s32 %r1, %f1, 1;", "14: error: register '%f1' is .f32, which does not fit .s32"},
        Case{"add.s32 %r1, %r9, 1;",
             "14: error: '%r9' is neither a declared register nor a supported special register"},
        Case{"add.s32 %r1, x, 1;", "14: error: 'x' is not declared"},
        Case{"add.s32 3, %r1, 1;", "9: error: expected a destination register, got '3'"},
        Case{"add.s32 _, %r1, 1;", "9: error: expected a destination register, got '_'"},
        Case{"add.s32 %r1, %tid.x, 1;", "14: error: expected a register or constant, got '%tid'"},
        Case{"add.f32 %f1, %f1, 1;", "19: error: '1' is not a constant of .f32"},
        Case{"add.s32 %r1, %r1, 0f3F800000;", "19: error: '0f3F800000' is not a constant of .s32"},
        Case{"mov.u32 %r1, %clock64;",
             "14: error: special register '%clock64' is .u64, which does not fit .u32"},
        Case{"mov.b32 %r1, {%r2, %r3, 1};", "14: error: 3 elements do not make a .b32"},
        Case{"mov.u32 %r1, g;", "14: error: the address 'g' does not fit .u32"},
        Case{"ld.global.u32 %r1, %rd1;", "20: error: expected an address in [ ], got '%rd1'"},
        Case{"ld.global.u32 %r1, [%r1];",
             "20: error: register '%r1' is .b32, which cannot hold this address"},
        Case{"ld.global.u32 %r1, [s];",
             "20: error: 's' is a .shared variable, the instruction takes .global addresses"},
        Case{"ld.shared.v4.u64 {%rd1, %rd2, %rd3, %rd0}, [s];", "18: error: .v4.u64 is too wide"},
        Case{"ld.shared.v2.u32 %r1, [s];", "18: error: expected 2 elements in { }, got 1"},
        Case{"tex.2d.v4.f32.f32 {%f1, %f1, %f1, %f1}, [%rd1, {%f1}];",
             "48: error: expected 2 coordinates in { }, got 1"},
        Case{"tex.2d.v4.f32.f32 {%f1, %f1, %f1, %f1}, [%rd1];",
             "41: error: expected an object and coordinates in [ ], got '['"},
        Case{"tex.2d.v4.f32.f32 {%f1, %f1, %f1, %f1}, [%rd1, {%f1, %rd1}];",
             "54: error: register '%rd1' is .b64, which does not fit .f32"},
        Case{"tex.2d.v4.f32.f32 {%f1, %f1, %f1, %f1}|%r1, [%rd1, {%f1, %f1}];",
             "40: error: register '%r1' is .b32, which does not fit .pred"},
        Case{"suld.b.2d.b32.wrap {%r1}, [%rd1, {%r1, %r1}];",
             "1: error: 'suld' does not take the suffix '.wrap'"},
        Case{"ld.global.u32 %r1, [%rd1, {%r1}];",
             "27: error: 'ld' takes an address without coordinates"},
        Case{"@%r1 bra L;", "2: error: '%r1' is not a predicate register"},
        Case{"bra L;", "5: error: label 'L' is not declared"},
        Case{"bar.sync %f1;", "10: error: register '%f1' is .f32, which does not fit .u32"},
        Case{"cp.async.wait_group %r1;", "21: error: expected a constant, got '%r1'"},
        Case{"call nobody;", "6: error: 'nobody' is not declared"},
        Case{"call k;", "1: error: 'k' is a kernel: it cannot be called"},
        Case{"call %rd1;", "1: error: an indirect call needs a prototype"},
        Case{".reg .b32 %x<2000000000>;", "11: error: more than 1048576 registers"},
        Case{".reg .b32 %q<2>, s;", "18: error: 's' is already declared"},
        Case{".local .b8 x[4294967296];", "14: error: size of 'x' is out of range"},
        Case{".local .b64 x[1073741824];", "13: error: 'x' is larger than 2048 MiB"},
        Case{".shared .b32 y = 3;", "18: error: a .shared variable cannot have an initial value"},
        Case{".weird 3;", "1: error: unknown directive '.weird'"},
        Case{".loc 7 1 1", "6: error: file 7 is not declared by a .file"},
        Case{"mov.b32 %r1, 0f12;", "14: error: 0f needs 8 hexadecimal digits"},
        Case{"mov.b64 %rd1, 18446744073709551616;", "15: error: integer does not fit 64 bits"},
        Case{"mov.b32 %r1, 12q;", "14: error: malformed number"}));

TEST(ParserErrors, OfTheModule) {
  EXPECT_EQ(ErrorOf(""), "k.ptx:1:1: error: PTX must start with .version");
  EXPECT_EQ(ErrorOf(".version 5.0"),
            "k.ptx:1:10: error: PTX ISA 5.0 is not supported: 6.0 to 9.x are\n  .version 5.0");
  EXPECT_EQ(ErrorOf(".version 9.0\n.target sm_90\n.address_size 32"),
            "k.ptx:3:15: error: address size '32' is not supported: 64 is\n  .address_size 32");
  const std::string head = ".version 9.0\n.target sm_90\n.address_size 64\n";
  EXPECT_EQ(ErrorOf(head + ".const .b8 a[65536];\n.global .b8 b[65536];"), "no error");
  EXPECT_EQ(
      ErrorOf(head + ".const .b8 a[40000];\n.const .b8 b[25537];"),
      "k.ptx:5:12: error: the __constant__ variables take 65,537 bytes or more, and the limit "
      "is 65,536\n  .const .b8 b[25537];");
  EXPECT_EQ(ErrorOf("/* no end"), "k.ptx:1:1: error: comment is not closed\n  /* no end");
}

TEST(ParserErrors, OfTheThreadsOfABlock) {
  const auto with = [](std::string_view sizes) {
    return ErrorOf(fmt::format(
        ".version 9.0\n.target sm_90\n.address_size 64\n.entry k() .maxntid {} {{ ret; }}", sizes));
  };
  for (const char* right : {"1024", "32, 32", "1, 1024, 1", "16, 8, 8"}) {
    EXPECT_EQ(with(right), "no error") << right;
  }
  for (const char* wrong : {"0", "64, 0", "1025", "1024, 2", "32, 33", "4294967296, 4294967296"}) {
    EXPECT_THAT(with(wrong), testing::HasSubstr("a block has 1 to 1024 threads")) << wrong;
  }
}

}  // namespace
}  // namespace warpcheck::ptx
