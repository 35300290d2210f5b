#include "checks/promises.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <set>
#include <span>

#include "base/check.h"
#include "base/text.h"

namespace warpcheck {

namespace promise_internal {

// Seen describes the numbers that were passed as one argument.
struct Seen {
  std::size_t most = 0;  // the length of the longest array
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  double smallest = std::numeric_limits<double>::infinity();  // the least magnitude but 0
  bool zero = false;
  bool negative_zero = false;
  // Large numbers of which the last bit is set, of either sign.
  bool all_digits = false;
  bool all_digits_negative = false;
  bool denormal = false;
  bool infinity = false;
  bool negative_infinity = false;
  bool nan = false;
  // Bits that are set in some numbers, and bits that are not set in some.
  std::uint64_t set = 0;
  std::uint64_t unset = 0;
  std::set<std::int64_t> integers{};  // those of kOneOf
};

}  // namespace promise_internal

namespace {
using promise_internal::Element;
using promise_internal::Seen;
using promise_internal::Type;

// Arrays of so many reals must have what is promised in each case. Shorter ones and single
// numbers must have it together.
constexpr std::size_t kMany = 64;

// The greatest magnitude of the least real that must occur, as a share of the greatest one that
// is promised.
constexpr double kFarSmaller = 0x1p-12;

std::string NumberText(double number) {
  if (number == std::floor(number) && std::abs(number) < 1e15) {
    const auto magnitude = static_cast<std::uint64_t>(std::abs(number));
    return (number < 0 ? "-" : "") + Grouped(magnitude);
  }
  return fmt::format("{:g}", number);
}

std::string TextOf(const Promise& promise) {
  switch (promise.kind) {
    case Promise::Kind::kNothing:
      return promise.words;
    case Promise::Kind::kOneOf:
      return fmt::format("one of {}", fmt::join(promise.values, ", "));
    case Promise::Kind::kIntegers:
      return fmt::format("from {} to {}", NumberText(promise.low), NumberText(promise.high));
    case Promise::Kind::kReals:
      break;
  }
  if (promise.any_number) {
    return promise.nan ? "any number, also 0 and -0, denormal numbers, infinities and NaN"
                       : "any number but NaN, also 0 and -0, denormal numbers and infinities";
  }
  std::string text =
      fmt::format("any number from {} to {}", NumberText(promise.low), NumberText(promise.high));
  if (promise.low <= 0 && promise.high >= 0) text += ", also 0 and -0";
  return text;
}

template <class Real, class Bits>
void SeeReal(const Promise& promise, Real number, Seen& seen) {
  if (std::isnan(number)) {
    seen.nan = true;
  } else if (std::isinf(number)) {
    (number > 0 ? seen.infinity : seen.negative_infinity) = true;
  } else if (number == 0) {
    (std::signbit(number) ? seen.negative_zero : seen.zero) = true;
  } else {
    const double value = number;
    seen.low = std::min(seen.low, value);
    seen.high = std::max(seen.high, value);
    seen.smallest = std::min(seen.smallest, std::abs(value));
    seen.denormal |= !std::isnormal(number);
    const double large = std::max(std::abs(promise.low), std::abs(promise.high)) / 16;
    if (std::abs(value) < large || std::bit_cast<Bits>(number) % 2 == 0) return;
    (value > 0 ? seen.all_digits : seen.all_digits_negative) = true;
  }
}

void SeeInteger(const Promise& promise, std::int64_t number, Seen& seen) {
  seen.low = std::min(seen.low, static_cast<double>(number));
  seen.high = std::max(seen.high, static_cast<double>(number));
  seen.set |= static_cast<std::uint64_t>(number);
  seen.unset |= ~static_cast<std::uint64_t>(number);
  if (promise.kind == Promise::Kind::kOneOf) seen.integers.insert(number);
}

std::int64_t IntegerAt(const std::byte* at, const Type& type) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, at, type.bytes);
  const unsigned unused = 64 - 8 * static_cast<unsigned>(type.bytes);
  if (!type.is_signed) return static_cast<std::int64_t>(bits);
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

template <class Real>
Real RealAt(const std::byte* at) {
  Real real;
  std::memcpy(&real, at, sizeof real);
  return real;
}

void SeeElement(const Promise& promise, const Type& type, const std::byte* at, Seen& seen) {
  if (promise.kind != Promise::Kind::kReals) {
    SeeInteger(promise, IntegerAt(at, type), seen);
  } else if (type.element == Element::kDouble) {
    SeeReal<double, std::uint64_t>(promise, RealAt<double>(at), seen);
  } else {
    SeeReal<float, std::uint32_t>(promise, RealAt<float>(at), seen);
  }
}

void SeeBytes(const Promise& promise, const Type& type, std::span<const std::byte> bytes,
              bool partly_written, Seen& seen) {
  seen.most = std::max(seen.most, bytes.size() / type.bytes);
  for (std::size_t i = 0; i + type.bytes <= bytes.size(); i += type.bytes) {
    if (partly_written && IsUnset(bytes.subspan(i, type.bytes))) continue;
    SeeElement(promise, type, bytes.data() + i, seen);
  }
}

// Returns the words for what is promised and not among the numbers.
std::vector<std::string> LackedReals(const Promise& promise, const Seen& seen) {
  std::vector<std::string> lacked;
  const auto need = [&](bool has, std::string what) {
    if (!has) lacked.push_back(std::move(what));
  };
  const bool negative = promise.low < 0;
  const bool positive = promise.high > 0;
  const double quarter = (promise.high - promise.low) / 4;
  if (positive) {
    const double high = promise.low > 0 ? promise.high - quarter : promise.high / 2;
    need(seen.high >= high, fmt::format("numbers from {} on", NumberText(high)));
    need(seen.all_digits, "large positive numbers with all digits");
  }
  if (negative) {
    const double low = promise.high < 0 ? promise.low + quarter : promise.low / 2;
    need(seen.low <= low, fmt::format("numbers of {} or less", NumberText(low)));
    need(seen.all_digits_negative, "large negative numbers with all digits");
  }
  if (!negative && promise.low > 0) {
    need(seen.low <= promise.low + quarter,
         fmt::format("numbers of {} or less", NumberText(promise.low + quarter)));
  }
  if (promise.any_number) {
    need(seen.denormal, "denormal numbers");
    need(seen.infinity && seen.negative_infinity, "infinities of both signs");
  }
  if (promise.nan) need(seen.nan, "NaN");
  return lacked;
}

std::vector<std::string> LackedIntegers(const Promise& promise, const Seen& seen) {
  std::vector<std::string> lacked;
  const double eighth = (promise.high - promise.low) / 8;
  if (seen.high < promise.high - eighth) {
    lacked.push_back(
        fmt::format("numbers from {} on", NumberText(std::ceil(promise.high - eighth))));
  }
  if (seen.low > promise.low + eighth) {
    lacked.push_back(
        fmt::format("numbers of {} or less", NumberText(std::floor(promise.low + eighth))));
  }
  if (promise.high - promise.low >= 255 && (seen.set & seen.unset & 1) == 0) {
    lacked.emplace_back("even and odd numbers");
  }
  return lacked;
}

std::vector<std::string> Lacked(const Promise& promise, const Seen& seen) {
  return promise.kind == Promise::Kind::kReals ? LackedReals(promise, seen)
                                               : LackedIntegers(promise, seen);
}

// Adds what all calls together must have.
void CompareAll(const Promise& promise, const Seen& all, std::vector<std::string>& problems) {
  if (promise.kind == Promise::Kind::kOneOf) {
    for (const int value : promise.values) {
      if (!all.integers.contains(value)) problems.push_back(fmt::format("no call has {}", value));
    }
    for (const std::int64_t value : all.integers) {
      if (std::ranges::find(promise.values, value) == promise.values.end()) {
        problems.push_back(fmt::format("a call has {}, which is not promised", value));
      }
    }
    return;
  }
  for (const std::string& what : Lacked(promise, all)) {
    problems.push_back(fmt::format("no call has {}", what));
  }
  const bool excess = all.low < promise.low || all.high > promise.high;
  if (excess && !promise.any_number) {
    problems.push_back(fmt::format("calls have numbers from {} to {}, and fewer are promised",
                                   NumberText(all.low), NumberText(all.high)));
  }
  if (promise.kind == Promise::Kind::kIntegers) {
    if (all.low > promise.low) {
      problems.push_back(fmt::format("no call has the least one, {}; the least is {}",
                                     NumberText(promise.low), NumberText(all.low)));
    }
    if (all.high < promise.high) {
      problems.push_back(fmt::format("no call has the greatest one, {}; the greatest is {}",
                                     NumberText(promise.high), NumberText(all.high)));
    }
    return;
  }
  const bool has_zero = promise.low <= 0 && promise.high >= 0;
  const double small = kFarSmaller * std::max(promise.high, -promise.low);
  if (all.most >= kMany && has_zero && all.smallest > small) {
    problems.push_back(fmt::format("no call has numbers of a magnitude of {:g} or less", small));
  }
  if (all.most >= kMany && has_zero && !(all.zero && all.negative_zero)) {
    problems.emplace_back("no call has zeros of both signs");
  }
  if (!promise.any_number && (all.infinity || all.negative_infinity)) {
    problems.emplace_back("calls have infinities, which are not promised");
  }
  if (!promise.nan && all.nan) problems.emplace_back("calls have NaN, which is not promised");
}

std::optional<std::int64_t> IntegerOf(const remote::Argument& argument) {
  return std::visit(
      [](const auto& value) -> std::optional<std::int64_t> {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_integral_v<T>) return static_cast<std::int64_t>(value);
        return std::nullopt;
      },
      argument);
}

}  // namespace

