#include "emulator/record/index/index_formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/text.h"
#include "ptx/analysis/registers.h"

namespace warpcheck::emulator {
namespace {

using ptx::Opcode;

constexpr std::size_t kMostOfFormula = 20'000;  // longer kernels are not analysed
constexpr std::size_t kMostTerms = 64;          // of a polynomial
constexpr std::size_t kMostFactors = 3;         // of a term
constexpr int kDeepest = 256;                   // instructions that lead to an address

// A product of arguments of the kernel, by their offsets in the parameter block, sorted.
using Factors = std::vector<std::uint64_t>;

struct Coefficient {
  std::int64_t value = 0;
  bool of_thread = false;  // true if it is computed from the place of the thread
};

// A sum of terms: a coefficient and arguments. The place of the thread is a number in it.
using Polynomial = std::map<Factors, Coefficient>;

// Numbers wrap around as on the device.
std::int64_t Wrapped(std::uint64_t bits) { return static_cast<std::int64_t>(bits); }
std::int64_t Sum(std::int64_t a, std::int64_t b) {
  return Wrapped(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
std::int64_t Product(std::int64_t a, std::int64_t b) {
  return Wrapped(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

Polynomial Number(std::int64_t value, bool of_thread = false) {
  return {{Factors(), Coefficient{value, of_thread}}};
}

Polynomial SumOf(const Polynomial& a, const Polynomial& b) {
  Polynomial sum = a;
  for (const auto& [factors, one] : b) {
    Coefficient& all = sum[factors];
    all = {Sum(all.value, one.value), all.of_thread || one.of_thread};
  }
  return sum;
}

std::optional<Polynomial> ProductOf(const Polynomial& a, const Polynomial& b) {
  Polynomial product;
  for (const auto& [factors, one] : a) {
    for (const auto& [others, other] : b) {
      Factors all = factors;
      all.insert(all.end(), others.begin(), others.end());
      std::ranges::sort(all);
      if (all.size() > kMostFactors) return std::nullopt;
      Coefficient& here = product[all];
      here = {Sum(here.value, Product(one.value, other.value)),
              here.of_thread || one.of_thread || other.of_thread};
    }
  }
  return product.size() <= kMostTerms ? std::optional(product) : std::nullopt;
}

// Computes the values of registers for one thread.
class Algebra {
 public:
  Algebra(const Launch& launch, const IndexedAccess& access) : launch_(launch), access_(access) {
    const auto& body = access.program->function->body;
    for (std::uint32_t i = 0; i < body.size(); ++i) {
      ptx::EachWrite(body[i], [&](ptx::RegisterId reg) {
        const auto [writer, first] = writers_.try_emplace(reg, i);
        if (!first) writer->second = kSeveral;
      });
    }
  }

  std::optional<Polynomial> Of(const ptx::Operand& operand, int depth = 0) {
    if (depth > kDeepest) return std::nullopt;
    switch (operand.kind) {
      case ptx::OperandKind::kImmediate:
        return Number(static_cast<std::int64_t>(operand.bits));
      case ptx::OperandKind::kSpecial:
        return OfSpecial(operand.special);
      case ptx::OperandKind::kRegister:
        return OfRegister(operand.reg, depth);
      case ptx::OperandKind::kAddress: {
        if (operand.base != ptx::AddressBase::kRegister) return std::nullopt;
        const auto base = OfRegister(operand.reg, depth);
        return base ? std::optional(SumOf(*base, Number(operand.offset))) : std::nullopt;
      }
      default:
        return std::nullopt;
    }
  }

  // Returns the value of an argument.
  std::int64_t ArgumentAt(std::uint64_t offset) const { return arguments_.at(offset); }
  std::int64_t ValueOf(const Polynomial& polynomial) const {
    std::int64_t sum = 0;
    for (const auto& [factors, one] : polynomial) {
      std::int64_t product = one.value;
      for (const std::uint64_t argument : factors) {
        product = Product(product, ArgumentAt(argument));
      }
      sum = Sum(sum, product);
    }
    return sum;
  }

 private:
  static constexpr std::uint32_t kSeveral = ~0U;  // several instructions write the register

  std::optional<Polynomial> OfSpecial(ptx::SpecialRegister special) const {
    using enum ptx::SpecialRegister;
    const auto place = [](std::uint32_t value) { return Number(value, true); };
    const auto size = [](std::uint32_t value) { return Number(value); };
    switch (special) {
      case kTidX:
        return place(access_.thread.x);
      case kTidY:
        return place(access_.thread.y);
      case kTidZ:
        return place(access_.thread.z);
      case kCtaidX:
        return place(access_.block.x);
      case kCtaidY:
        return place(access_.block.y);
      case kCtaidZ:
        return place(access_.block.z);
      case kNtidX:
        return size(launch_.request->block.x);
      case kNtidY:
        return size(launch_.request->block.y);
      case kNtidZ:
        return size(launch_.request->block.z);
      case kNctaidX:
        return size(launch_.request->grid.x);
      case kNctaidY:
        return size(launch_.request->grid.y);
      case kNctaidZ:
        return size(launch_.request->grid.z);
      default:
        return std::nullopt;
    }
  }

  std::optional<Polynomial> OfRegister(ptx::RegisterId reg, int depth) {
    if (const auto known = known_.find(reg); known != known_.end()) return known->second;
    const auto writer = writers_.find(reg);
    if (writer == writers_.end() || writer->second == kSeveral) return std::nullopt;
    const ptx::Instruction& one = access_.program->function->body[writer->second];
    std::optional<Polynomial> value;
    if (!one.guard && one.destinations == 1) value = OfResult(one, depth + 1);
    return known_[reg] = std::move(value);
  }

  std::optional<Polynomial> OfArgument(const ptx::Instruction& load) {
    const ptx::Operand& from = load.operands[1];
    if (load.modifiers.space != ptx::Space::kParam || !from.NamesSymbol() ||
        load.modifiers.vector != 1 || !access_.program->function->is_entry) {
      return std::nullopt;
    }
    const ptx::Symbol& symbol = launch_.kernel->module->symbols[from.symbol];
    const std::uint64_t at = symbol.param_offset + static_cast<std::uint64_t>(from.offset);
    const bool wide =
        IsOneOf(load.modifiers.type, ptx::Type::kU64, ptx::Type::kS64, ptx::Type::kB64);
    const bool word =
        IsOneOf(load.modifiers.type, ptx::Type::kU32, ptx::Type::kS32, ptx::Type::kB32);
    const std::size_t bytes = wide ? sizeof(std::int64_t) : sizeof(std::int32_t);
    const std::vector<std::byte>& arguments = launch_.request->parameters;
    if ((!wide && !word) || at > arguments.size() || arguments.size() - at < bytes) {
      return std::nullopt;
    }
    std::int64_t value = 0;
    if (wide) {
      std::memcpy(&value, arguments.data() + at, sizeof value);
    } else {
      std::int32_t narrow = 0;
      std::memcpy(&narrow, arguments.data() + at, sizeof narrow);
      value = narrow;
    }
    arguments_[at] = value;
    return Polynomial{{{at}, Coefficient{1, false}}};
  }

  std::optional<Polynomial> OfResult(const ptx::Instruction& one, int depth) {
    std::vector<Polynomial> operands;
    if (one.opcode == Opcode::kLd) {
      return one.operands.size() == 2 ? OfArgument(one) : std::nullopt;
    }
    const bool narrow =
        IsOneOf(one.modifiers.type, ptx::Type::kB32, ptx::Type::kU32, ptx::Type::kS32);
    for (std::size_t i = one.destinations; i < one.operands.size(); ++i) {
      const ptx::Operand& from = one.operands[i];
      auto operand = from.kind == ptx::OperandKind::kImmediate && narrow
                         ? Number(static_cast<std::int32_t>(static_cast<std::uint32_t>(from.bits)))
                         : Of(from, depth);
      if (!operand) return std::nullopt;
      operands.push_back(std::move(*operand));
    }
    const auto& sources = operands;
    const auto is = [&](std::initializer_list<Opcode> opcodes, std::size_t count) {
      return sources.size() == count && std::ranges::find(opcodes, one.opcode) != opcodes.end();
    };
    if (is({Opcode::kMov, Opcode::kCvt, Opcode::kCvta}, 1)) return sources[0];
    if (is({Opcode::kAdd}, 2)) return SumOf(sources[0], sources[1]);
    if (is({Opcode::kNeg}, 1)) return ProductOf(sources[0], Number(-1));
    if (is({Opcode::kSub}, 2)) {
      const auto minus = ProductOf(sources[1], Number(-1));
      return minus ? std::optional(SumOf(sources[0], *minus)) : std::nullopt;
    }
    const bool low = one.modifiers.part != ptx::MulPart::kHi;
    if (is({Opcode::kMul}, 2) && low) return ProductOf(sources[0], sources[1]);
    if (is({Opcode::kMad}, 3) && low) {
      const auto product = ProductOf(sources[0], sources[1]);
      return product ? std::optional(SumOf(*product, sources[2])) : std::nullopt;
    }
    if (is({Opcode::kShl}, 2)) {
      const std::int64_t by = ValueOf(sources[1]);
      if (by < 0 || by >= 63) return std::nullopt;
      return ProductOf(sources[0], Number(std::int64_t{1} << by));
    }
    return OfWhole(one, sources);
  }

  // Returns the results of operations that no polynomial has, as numbers. The operands must not be
  // negative, as for the place of a thread.
  std::optional<Polynomial> OfWhole(const ptx::Instruction& one,
                                    const std::vector<Polynomial>& sources) const {
    if (sources.size() != 2) return std::nullopt;
    const auto is_of_thread = [](const Polynomial& source) {
      return std::ranges::any_of(source, [](const auto& term) { return term.second.of_thread; });
    };
    const bool of_thread = is_of_thread(sources[0]) || is_of_thread(sources[1]);
    const std::int64_t a = ValueOf(sources[0]);
    const std::int64_t b = ValueOf(sources[1]);
    if (a < 0 || b < 0) return std::nullopt;
    switch (one.opcode) {
      case Opcode::kShr:
        return b < 63 ? std::optional(Number(a >> b, of_thread)) : std::nullopt;
      case Opcode::kDiv:
        return b != 0 ? std::optional(Number(a / b, of_thread)) : std::nullopt;
      case Opcode::kRem:
        return b != 0 ? std::optional(Number(a % b, of_thread)) : std::nullopt;
      case Opcode::kAnd:
        return Number(a & b, of_thread);
      case Opcode::kOr:
        return Number(a | b, of_thread);
      case Opcode::kMin:
        return Number(std::min(a, b), of_thread);
      case Opcode::kMax:
        return Number(std::max(a, b), of_thread);
      default:
        return std::nullopt;
    }
  }

  const Launch& launch_;
  const IndexedAccess& access_;
  std::map<ptx::RegisterId, std::uint32_t> writers_;
  std::map<ptx::RegisterId, std::optional<Polynomial>> known_;
  std::map<std::uint64_t, std::int64_t> arguments_;  // by their offsets
};

}  // namespace

std::optional<IndexFormula> IndexFormulaOf(const Launch& launch, const Allocation& array,
                                           const IndexedAccess& access) {
  const ptx::Function& function = *access.program->function;
  if (function.body.size() > kMostOfFormula || array.name.empty()) return std::nullopt;
  const auto& operands = function.body[access.instruction].operands;
  const auto address = std::ranges::find(operands, ptx::OperandKind::kAddress, &ptx::Operand::kind);
  if (address == operands.end()) return std::nullopt;
  Algebra algebra(launch, access);
  const auto all = algebra.Of(*address);
  if (!all || static_cast<std::uint64_t>(algebra.ValueOf(*all)) != access.where) {
    return std::nullopt;
  }
  const auto element =
      static_cast<std::int64_t>((array.element_bytes != 0 ? array.element_bytes : access.bytes));
  // The arguments by which the row of the thread is multiplied.
  std::set<std::uint64_t> lengths;
  for (const auto& [factors, one] : *all) {
    if (one.of_thread) lengths.insert(factors.begin(), factors.end());
  }
  std::optional<std::uint64_t> chosen;
  for (const std::uint64_t one : lengths) {
    const std::int64_t length = algebra.ArgumentAt(one);
    const bool fits =
        array.extents.size() == 2 && length == static_cast<std::int64_t>(array.extents.back());
    if (fits || lengths.size() == 1) chosen = one;
  }
  if (!chosen) return std::nullopt;
  Polynomial row;  // times the size of an element
  for (const auto& [factors, one] : *all) {
    const auto at = std::ranges::find(factors, *chosen);
    if (at == factors.end()) continue;
    Factors others = factors;
    others.erase(others.begin() + (at - factors.begin()));
    row[others] = one;
  }
  const std::int64_t rows = algebra.ValueOf(row);
  const auto offset = static_cast<std::int64_t>(access.where - array.begin);
  if (rows % element != 0 || offset % element != 0) return std::nullopt;
  IndexFormula index{.row = rows / element, .column = 0, .length = algebra.ArgumentAt(*chosen)};
  index.column = offset / element - index.row * index.length;
  return index;
}

bool HasOtherRows(const Allocation& array, const IndexFormula& index) {
  return array.extents.size() == 2 &&
         index.length != static_cast<std::int64_t>(array.extents.back());
}

std::string WrongIndexText(const Allocation& array, const IndexFormula& index) {
  const std::string formula =
      fmt::format("the index is {} * {} {} {}", index.row, index.length,
                  index.column < 0 ? "-" : "+", index.column < 0 ? -index.column : index.column);
  const std::size_t dimensions = array.extents.size();
  if (dimensions > 2 || index.length <= 0) return {};
  const auto elements = static_cast<std::int64_t>(array.bytes / std::max(array.element_bytes, 1U));
  const std::int64_t columns =
      dimensions == 2 ? static_cast<std::int64_t>(array.extents[1]) : index.length;
  if (columns == 0) return {};
  const std::int64_t rows = elements / columns;
  if (HasOtherRows(array, index)) {
    return fmt::format(
        "{}: the code takes {} for a row, but a row of {} has {}. Multiply the row by the number "
        "of columns of {}",
        formula, Counted(static_cast<std::uint64_t>(index.length), "element"), array.name,
        Grouped(static_cast<std::uint64_t>(columns)), array.name);
  }
  const bool column_outside = index.column < 0 || index.column >= columns;
  if (column_outside && dimensions == 2) {
    return fmt::format(
        "{}, so the column is {}, and a row of {} has the columns 0 to {}: compare the column with "
        "the ends of the row before the access, because beyond them lies another row",
        formula, index.column, array.name, columns - 1);
  }
  const bool whole = elements % columns == 0 && columns > 1;
  if ((index.row < 0 || index.row >= rows) && !column_outside && whole) {
    return fmt::format(
        "{}, so the row is {}, and {} has rows 0 to {} of {}: compare the row with the number of "
        "rows before the access",
        formula, index.row, array.name, rows - 1,
        Counted(static_cast<std::uint64_t>(columns), "element"));
  }
  return {};
}

}  // namespace warpcheck::emulator
