#include "similarity/index_value.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

namespace warpcheck::similarity {
namespace {

constexpr std::size_t kLongestName =
    400;  // if the name of an operation is longer, its operands are left out
constexpr auto kExchangeable =
    std::to_array<std::string_view>({"min", "max", "and", "or", "xor", "selp"});

std::int64_t Wrapped(std::uint64_t number) { return static_cast<std::int64_t>(number); }

std::int64_t Product(std::int64_t a, std::int64_t b) {
  return Wrapped(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

// Returns the name of a parameter without its number ("$P" for "$P#12.0"), because a disguise
// may reorder the parameters.
std::string Unnumbered(std::string_view name) {
  std::string text;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '#') {
      i = std::min(name.find_first_not_of("0123456789.", i + 1), name.size()) - 1;
    } else {
      text += name[i];
    }
  }
  return text;
}

}  // namespace

IndexValue IndexValue::Of(std::int64_t number) {
  IndexValue value;
  value.Add({}, number);
  return value;
}

IndexValue IndexValue::Of(std::string_view factor) {
  IndexValue value;
  const bool is_number = factor == kRound || factor.starts_with("$ntid");
  value.Add({{std::string(factor), is_number ? "" : Unnumbered(factor)}}, 1);
  return value;
}

void IndexValue::Add(const Factors& factors, std::int64_t times) {
  if (times == 0) return;
  std::int64_t& sum = terms_[factors];
  sum = Wrapped(static_cast<std::uint64_t>(sum) + static_cast<std::uint64_t>(times));
  if (sum == 0) terms_.erase(factors);
}

IndexValue IndexValue::Plus(const IndexValue& other, std::int64_t times) const {
  if (terms_.size() + other.terms_.size() > kMostTerms) return Of("big");
  IndexValue sum = *this;
  for (const auto& [factors, number] : other.terms_) sum.Add(factors, Product(number, times));
  return sum;
}

IndexValue IndexValue::operator*(const IndexValue& other) const {
  if (terms_.size() * other.terms_.size() > kMostTerms) return Of("big");
  IndexValue product;
  for (const auto& [a, times_a] : terms_) {
    for (const auto& [b, times_b] : other.terms_) {
      Factors factors = a;
      factors.insert(factors.end(), b.begin(), b.end());
      if (factors.size() > kMostTerms) return Of("big");
      std::ranges::sort(factors);
      product.Add(factors, Product(times_a, times_b));
    }
  }
  return product;
}

IndexValue IndexValue::Divided(const IndexValue& by) const {
  const auto number = by.Number();
  const bool evenly = number && *number > 0 && std::ranges::all_of(terms_, [&](const auto& term) {
                        return term.second % *number == 0;
                      });
  if (!evenly) return Operation("div", {*this, by});
  IndexValue value;
  for (const auto& [factors, times] : terms_) value.Add(factors, times / *number);
  return value;
}

IndexValue IndexValue::Operation(std::string_view name, const std::vector<IndexValue>& operands) {
  std::vector<std::string> names;
  std::vector<std::string> shapes;
  for (const IndexValue& operand : operands) {
    names.push_back(operand.TextBy(true));
    shapes.push_back(operand.Shape());
  }
  if (std::ranges::find(kExchangeable, name) != kExchangeable.end()) {
    std::ranges::sort(names);
    std::ranges::sort(shapes);
  }
  Factor factor{.name = fmt::format("{}({})", name, fmt::join(names, ",")),
                .shape = fmt::format("{}({})", name, fmt::join(shapes, ","))};
  if (factor.name.size() > kLongestName) factor = {fmt::format("{}(...)", name), std::string(name)};
  IndexValue value;
  value.Add({std::move(factor)}, 1);
  return value;
}

std::optional<std::int64_t> IndexValue::Number() const {
  if (terms_.empty()) return 0;
  if (terms_.size() > 1 || !terms_.begin()->first.empty()) return std::nullopt;
  return terms_.begin()->second;
}

std::optional<std::int64_t> IndexValue::TimesOf(const std::string& factor) const {
  const Factors alone = Of(factor).terms_.begin()->first;
  const auto found = terms_.find(alone);
  if (found == terms_.end()) return std::nullopt;
  IndexValue rest = *this;
  rest.terms_.erase(alone);
  return rest.Names(factor) ? std::nullopt : std::optional(found->second);
}

template <class Predicate>
bool IndexValue::AllFactors(Predicate is) const {
  return std::ranges::all_of(terms_, [&](const auto& term) {
    return std::ranges::all_of(term.first, [&](const Factor& factor) { return is(factor.name); });
  });
}

bool IndexValue::Names(std::string_view text) const {
  return !AllFactors([&](const std::string& name) { return name.find(text) == std::string::npos; });
}

bool IndexValue::IsMadeOf(const std::string& factor) const {
  return AllFactors([&](const std::string& name) {
    return name == kRound ||
           (name.find(factor) != std::string::npos && name.find('$') == std::string::npos);
  });
}

std::string IndexValue::TextBy(bool order) const {
  struct Term {
    std::string times;
    std::string shown;
  };
  std::map<std::string, Term> terms;  // terms by their names
  for (const auto& [factors, times] : terms_) {
    std::string name;
    std::vector<std::string> shown;
    for (const Factor& factor : factors) {
      if (factor.name == kRound) continue;
      name += "*" + factor.name;
      shown.push_back(order ? factor.name : Unnumbered(factor.name));
    }
    std::ranges::sort(shown);
    const auto [at, is_new] = terms.try_emplace(name);
    at->second.shown = fmt::format("{}", fmt::join(shown, "*"));
    const bool in_rounds = !is_new || shown.size() < factors.size();
    at->second.times = in_rounds ? std::string(kRound) : std::to_string(times);
  }
  std::multiset<std::string> texts;
  for (const auto& [name, term] : terms) {
    texts.insert(fmt::format("{}*{}", term.times, term.shown));
  }
  return fmt::format("{}", fmt::join(texts, "+"));
}

std::string IndexValue::Shape() const {
  std::set<std::string> terms;
  for (const auto& [factors, times] : terms_) {
    std::vector<std::string> shapes;
    for (const Factor& factor : factors) {
      if (!factor.shape.empty()) shapes.push_back(factor.shape);
    }
    std::ranges::sort(shapes);
    if (!shapes.empty()) terms.insert(fmt::format("{}", fmt::join(shapes, "*")));
  }
  return fmt::format("{}", fmt::join(terms, "+"));
}

}  // namespace warpcheck::similarity
