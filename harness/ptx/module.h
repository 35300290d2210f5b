// A Module is a PTX module as plain data, complete and verified: every name is resolved, every
// operand fits its opcode's row, and every label is an index. ParseModule (ptx/parser/parser.h)
// makes it. It contains only what the verifier has accepted, so that code which executes it need
// not check again.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "ptx/opcode.h"
#include "ptx/types.h"

namespace warpcheck::ptx {

using RegisterId = std::uint32_t;  // an index into Function::registers
using SymbolId = std::uint32_t;    // an index into Module::symbols
using FunctionId = std::uint32_t;  // an index into Module::functions
using LocationId = std::uint32_t;  // an index into Module::locations; 0 is "unknown"

// A declared register. Its type determines its width. Instructions may read it as another type of
// the same width, and narrow loads and conversions may write to wider registers.
struct Register {
  std::string name;  // such as "%r12"
  Type type = Type::kNone;
};

enum class OperandKind : std::uint8_t {
  kNone,
  kRegister,  // the register is `reg`
  kSink,      // "_", for a result that is not needed
  // The value is `bits`, already converted to the instruction's type (f32: its 32 bits, ...).
  kImmediate,
  kSpecial,  // the register is `special`
  kSymbol,   // the address of symbol + offset
  kAddress,  // memory at [reg + offset], [symbol + offset] or [offset]; see base
  // `target` is the index of an instruction of the same function; it may be one past the last.
  kLabel,
  kFunction,  // the function is `function`
  kVector,    // `elements` are registers, sinks and immediates; for brx.idx they are labels
};

enum class AddressBase : std::uint8_t { kNone, kRegister, kSymbol };

struct Operand {
  OperandKind kind = OperandKind::kNone;
  AddressBase base = AddressBase::kNone;  // what the address is relative to, for kAddress
  bool negated = false;                   // true for "!%p" with a predicate register
  SpecialRegister special = SpecialRegister::kTidX;
  RegisterId reg = 0;
  SymbolId symbol = 0;
  FunctionId function = 0;
  std::uint32_t target = 0;
  std::int64_t offset = 0;  // in bytes
  std::uint64_t bits = 0;
  std::vector<Operand> elements;

  // Returns true for a register, or an address whose base is one. The other function does the same
  // for symbols.
  bool NamesRegister() const {
    return kind == OperandKind::kRegister ||
           (kind == OperandKind::kAddress && base == AddressBase::kRegister);
  }
  bool NamesSymbol() const {
    return kind == OperandKind::kSymbol ||
           (kind == OperandKind::kAddress && base == AddressBase::kSymbol);
  }
};

// The suffixes of an instruction. Instructions with the same suffixes share one list.
class Suffixes {
 public:
  using value_type = std::string;
  using const_iterator = std::vector<std::string>::const_iterator;

  Suffixes() = default;
  Suffixes(std::initializer_list<std::string> list) : Suffixes(std::vector<std::string>(list)) {}
  explicit Suffixes(std::vector<std::string> list)
      : list_(std::make_shared<const std::vector<std::string>>(std::move(list))) {}

  const_iterator begin() const { return list().begin(); }
  const_iterator end() const { return list().end(); }
  std::size_t size() const { return list().size(); }
  bool empty() const { return list().empty(); }
  const std::string& operator[](std::size_t i) const { return list()[i]; }
  bool Has(std::string_view suffix) const { return std::find(begin(), end(), suffix) != end(); }

 private:
  const std::vector<std::string>& list() const {
    static const std::vector<std::string> kNothing;
    return list_ ? *list_ : kNothing;
  }

