// Tests the parser with small PTX texts, one for each construct, and the modules that it makes from
// them.
#include "ptx/parser/parser.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace warpcheck::ptx {
namespace {

constexpr std::string_view kHeader = ".version 9.0\n.target sm_90\n.address_size 64\n";

Module Parse(std::string_view text) {
  auto module = ParseModule(fmt::format("{}{}", kHeader, text), "t.ptx");
  EXPECT_TRUE(module.has_value()) << module.error().Text();
  return module ? *module : Module{};
}

// Returns a kernel with registers of every type and this body.
std::string Kernel(std::string_view body) {
  return fmt::format(
      ".entry k(.param .u64 p)\n{{\n.reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<9>; "
      ".reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .f64 %d<9>;\n{}\n}}\n",
      body);
}

Instruction First(std::string_view body) {
  const Module module = Parse(Kernel(body));
  return module.functions.empty() || module.functions[0].body.empty() ? Instruction{}
                                                                      : module.functions[0].body[0];
}

TEST(Parser, ReadsTheHeader) {
  const Module module = Parse("");
  EXPECT_EQ(module.version_major, 9u);
  EXPECT_EQ(module.target, "sm_90");
}

TEST(Parser, ReadsSuffixes) {
  const Instruction mad = First("mad.wide.s32 %rd1, %r1, 4, %rd2;");
  EXPECT_EQ(mad.opcode, Opcode::kMad);
  EXPECT_EQ(mad.modifiers.part, MulPart::kWide);
  EXPECT_EQ(mad.modifiers.type, Type::kS32);
  EXPECT_THAT(mad.modifiers.suffixes, testing::ElementsAre("wide", "s32"));
  const Instruction convert = First("cvt.rzi.ftz.s32.f32 %r1, %f1;");
  EXPECT_EQ(convert.modifiers.rounding, Rounding::kRzi);
  EXPECT_TRUE(convert.modifiers.ftz);
  EXPECT_EQ(convert.modifiers.type, Type::kS32);
  EXPECT_EQ(convert.modifiers.source_type, Type::kF32);
  const Instruction atom = First("atom.acq_rel.gpu.shared.cas.b32 %r1, [%r2+-8], 1, %r3;");
  EXPECT_EQ(atom.modifiers.atomic, Atomic::kCas);
  EXPECT_EQ(atom.modifiers.space, Space::kShared);
  EXPECT_EQ(atom.operands[1].offset, -8);
  EXPECT_EQ(First("cp.async.wait_group 3;").opcode, Opcode::kCpAsyncWaitGroup);
  EXPECT_EQ(First("vote.ballot.sync.b32 %r1, !%p1, -1;").modifiers.vote, Vote::kBallot);
}

TEST(Parser, KeepsOperandsAtTheirPlaces) {
  const Instruction setp = First("setp.lt.s32 %p1, %r1, 3;");
  ASSERT_EQ(setp.operands.size(), 4u);
  EXPECT_EQ(setp.operands[1].kind, OperandKind::kSink);
  const Instruction both = First("setp.lt.and.s32 %p1|%p2, %r1, 3, !%p3;");
  ASSERT_EQ(both.operands.size(), 5u);
  EXPECT_EQ(both.operands[1].kind, OperandKind::kRegister);
  EXPECT_TRUE(both.operands[4].negated);
  const Instruction red = First("bar.red.popc.u32 %r1, 0, %p1;");
  ASSERT_EQ(red.operands.size(), 4u);
  EXPECT_EQ(red.operands[2].kind, OperandKind::kNone);
}

TEST(Parser, ConvertsConstants) {
  EXPECT_EQ(First("add.s32 %r1, %r2, -5;").operands[2].bits, 0xFFFFFFFBu);
  EXPECT_EQ(First("add.f32 %f1, %f2, 1.5;").operands[2].bits, 0x3FC00000u);
  EXPECT_EQ(First("add.f64 %d1, %d2, 0f3FC00000;").operands[2].bits, 0x3FF8000000000000u);
  EXPECT_EQ(First("mov.b32 %r1, 0f3FC00000;").operands[1].bits, 0x3FC00000u);
  EXPECT_EQ(First("mov.pred %p1, -1;").operands[1].bits, 1u);
  EXPECT_EQ(First("mov.b32 %r1, 0x1FU;").operands[1].bits, 31u);
  EXPECT_EQ(First("mov.b32 %r1, 017;").operands[1].bits, 15u);
  EXPECT_EQ(First("mov.b32 %r1, 0b101;").operands[1].bits, 5u);
  EXPECT_EQ(First("mov.b32 %r1, (3+4)*2+WARP_SZ;").operands[1].bits, 46u);
}

// These instructions have the form in which nvcc 13 writes them.
TEST(Parser, ReadsTexturesAndSurfaces) {
  const Instruction fetch = First(
      "tex.3d.v4.f32.f32 {%f1, %f2, %f3, %f4}|%p1, [%rd1, {%f5, %f6, "
      "%f7, %f7}];");
  ASSERT_EQ(fetch.operands.size(), 3u);
  EXPECT_EQ(fetch.operands[1].kind, OperandKind::kRegister);
  EXPECT_EQ(fetch.operands[2].kind, OperandKind::kAddress);
  EXPECT_EQ(fetch.operands[2].elements.size(), 4u);
  EXPECT_EQ(First("tex.a1d.v4.s32.f32 {%r1, %r2, %r3, %r4}, [%rd1, {%r5, %f6}];").operands[1].kind,
            OperandKind::kSink);
  EXPECT_EQ(
      First("tex.1d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [%rd1, %r5];").operands[2].elements.size(),
      1u);
  EXPECT_EQ(First("tex.grad.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}], {%f1, %f2}, "
                  "{%f3, %f4};")
                .operands.size(),
            5u);
  EXPECT_EQ(
      First("suld.b.2d.v4.b8.clamp {%h1, %h2, %h3, %h4}, [%rd1, {%r1, %r2}];").modifiers.vector, 4);
  const Instruction store = First("sust.b.a2d.b16.trap [%rd1, {%r1, %r2, %r3, %r3}], {%h1};");
  EXPECT_EQ(store.operands[0].elements.size(), 4u);
  EXPECT_EQ(store.operands[1].kind, OperandKind::kRegister);
}

TEST(Parser, ReadsVectors) {
  const Instruction load = First("ld.global.nc.v4.f32 {%f1, _, %f3, %f4}, [%rd1+16];");
  ASSERT_EQ(load.operands[0].elements.size(), 4u);
  EXPECT_EQ(load.operands[0].elements[1].kind, OperandKind::kSink);
  EXPECT_EQ(load.modifiers.vector, 4);
  EXPECT_EQ(First("mov.b32 {%h1, %h2}, %r1;").operands[0].elements.size(), 2u);
}

TEST(Parser, ScopesLabelsAndRegisters) {
  const Module module =
      Parse(Kernel("{ .reg .f64 %r1; D: add.f64 %r1, %r1, %r1; bra D; }\n"
                   "{ bra D; D: }\nbra E;\nadd.s32 %r1, %r1, 1;\nE: ret;"));
  const auto& body = module.functions[0].body;
  ASSERT_EQ(body.size(), 6u);
  EXPECT_EQ(body[1].operands[0].target, 0u);
  EXPECT_EQ(body[2].operands[0].target, 3u);
  EXPECT_EQ(body[3].operands[0].target, 5u);
  EXPECT_NE(body[0].operands[0].reg, body[4].operands[0].reg);
}

TEST(Parser, LaysOutParameters) {
  const Module module =
      Parse(".entry k(.param .u8 a, .param .align 8 .b8 b[24], .param .f32 c) { ret; }");
  EXPECT_EQ(module.symbols[1].param_offset, 8u);
  EXPECT_EQ(module.symbols[2].param_offset, 32u);
  EXPECT_EQ(module.functions[0].parameter_bytes, 36u);
}

TEST(Parser, ReadsInitialValues) {
  const Module module = Parse(
      ".global .align 4 .b32 a[2][2] = {{1, 2}, {3}};\n"
      ".global .u64 p[2] = {generic(a)+4, later};\n"
      ".global .align 8 .u8 m[8] = {0xFF(a), 0xFF00(a), 0xFF0000(a), 0xFF000000(a), "
      "0xFF00000000(a), 0xFF0000000000(a), 0xFF000000000000(a), 0xFF00000000000000(a)};\n"
      ".const .f32 f = 0f3F800000;\n.global .b32 later;\n.extern .shared .align 16 .b8 s[];\n");
  EXPECT_EQ(module.symbols[0].initial.size(), 16u);
  EXPECT_EQ(module.symbols[0].initial[8], std::byte{3});
  ASSERT_EQ(module.symbols[1].relocations.size(), 2u);
  EXPECT_EQ(module.symbols[1].relocations[0].addend, 4);
  EXPECT_EQ(module.symbols[1].relocations[1].symbol, 4u);
  EXPECT_EQ(module.symbols[2].relocations.size(), 1u);
  EXPECT_EQ(module.symbols[5].bytes, 0u);
}

TEST(Parser, ReadsLocations) {
  const Module module = Parse(
      Kernel(
          ".loc 1 7 3\nadd.s32 %r1, %r1, 1;\n.loc 2 9 1, function_name $L__i0, inlined_at 1 7 3\n"
          "add.s32 %r1, %r1, 1;\n.loc 1 0 3\nret;") +
      ".file 1 \"a.cu\"\n.file 2 \"b.h\", 1, 2\n");
  const auto& body = module.functions[0].body;
  const auto any = [](const std::string&) { return true; };
  const auto student = [](const std::string& file) { return file == "a.cu"; };
  EXPECT_EQ(module.Place(body[0].location, any).Text(), "a.cu:7:3");
  EXPECT_EQ(module.Place(body[1].location, any).Text(), "b.h:9:1");
  EXPECT_EQ(module.Place(body[1].location, student).Text(), "a.cu:7:3");
  EXPECT_EQ(body[2].location, body[1].location);
}

TEST(Parser, RemembersTheCallThatInlinedCode) {
  const Module module =
      Parse(Kernel(".loc 1 9 1, function_name $L__i0, inlined_at 1 7 3\nadd.s32 %r1, %r1, 1;\n"
                   ".loc 1 0 3\n.loc 1 9 1\nadd.s32 %r1, %r1, 1;\n.loc 1 12 3\nret;") +
            ".file 1 \"a.cu\"\n");
  const auto& body = module.functions[0].body;
  EXPECT_EQ(body[1].location, body[0].location);
  EXPECT_NE(module.locations[body[1].location].inlined_at, 0u);
  EXPECT_EQ(module.locations[body[2].location].inlined_at, 0u);
}

TEST(Parser, ReadsCallsAndTables) {
  const Module module =
      Parse(".func (.param .b32 r) f(.param .b32 a) { st.param.b32 [r], 3; ret; }\n" +
            Kernel("{ .param .b32 a0; .param .b32 r0; st.param.b32 [a0], %r1;\n"
                   "call.uni (r0), f, (a0);\nld.param.b32 %r2, [r0]; }\n"
                   "{ .param .b32 a0; .param .b32 r0; mov.u64 %rd1, f;\n"
                   "q: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
                   "call (r0), %rd1, (a0), q; }\n"
                   "t: .branchtargets X, Y;\n@%p1 brx.idx %r1, t;\nX: trap;\nY: exit;"));
  const auto& body = module.functions[1].body;
  ASSERT_EQ(body.size(), 8u);
  EXPECT_EQ(body[1].operands[1].function, 0u);
  EXPECT_EQ(body[4].operands[1].kind, OperandKind::kRegister);
  EXPECT_EQ(body[5].operands[1].elements[1].target, 7u);
  EXPECT_TRUE(body[5].guard.has_value());
}

}  // namespace
}  // namespace warpcheck::ptx
