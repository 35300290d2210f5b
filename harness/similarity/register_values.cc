#include "similarity/register_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace warpcheck::similarity {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::OperandKind;

namespace {

// The most nested loops through which a value is followed.
constexpr std::size_t kMostNested = 3;
constexpr std::size_t kMostDepth = 400;  // the most instructions in a chain of operands
// The work that is allowed for each instruction of a function.
constexpr std::size_t kWorkPerStep = 200;
constexpr std::size_t kWorkOfResult = 20;  // examining one instruction costs 1

// Returns the name of the value that these instructions write while it is being computed.
std::string LoopName(const std::vector<std::size_t>& writers) {
  return fmt::format("loop#{};", fmt::join(writers, "_"));
}

std::int64_t NumberOf(const Operand& operand, ptx::Type type) {
  switch (ptx::Bytes(type)) {
    case 2:
      return static_cast<std::int16_t>(operand.bits);
    case 4:
      return static_cast<std::int32_t>(operand.bits);
    default:
      return static_cast<std::int64_t>(operand.bits);
  }
}

}  // namespace

std::string SpaceOf(const Instruction& step) {
  const std::string_view space = ptx::Text(step.modifiers.space);
  return std::string(space.empty() ? "generic" : space);
}

bool ComputesFloats(const Instruction& step) {
  return ptx::IsFloat(step.modifiers.type) && step.opcode != Opcode::kMov &&
         step.opcode != Opcode::kCvt && step.opcode != Opcode::kLd && step.opcode != Opcode::kSt &&
         step.opcode != Opcode::kSelp;
}

RegisterValues::RegisterValues(const ptx::Function& function, std::size_t& work)
    : function_(function),
      all_work_(work),
      given_(std::min(kWorkPerStep * function.body.size(), work)),
      writes_(function) {}

IndexValue RegisterValues::AddressOf(const Operand& operand, std::size_t at) {
  IndexValue base;
  if (operand.base == ptx::AddressBase::kRegister) base = ValueBy(WritersOf(operand.reg, at));
  if (operand.base == ptx::AddressBase::kSymbol) base = IndexValue::Of("$S");
  return base + IndexValue::Of(operand.offset);
}

IndexValue RegisterValues::ValueOf(const Operand& operand, std::size_t at, ptx::Type type) {
  switch (operand.kind) {
    case OperandKind::kRegister:
      return ValueBy(WritersOf(operand.reg, at));
    case OperandKind::kImmediate:
      return ptx::IsFloat(type) ? IndexValue::Of("c") : IndexValue::Of(NumberOf(operand, type));
    case OperandKind::kSpecial:
      return IndexValue::Of(fmt::format("${}", ptx::Text(operand.special).substr(1)));
    default:
      return IndexValue::Of("$S");
  }
}

// Returns the value that one of these instructions has written. It is kept for good unless it
// depends on a loop that is being computed; then it is kept as long as that loop.
IndexValue RegisterValues::ValueBy(const Writers& writers) {
  if (const auto known = known_.find(writers); known != known_.end()) return known->second;
  if (std::ranges::find(loops_, writers) != loops_.end()) return IndexValue::Of(LoopName(writers));
  if (const auto now = while_.find(writers); now != while_.end()) return now->second;
  if (writers.empty() || depth_ >= kMostDepth || work_ == 0) return IndexValue::Of("?");
  ++depth_;
  IndexValue value = writers.size() == 1 ? Result(writers.front()) : LoopValue(writers);
  --depth_;
  (value.Names("loop#") ? while_ : known_).insert_or_assign(writers, value);
  return value;
}

// Returns the value of a register that several instructions write, as in a loop. If each round adds
// the same amount, it is the first value plus an unknown multiple of that amount. If rounds differ
// only in numbers, it is such an unknown number.
IndexValue RegisterValues::LoopValue(const Writers& writers) {
  if (loops_.size() >= kMostNested) return IndexValue::Of("either");
  loops_.push_back(writers);
  const auto outer = std::exchange(while_, {});
  std::vector<IndexValue> begins;
  std::vector<IndexValue> rounds;
  const std::string name = LoopName(writers);
  for (const std::size_t writer : writers) {
    IndexValue value = Result(writer);
    (value.Names(name) ? rounds : begins).push_back(std::move(value));
  }
  loops_.pop_back();
  while_ = outer;
  if (begins.empty()) return IndexValue::Of("either");
  IndexValue round = IndexValue::Of(IndexValue::kRound);
  const auto all = [](const auto& values, auto is) { return std::ranges::all_of(values, is); };
  if (all(begins, [&](const auto& one) { return one.Number() || one == round; }) &&
      all(rounds, [&](const auto& one) { return one.IsMadeOf(name); })) {
    return round;
  }
  // The values differ only in numbers, for any way that was taken.
  const std::string shape = begins.front().Shape();
  if (!all(begins, [&](const auto& one) { return one.Shape() == shape; }) ||
      !all(rounds, [&](const auto& one) { return one.TimesOf(name) == 1; })) {
    return IndexValue::Of("either");
  }
  if (rounds.empty()) return begins.front() + round;
  return begins.front() + round * (rounds.front() - IndexValue::Of(name));
}

