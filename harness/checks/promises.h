// An assignment promises what its arguments may be. Data that are narrower than the promise let
// programs pass that are wrong for the rest of it, so `warpcheck validate` compares the promises
// with what the graded calls had, and with the handout.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "results/promise.h"
#include "trial/plan.h"

namespace warpcheck {

// The promise about one parameter. `name` is the name that the handout uses.
struct Promise {
  enum class Kind : std::uint8_t {
    kNothing,   // an output, or contents that only words describe
    kReals,     // floats, doubles, or structs of floats
    kIntegers,  // integers, each by itself or in arrays
    kOneOf      // an integer that has few values
  };

  std::string name;
  Kind kind = Kind::kNothing;
  // The least and the greatest number.
  double low = 0;
  double high = 0;
  bool any_number = false;  // denormals, infinities, and numbers of all magnitudes
  bool nan = false;
  bool in_each_case = true;   // see Reals()
  std::vector<int> values{};  // of kOneOf
  std::string words{};        // describes contents that are not compared
};

// Reals from `low` to `high`, with all digits. If 0 is one of them, they may also be zeros of
// either sign, and far smaller than others. Each case must have numbers near both ends and with all
// digits, unless its arrays are short: a program must not be able to tell by the size which data it
// gets.
inline Promise Reals(std::string name, double low, double high) {
  return {.name = std::move(name), .kind = Promise::Kind::kReals, .low = low, .high = high};
}
// The same, if the parameter of a case says what data it has. Then some case must have them.
inline Promise InSomeCases(Promise promise) {
  promise.in_each_case = false;
  return promise;
}
// All floats but NaN, or NaN too.
inline Promise AnyReals(std::string name, bool nan) {
  return {.name = std::move(name),
          .kind = Promise::Kind::kReals,
          .low = -double{std::numeric_limits<float>::max()},
          .high = double{std::numeric_limits<float>::max()},
          .any_number = true,
          .nan = nan};
}
// Integers from `low` to `high`: a size, or the elements of an array.
inline Promise Integers(std::string name, std::int64_t low, std::int64_t high) {
  return {.name = std::move(name),
          .kind = Promise::Kind::kIntegers,
          .low = static_cast<double>(low),
          .high = static_cast<double>(high)};
}
inline Promise OneOf(std::string name, std::vector<int> values) {
  return {.name = std::move(name), .kind = Promise::Kind::kOneOf, .values = std::move(values)};
}
// An array that the call writes, and whose contents before the call are no part of the task.
inline Promise Output(std::string name) { return {.name = std::move(name)}; }
// Contents that follow a rule of the assignment's own, which no comparison knows.
inline Promise Described(std::string name, std::string words) {
  return {.name = std::move(name), .words = std::move(words)};
}

// The promise that a product of integer parameters is at most `most`.
struct ProductPromise {
  std::vector<std::string> factors;
  std::int64_t most = 0;
};

namespace promise_internal {

// An Element is the type of the numbers to which a pointer leads, or of a number that is passed.
enum class Element : std::uint8_t { kFloat, kDouble, kInteger };

struct Type {
  Element element = Element::kInteger;
  std::size_t bytes = 4;  // of a number
  bool is_signed = true;
};

template <class P>
constexpr Type TypeOf() {
  using T = std::remove_const_t<std::remove_pointer_t<P>>;
  if constexpr (std::is_same_v<T, double>) return {Element::kDouble, sizeof(double)};
  if constexpr (std::is_same_v<T, float> || std::is_class_v<T>) {
    return {Element::kFloat, sizeof(float)};
  }
  return {Element::kInteger, sizeof(T), std::is_signed_v<T>};
}

template <class Function>
struct TypesOf;
template <class... Parameters>
struct TypesOf<void (*)(Parameters...)> {
  static std::vector<Type> Get() { return {TypeOf<Parameters>()...}; }
  static constexpr std::size_t kCount = sizeof...(Parameters);
};

}  // namespace promise_internal

// Promises holds what is promised of all functions of the assignment, and what calls had.
class Promises {
 public:
  Promises();
  ~Promises();
  Promises(const Promises&) = delete;
  Promises& operator=(const Promises&) = delete;

  static Promises& Current();

  // Adds the promises about the parameters of a function, named by its mangled name.
  void Add(const std::string& function, std::vector<promise_internal::Type> types,
           std::vector<Promise> promises, std::vector<ProductPromise> products);

  // After Compare(true), See() records what the arguments of a call are.
  void Compare(bool compare) { compares_ = compare; }
  void See(const Plan& plan);

  // Returns each promise with what the calls lacked.
  std::vector<PromiseResult> Results() const;

 private:
  struct OfFunction;

  bool compares_ = false;
  std::map<std::string, std::unique_ptr<OfFunction>> functions_;
  std::vector<std::string>
      without_;  // functions that were called, and of which nothing is promised
};

// Promised<&stencil>({Reals("in", -1, 1), Output("out"), Integers("n", 1, 1000)}) is a constant of
// a checks.cpp. There is one promise for each parameter, and one for each product that has a bound.
template <auto kFunction>
class Promised {
 public:
  template <std::size_t kCount>
  explicit Promised(Promise (&&promises)[kCount],
                    const std::vector<ProductPromise>& products = {}) {
    using Types = promise_internal::TypesOf<decltype(kFunction)>;
    static_assert(kCount == Types::kCount, "one promise for each parameter");
    Promises::Current().Add(FunctionOf<kFunction>().mangled, Types::Get(),
                            {std::begin(promises), std::end(promises)}, products);
  }
};

}  // namespace warpcheck
