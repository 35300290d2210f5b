// This table says which function decodes which opcode.
#include "emulator/code/isa.h"
#include "emulator/instructions/instructions.h"
#include "emulator/record/findings.h"
#include "emulator/warps/run.h"

namespace warpcheck::emulator::WARPCHECK_ISA {
namespace {

InstructionDecoder DecoderOf(ptx::Opcode opcode) {
  switch (opcode) {
#define PARSED_OPCODE(...)
#define OPCODE(name, ...)    \
  case ptx::Opcode::k##name: \
    return Decode##name;
#include "ptx/opcodes.def"
#undef OPCODE
    default:
      return nullptr;
  }
}

}  // namespace

const Isa kIsa{.decoder = DecoderOf, .run = Run, .unsupported = ReportUnsupported};

}  // namespace warpcheck::emulator::WARPCHECK_ISA
