#include "ptx/usage.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "ptx/limits.h"
#include "ptx/opcode_row.h"

namespace warpcheck::ptx {
namespace {

struct Used {
  std::string_view mnemonic;
  std::uint32_t files = 0;
  std::string_view form;
};

constexpr Used kUsed[] = {
#define USED(mnemonic, files, form) {mnemonic, files, form},
#include "ptx/usage.def"
#undef USED
};

const Used* UsedRow(Opcode opcode) {
  const auto* const row = std::ranges::find(kUsed, Text(opcode), &Used::mnemonic);
  return row == std::end(kUsed) ? nullptr : row;
}

std::string Share(std::uint32_t files) {
  const double percent = 100.0 * files / kSurveyedFiles;
  return percent < 1 ? "below 1 %" : fmt::format("{:.0f} %", percent);
}

// Returns a suffix form as a text for people: the choices of each element, in brackets if the
// element is optional.
std::string FormText(const OpcodeForm& form) {
  constexpr std::size_t kMany = 6;  // a longer list of choices is not written out
  std::vector<std::string> elements;
  for (const SuffixElement& element : form.suffixes) {
    const std::string choices =
        element.choices.size() > kMany
            ? fmt::format("{}/.../{}", element.choices.front(), element.choices.back())
            : fmt::format("{}", fmt::join(element.choices, "/"));
    elements.push_back(element.optional ? "[." + choices + "]" : "." + choices);
  }
  return fmt::format("{}", fmt::join(elements, " "));
}

std::string FormsText(const OpcodeRow& row) {
  std::vector<std::string> forms;
  for (const OpcodeForm& form : row.forms) {
    if (!form.suffixes.empty()) forms.push_back(fmt::format("`{}`", FormText(form)));
  }
  return fmt::format("{}", fmt::join(forms, "<br>"));
}

std::string TableRow(Opcode opcode) {
  const OpcodeRow& row = RowOf(opcode);
  const Used* used = UsedRow(opcode);
  const std::string common =
      used == nullptr ? "-" : fmt::format("{} (`.{}`)", Share(used->files), used->form);
  return fmt::format("| `{}` | {} | {} | {} |\n", row.mnemonic, FormsText(row),
                     row.executed ? "yes" : "**no**",
                     used != nullptr && used->form.empty() ? Share(used->files) : common);
}

constexpr std::string_view kHead = R"(# PTX instructions

Generated from `harness/ptx/opcodes.def` and `harness/ptx/usage.def` by `ptx_support`; do not edit.
`build/ptx_support > docs/ptx_support.md` writes it again, and a test compares.

Every instruction is checked on the emulator by cases of `tests/emulator/data/`, whose results come from
the definitions of the PTX ISA or from an H200. An H200 ran all of them and gave the same results,
except for approximations (below). *Forms* are the suffixes that are read: suffixes in brackets may be left out,
and `a/.../b` is a list that is too long to show.
A kernel ends at an instruction that is not in this list, or that is read but not executed.
The error names the instruction, its line in the PTX and the student's line. Other kernels of the file run. A
kernel also runs if this instruction is in a branch that no thread takes.

*How common*: 1,300 files with kernels from public course repositories were surveyed. The column gives the share
of files whose PTX contains the opcode in its most common form, and this form. The survey read only instructions
with operands; - means that it has no row for the opcode.

All results are exact to the last bit, except those that PTX itself calls approximate. `sin`, `cos`, `lg2`, `ex2`, `tanh`,
`rsqrt`, `rcp.approx`, `sqrt.approx` and `div.approx` are correctly rounded here. The H200 differed by up to 64
units in the last place; by less than 2^-19 in `sin` and `cos`, by 2^-11 of the result in `tanh`, and by one unit
where f16 or bf16 is the result.

`mma` and `wmma` add as the tensor cores of an H200 do, bit for bit in all recorded cases: products of f16,
bf16 and tf32 are exact; they and the accumulator are cut off 25 bits below the largest exponent among them; the
sum of all k products is exact, and is then cut off to f32 or rounded to f16. The eight products of tf32 that
`wmma` adds are two of these sums, of four products each. f64 is a chain of fused products. Other GPUs add in
other orders.

`tex` interpolates with weights of 8 bits, as an H200 does. For f32, in one and two dimensions and with coordinates in
texels, the bits are equal. With normalised coordinates, and in three dimensions, a weight may differ by one or two steps
of 1/256. Narrower formats keep fewer digits there. There are no mipmaps: levels and gradients change nothing. `suld` and
`sust` outside a surface do what `.trap`, `.clamp` and `.zero` say. It was not measured with which error `.trap` ends a
kernel.

`cp.async` and `cp.async.bulk` copy at once, so a wait for them changes no result. The checkers still see a missing wait: it
is a [finding](checkers.md#asynchronous-copies).

## Forms that are not executed

| instruction | why |
|---|---|
| all video instructions but `vabsdiff2.u32.u32.u32` and `vabsdiff4.u32.u32.u32`, with and without `.add`, and without a mask | nvcc makes no others of the SIMD intrinsics of CUDA |
| `mma` of 4-bit, 1-bit and 8-bit floating-point elements, `mma.m8n8k4` of f16, `wmma` of 4 bits and 1 bit | rare |
| `cp.async.bulk` with `.multicast` or a reduction | rare |
| `tex` of cubemaps and of several samples, `sust.p`, `txq` and `suq` of channel formats | rare; CUDA C++ makes only the first of these |

## Table

| opcode | forms | executed | how common |
|---|---|---|---|
)";

std::string LimitsText() {
  return fmt::format(
      R"(
## Limits

The grader reads PTX of strangers. So it counts memory and work before it uses them, and never measures time. If a limit is
exceeded, the load of the module or the launch of one kernel fails. The error gives the limit and the excess.

| of | at most |
|---|---|
| the text of a module | {} MiB |
| memory of a module that was read: about 500 bytes for each instruction | {} MiB |
| registers of a module | {} |
| branch targets of all tables of a module | {} |
| one variable; all of a module; their initial values | {} MiB; {} MiB; {} MiB |
| parameters of a function | {} bytes |
| blocks in blocks, braces, parentheses | {} |
| nested calls of inlined code | {} |
| the name of a file | {} bytes |

All modules that a program keeps loaded take at most 384 MiB, and their kernels at most 192 MiB. The work of making kernels,
each with all functions that it may call, is counted too, for all loads of a grade together. A kernel of 1,000 instructions
costs about 300,000 steps, and the limit is 2,000,000,000. The registers of a warp, of all functions that it is in, take at
most 16 MiB. The registers and the local memory of a block take at most 512 MiB.
)",
      limits::kTextBytes >> 20, limits::kHeldBytes >> 20, limits::kRegisters,
      limits::kBranchTargets, limits::kVariableBytes >> 20, limits::kAllVariableBytes >> 20,
      limits::kInitialBytes >> 20, limits::kParameterBytes, limits::kNesting, limits::kInlining,
      limits::kPathBytes);
}

}  // namespace

std::uint32_t FilesWith(Opcode opcode) {
  const Used* used = UsedRow(opcode);
  return used == nullptr ? 0 : used->files;
}

std::string HowCommon(Opcode opcode) {
  const std::uint32_t files = FilesWith(opcode);
  if (files == 0)
    return fmt::format("in no row of a survey of {} kernels", Grouped(kSurveyedFiles));
  return fmt::format("in {} of {} surveyed kernels", Grouped(files), Grouped(kSurveyedFiles));
}

std::string SupportDocument() {
  std::string text(kHead);
  std::size_t executed = 0;
  for (std::size_t i = 0; i < kOpcodeCount; ++i) {
    if (static_cast<Opcode>(i) == Opcode::kUnknown) continue;
    const auto opcode = static_cast<Opcode>(i);
    text += TableRow(opcode);
    executed += IsExecuted(opcode) ? 1 : 0;
  }
  text += fmt::format("\n{} of {} opcodes are executed.\n", executed, kOpcodeCount - 1);
  return text + LimitsText();
}

}  // namespace warpcheck::ptx