struct Promises::OfFunction {
  std::vector<Type> types;
  std::vector<Promise> promises;
  std::vector<ProductPromise> products;
  std::vector<std::map<std::string, Seen>> cases{};  // what each argument was, by case
  std::vector<std::int64_t> largest{};               // of each product

  std::optional<std::int64_t> NumberNamed(const Plan& plan, const std::string& name) const {
    for (std::size_t i = 0; i < promises.size(); ++i) {
      if (promises[i].name != name || plan.arguments[i].index() == 0) continue;
      return IntegerOf(std::get<1>(plan.arguments[i]));
    }
    return std::nullopt;
  }

  void See(const Plan& plan) {
    for (std::size_t i = 0; i < promises.size(); ++i) {
      if (promises[i].kind == Promise::Kind::kNothing) continue;
      Seen& seen = cases[i][plan.parameter_name];
      if (plan.arguments[i].index() == 0) {
        const ArrayStart& array = *plan.arrays[std::get<0>(plan.arguments[i])];
        SeeBytes(promises[i], types[i], array.bytes, !array.unwritten.empty(), seen);
        continue;
      }
      const remote::Argument& argument = std::get<1>(plan.arguments[i]);
      if (const auto* array = std::get_if<remote::HostArray>(&argument)) {
        SeeBytes(promises[i], types[i], array->bytes, false, seen);
      } else if (const auto* real = std::get_if<float>(&argument)) {
        SeeReal<float, std::uint32_t>(promises[i], *real, seen);
      } else if (const auto* wide = std::get_if<double>(&argument)) {
        SeeReal<double, std::uint64_t>(promises[i], *wide, seen);
      } else if (const auto integer = IntegerOf(argument)) {
        SeeInteger(promises[i], *integer, seen);
      }
    }
    for (std::size_t i = 0; i < products.size(); ++i) {
      std::int64_t product = 1;
      for (const std::string& factor : products[i].factors) {
        const auto number = NumberNamed(plan, factor);
        WARPCHECK_CHECK(number, "a product of promises names no integer parameter");
        product *= *number;
      }
      largest[i] = std::max(largest[i], product);
    }
  }