IndexValue RegisterValues::Result(std::size_t at) {
  if (work_ < kWorkOfResult) return IndexValue::Of("?");
  work_ -= kWorkOfResult;
  const Instruction& step = function_.body[at];
  const auto& o = step.operands;
  const ptx::Type type = step.modifiers.type;
  const auto value = [&](std::size_t i) { return ValueOf(o[i], at, type); };
  const auto operation = [&] {
    std::vector<IndexValue> operands;
    for (std::size_t i = 1; i < std::min<std::size_t>(o.size(), 3); ++i) {
      operands.push_back(value(i));
    }
    return IndexValue::Operation(ptx::Text(step.opcode), operands);
  };
  if (ComputesFloats(step)) return IndexValue::Of(fmt::format("$f:{}", ptx::Text(step.opcode)));
  switch (step.opcode) {
    case Opcode::kMov:
    case Opcode::kCvt:
    case Opcode::kCvta:
      return o[0].kind == OperandKind::kVector || o[1].kind == OperandKind::kVector
                 ? IndexValue::Of("parts")
                 : value(1);
    case Opcode::kLd:
      if (step.modifiers.space == ptx::Space::kParam) {
        return IndexValue::Of(fmt::format("$P#{}.{}", o[1].symbol, o[1].offset));
      }
      return IndexValue::Of("$ld." + SpaceOf(step));
    case Opcode::kAdd:
      return value(1) + value(2);
    case Opcode::kSub:
      return value(1) - value(2);
    case Opcode::kNeg:
      return IndexValue() - value(1);
    case Opcode::kNot:
      return type == ptx::Type::kPred ? operation() : IndexValue::Of(-1) - value(1);
    case Opcode::kMul:
      return step.modifiers.part == ptx::MulPart::kHi ? UpperHalf(at) : value(1) * value(2);
    case Opcode::kMad:
      return step.modifiers.part == ptx::MulPart::kHi
                 ? operation()
                 : value(1) * value(2) + ValueOf(o[3], at, type);
    case Opcode::kDiv:
      return value(1).Divided(value(2));
    case Opcode::kRem:
      return value(1) - value(2) * value(1).Divided(value(2));
    case Opcode::kShl:
    case Opcode::kShr:
      return Shifted(at);
    case Opcode::kAnd:
      return Masked(at);
    case Opcode::kOr:  // the compiler writes `or` for a sum of numbers that share no bit
      return type == ptx::Type::kPred ? operation() : value(1) + value(2);
    case Opcode::kAtom:
    case Opcode::kShfl:
    case Opcode::kVote:
    case Opcode::kCall:
      return IndexValue::Of(fmt::format("${}", ptx::Text(step.opcode)));
    default:
      return operation();
  }
}

// If the upper half of a product with 2^(32 + n) / d is shifted by n, the result is a division by
// d.
IndexValue RegisterValues::UpperHalf(std::size_t at) {
  const Instruction& step = function_.body[at];
  const IndexValue value = ValueOf(step.operands[1], at, step.modifiers.type);
  const IndexValue by = ValueOf(step.operands[2], at, step.modifiers.type);
  IndexValue product = IndexValue::Operation("upper", {value, by});
  const auto factor = static_cast<std::uint32_t>(by.Number().value_or(0));
  if (factor > 0 && ptx::Bytes(step.modifiers.type) == 4) {
    upper_halves_.insert_or_assign(product.Text(), std::pair(value, factor));
  }
  return product;
}

IndexValue RegisterValues::Shifted(std::size_t at) {
  const Instruction& step = function_.body[at];
  const ptx::Type type = step.modifiers.type;
  const IndexValue value = ValueOf(step.operands[1], at, type);
  const IndexValue by = ValueOf(step.operands[2], at);
  const auto bits = by.Number();
  if (!bits || *bits < 0 || *bits > 62) {
    return IndexValue::Operation(ptx::Text(step.opcode), {value, by});
  }
  const IndexValue power = IndexValue::Of(std::int64_t{1} << *bits);
  if (step.opcode == Opcode::kShl) return value * power;
  const bool is_sign = *bits == 8 * ptx::Bytes(type) - 1;
  if (const auto upper = upper_halves_.find(value.Text()); upper != upper_halves_.end()) {
    if (is_sign) return {};
    const double divisor = std::ldexp(1.0, 32 + static_cast<int>(*bits)) / upper->second.second;
    return upper->second.first.Divided(IndexValue::Of(std::llround(divisor)));
  }
  // This is the correction of a signed division, which is 0 for numbers that are not negative.
  if (ptx::IsSigned(type) && is_sign) return {};
  return value.Divided(power);
}

// x % 32 is compiled to x & 31, and x - x % 32 to x & -32.
IndexValue RegisterValues::Masked(std::size_t at) {
  const Instruction& step = function_.body[at];
  const ptx::Type type = step.modifiers.type;
  const IndexValue value = ValueOf(step.operands[1], at, type);
  const IndexValue mask = ValueOf(step.operands[2], at, type);
  const std::int64_t bits = mask.Number().value_or(0);
  const auto is_power = [](std::int64_t n) { return n > 0 && (n & (n - 1)) == 0; };
  if (bits > 0 && bits < INT64_MAX && is_power(bits + 1)) {
    const IndexValue power = IndexValue::Of(bits + 1);
    return value - power * value.Divided(power);
  }
  if (bits < 0 && bits > INT64_MIN && is_power(-bits)) {
    const IndexValue power = IndexValue::Of(-bits);
    return power * value.Divided(power);
  }
  return IndexValue::Operation("and", {value, mask});
}

}  // namespace warpcheck::similarity
