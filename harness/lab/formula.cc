#include "lab/formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/record.h"
#include "base/text.h"

namespace warpcheck::lab {
namespace {

constexpr std::string_view kMin = "min", kMax = "max", kCeil = "ceil";

bool IsLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

}  // namespace

// Parses by recursive descent. After an error it reads nothing more.
class FormulaParser {
 public:
  explicit FormulaParser(std::string_view text) : text_(text) {}

  Result<Formula> Parse() {
    steps_.clear();
    Sum();
    if (!wrong_ && Peek() != '\0') Wrong();
    if (wrong_) return Fail(fmt::format("\"{}\" is no formula: it is wrong at {}", text_, At()));
    Formula formula;
    formula.text_ = std::string(text_);
    formula.steps_ = std::move(steps_);
    return formula;
  }

 private:
  using Step = Formula::Step;
  static constexpr int kMostNested = 100;

  void Wrong() { wrong_ = true; }
  std::string At() const {
    return at_ < text_.size() ? fmt::format("\"{}\"", text_.substr(at_)) : std::string("its end");
  }

  // Returns the next character that is no blank, or '\0' at the end.
  char Peek() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool Take(char c) {
    if (wrong_ || Peek() != c) return false;
    ++at_;
    return true;
  }
  void Expect(char c) {
    if (!Take(c)) Wrong();
  }
  void Push(Step::Kind kind) { steps_.push_back({.kind = kind}); }

  void Sum() {
    Product();
    while (!wrong_) {
      const auto kind = Peek() == '+' ? Step::kAdd : Step::kSubtract;
      if (!Take('+') && !Take('-')) return;
      Product();
      Push(kind);
    }
  }
  void Product() {
    Unary();
    while (!wrong_) {
      const char c = Peek();
      if (!Take('*') && !Take('/') && !Take('%')) return;
      Unary();
      Push(c == '*' ? Step::kMultiply : c == '/' ? Step::kDivide : Step::kRemainder);
    }
  }
  void Unary() {
    if (!Take('-')) return Primary();
    Push(Step::kNumber);
    Primary();
    Push(Step::kSubtract);
  }
  void Primary() {
    if (wrong_ || ++nested_ > kMostNested) return Wrong();
    const char c = Peek();
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      Number();
    } else if (IsLetter(c)) {
      Name();
    } else {
      Expect('(');
      Sum();
      Expect(')');
    }
    --nested_;
  }
  void Number() {
    double number = 0;
    const char* const end = text_.data() + text_.size();
    const auto [stop, error] =
        std::from_chars(text_.data() + at_, end, number, std::chars_format::fixed);
    if (error != std::errc()) return Wrong();
    at_ = static_cast<std::size_t>(stop - text_.data());
    steps_.push_back({.kind = Step::kNumber, .number = number});
  }
  void Name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && IsOfIdentifier(text_[at_])) ++at_;
    const std::string name(text_.substr(begin, at_ - begin));
    if (Peek() != '(') return steps_.push_back({.kind = Step::kName, .number = 0, .name = name});
    const std::pair<std::string_view, Step::Kind> functions[] = {
        {kMin, Step::kMin}, {kMax, Step::kMax}, {kCeil, Step::kCeil}};
    const auto* const found =
        std::ranges::find(functions, name, &std::pair<std::string_view, Step::Kind>::first);
    if (found == std::end(functions)) {
      at_ = begin;
      return Wrong();
    }
    Expect('(');
    Sum();
    Expect(',');
    Sum();
    Expect(')');
    Push(found->second);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int nested_ = 0;
  bool wrong_ = false;
  std::vector<Step> steps_;
};

Result<Formula> Formula::Parse(std::string_view text, SourceLocation where) {
  auto formula = FormulaParser(text).Parse();
  if (formula) formula->where_ = std::move(where);
  return formula;
}

std::vector<std::string> Formula::Names() const {
  std::vector<std::string> names;
  for (const Step& step : steps_) {
    if (step.kind == Step::kName) names.push_back(step.name);
  }
  return names;
}

std::optional<double> Formula::Apply(Step::Kind kind, double a, double b, Division division) {
  const bool divides = kind == Step::kDivide || kind == Step::kRemainder || kind == Step::kCeil;
  if (divides && b == 0) return std::nullopt;
  switch (kind) {
    case Step::kAdd:
      return a + b;
    case Step::kSubtract:
      return a - b;
    case Step::kMultiply:
      return a * b;
    case Step::kDivide:
      return division == Division::kWhole ? std::trunc(a / b) : a / b;
    case Step::kRemainder:
      return std::fmod(a, b);
    case Step::kMin:
      return std::min(a, b);
    case Step::kMax:
      return std::max(a, b);
    default:
      return std::ceil(a / b);
  }
}

std::optional<double> Formula::ValueFor(const Values& values, Division division) const {
  std::vector<double> stack;
  for (const Step& step : steps_) {
    if (step.kind == Step::kNumber) {
      stack.push_back(step.number);
    } else if (step.kind == Step::kName) {
      const auto found = values.find(step.name);
      if (found == values.end() || !found->second) return std::nullopt;
      stack.push_back(*found->second);
    } else {
      const double b = stack.back();
      stack.pop_back();
      const auto value = Apply(step.kind, stack.back(), b, division);
      if (!value || !std::isfinite(*value)) return std::nullopt;
      stack.back() = *value;
    }
  }
  return stack.back();
}

bool IsFormulaName(std::string_view name) {
  return !name.empty() && IsLetter(name.front()) && std::ranges::all_of(name, IsOfIdentifier) &&
         !IsOneOf(name, kMin, kMax, kCeil);
}

}  // namespace warpcheck::lab