  PromiseResult ResultOf(std::size_t i) const {
    const Promise& promise = promises[i];
    PromiseResult result{.argument = promise.name, .promise = TextOf(promise)};
    if (promise.kind == Promise::Kind::kNothing) return result;
    Seen all;
    for (const auto& [name, seen] : cases[i]) {
      Join(all, seen);
      if (seen.most < kMany || !promise.in_each_case) continue;
      if (promise.kind != Promise::Kind::kReals) continue;
      for (const std::string& what : Lacked(promise, seen)) {
        result.problems.push_back(fmt::format("no call of the case {} has {}", name, what));
      }
    }
    CompareAll(promise, all, result.problems);
    return result;
  }

  PromiseResult ResultOfProduct(std::size_t i) const {
    constexpr double kNear = 0.9;
    const ProductPromise& product = products[i];
    PromiseResult result{.argument = fmt::format("{}", fmt::join(product.factors, " * ")),
                         .promise = "at most " + NumberText(static_cast<double>(product.most))};
    const auto most = static_cast<double>(product.most);
    const auto had = static_cast<double>(largest[i]);
    if (had > most || had < kNear * most) {
      result.problems.push_back(fmt::format("the largest one of all calls is {}", NumberText(had)));
    }
    return result;
  }

  static void Join(Seen& all, const Seen& one) {
    all.most = std::max(all.most, one.most);
    all.low = std::min(all.low, one.low);
    all.high = std::max(all.high, one.high);
    all.smallest = std::min(all.smallest, one.smallest);
    all.zero |= one.zero;
    all.negative_zero |= one.negative_zero;
    all.all_digits |= one.all_digits;
    all.all_digits_negative |= one.all_digits_negative;
    all.denormal |= one.denormal;
    all.infinity |= one.infinity;
    all.negative_infinity |= one.negative_infinity;
    all.nan |= one.nan;
    all.set |= one.set;
    all.unset |= one.unset;
    all.integers.insert(one.integers.begin(), one.integers.end());
  }
};