  std::shared_ptr<const std::vector<std::string>> list_;
};

// The meaning of the suffixes of an opcode. A field without a suffix is kNone or false.
struct Modifiers {
  Type type =
      // The first type suffix: the type of the operation, or of the destination of cvt.
      Type::kNone;
  Type source_type = Type::kNone;  // the second type suffix, in cvt, set, slct, dp4a, ...
  Space space = Space::kGeneric;
  // The space of cvta.to.<space>, which is also in `space`; for cp.async, the source is global.
  Space to_space = Space::kGeneric;
  Rounding rounding = Rounding::kNone;
  Compare compare = Compare::kNone;
  BoolOp bool_op = BoolOp::kNone;
  MulPart part = MulPart::kNone;
  Atomic atomic = Atomic::kNone;
  Shuffle shuffle = Shuffle::kNone;
  Vote vote = Vote::kNone;
  std::uint8_t vector = 1;  // 1, 2, 4 or 8 elements
  bool ftz = false;
  bool sat = false;
  bool approx = false;
  bool full = false;       // set for div.full
  bool to = false;         // set for cvta.to
  bool uni = false;        // set for bra.uni and call.uni
  bool carry_out = false;  // set for .cc
  bool sync = false;       // set for .sync
  bool aligned = false;    // set for .aligned
  bool arrive = false;     // set for bar.arrive
  bool wrap = false;       // set for shf.wrap; not set for .clamp
  bool left = false;       // set for shf.l
  bool nan = false;        // set for min.NaN and max.NaN
  bool abs = false;        // set for .abs
  bool all = false;        // set for match.all; not for .all of votes and barriers (vote, bool_op)
  bool volatile_access = false;
  // All suffixes in the order written, without dots. Messages and rare opcodes use them.
  Suffixes suffixes;
};

struct Guard {
  RegisterId predicate = 0;
  bool negated = false;
};

struct Instruction {
  Opcode opcode = {};
  Modifiers modifiers;
  std::optional<Guard> guard;
  // The operands as written, destinations first, so that each stands at the same index in all
  // instructions of an opcode:
  // - "%p|%q" (setp, shfl, match.all, lop3.and) is two operands; the second is kSink if it is
  // missing.
  // - An operand that is left out before others is kNone: bar.red d, a, (b), c.
  // - A call has three: a kVector of returns, a kFunction (or a kRegister with an address), and a
  //   kVector of arguments, whose elements are kSymbol (a .param variable), kRegister or
  //   kImmediate.
  // - brx.idx has two: the index, and a kVector of kLabel.
  // - An opcode that is not executed (IsExecuted) may have none.
  std::vector<Operand> operands;
  // The number of first operands that the instruction writes; 0 for a call.
  std::uint8_t destinations = 0;
  bool from_asm = false;    // the program wrote it itself, in an asm() statement
  LocationId location = 0;  // the .loc that applies to the instruction
  std::uint32_t ptx_line = 0;
  std::uint32_t refusal = 0;  // index into Module::refusals, for Opcode::kUnknown
};

// A variable of any state space, or a parameter.
struct Symbol {
  std::string name;
  Space space = Space::kGlobal;
  Type type = Type::kNone;
  std::uint32_t align = 1;  // in bytes, a power of two
  std::uint64_t bytes = 0;  // 0 for an .extern array without a size (dynamic shared memory)
  bool is_extern = false;
  bool is_managed = false;          // true for .attribute(.managed)
  std::optional<FunctionId> owner;  // the function that declares it; nullopt at module scope
  // The offset in bytes in the parameter block, for parameters of entries.
  std::uint64_t param_offset = 0;
  std::vector<std::byte> initial;  // has `bytes` bytes, or is empty for zeros
  // An initial value that is an address: the 8 bytes at `at` become the generic address of `symbol`
  // or `function`, plus `addend`.
  struct Relocation {
    std::uint64_t at = 0;
    std::optional<SymbolId> symbol;
    std::optional<FunctionId> function;
    std::int64_t addend = 0;
  };
  std::vector<Relocation> relocations;
};

struct Function {
  std::string name;  // the mangled name
  bool is_entry = false;
  // True if declared without a body: vprintf, __assertfail, malloc, free, ...
  bool is_extern = false;
  bool noreturn = false;
  std::vector<SymbolId> returns;      // symbols of Space::kParam; may be empty
  std::vector<SymbolId> parameters;   // symbols of Space::kParam, in order
  std::uint32_t parameter_bytes = 0;  // the size of an entry's parameter block
  std::vector<Register> registers;
  // The .local, .shared and call-sequence .param symbols that it declares.
  std::vector<SymbolId> locals;
  std::vector<Instruction> body;
  std::optional<std::uint32_t> max_threads;       // the product of .maxntid
  std::optional<std::uint32_t> required_threads;  // the product of .reqntid
  std::uint64_t required_cluster = 1;             // the product of .reqnctapercluster, in blocks
  std::uint32_t ptx_line = 0;
};

// A `.loc`. Line 0 (hoisted code) is already replaced by the previous real line of the function.
struct Location {
  std::uint32_t file = 0;  // an index into Module::files
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  LocationId inlined_at = 0;  // the call that inlined this code; 0 if there is no call
};

struct Module {
  std::uint64_t held_bytes = 0;     // an estimate of the memory that the module takes
  std::uint32_t version_major = 0;  // the version of the ISA
  std::uint32_t version_minor = 0;
  std::string target;  // such as "sm_90"
  // The names in .file directives, with the indices of Location; [0] is "".
  std::vector<std::string> files;
  std::vector<Location> locations;  // locations; [0] is unknown
  std::vector<Symbol> symbols;
  std::vector<Function> functions;
  // The errors in bodies of functions that the parser did not understand, such as an unknown
  // opcode, suffix, directive or special register. An instruction of Opcode::kUnknown without
  // operands takes the place of each. A kernel may run until it reaches that instruction.
  std::vector<Error> refusals;

  // Returns the place of `location` in a file that `is_student_file` accepts, going outwards from
  // inlined code. If there is no such file, returns the innermost place. The result is empty for
  // location 0.
  template <class Predicate>
  SourceLocation Place(LocationId location, Predicate is_student_file) const {
    SourceLocation innermost;
    for (; location != 0; location = locations[location].inlined_at) {
      const Location& at = locations[location];
      SourceLocation place{files[at.file], static_cast<int>(at.line), static_cast<int>(at.column)};
      if (is_student_file(place.file)) return place;
      if (!innermost.known()) innermost = place;
    }
    return innermost;
  }
};

}  // namespace warpcheck::ptx