Promises::Promises() = default;
Promises::~Promises() = default;

Promises& Promises::Current() {
  static Promises promises;
  return promises;
}

void Promises::Add(const std::string& function, std::vector<Type> types,
                   std::vector<Promise> promises, std::vector<ProductPromise> products) {
  auto added = std::make_unique<OfFunction>(
      OfFunction{std::move(types), std::move(promises), std::move(products)});
  added->cases.resize(added->promises.size());
  added->largest.resize(added->products.size());
  functions_[function] = std::move(added);
}

void Promises::See(const Plan& plan) {
  if (!compares_) return;
  const auto found = functions_.find(plan.function);
  if (found != functions_.end()) {
    found->second->See(plan);
  } else if (std::ranges::find(without_, plan.function) == without_.end()) {
    without_.push_back(plan.function);
  }
}

std::vector<PromiseResult> Promises::Results() const {
  std::vector<PromiseResult> results;
  for (const auto& [name, function] : functions_) {
    for (std::size_t i = 0; i < function->promises.size(); ++i) {
      results.push_back(function->ResultOf(i));
    }
    for (std::size_t i = 0; i < function->products.size(); ++i) {
      results.push_back(function->ResultOfProduct(i));
    }
  }
  for (const std::string& function : without_) {
    results.push_back(
        {.argument = function,
         .promise = {},
         .problems = {
             "nothing is promised of its arguments: let checks.cpp say it by Promised<>"}});
  }
  return results;
}

}  // namespace warpcheck
