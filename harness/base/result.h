// Result<T>: a value, or the Error that kept it from being made. Used for every failure that is
// not our own bug; our own bugs abort through Check (base/check.h).
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <type_traits>
#include <utility>

#include "base/source_location.h"

namespace warpcheck {

// An expected failure as a value: what went wrong, where, and what the reader can do about it.
struct Error {
  std::string message;     // one sentence, no trailing period or newline
  SourceLocation where{};  // empty when the failure has no place in a file
  std::string hint{};      // what to do; may be empty

  // "file:line:column: error: message\n  hint", without the parts that are empty.
  std::string Text() const;

  // On one line, without the place: "no GPU was found; install NVIDIA's driver".
  std::string Sentence() const;

  friend bool operator==(const Error&, const Error&) = default;
};

template <class T = void>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> Fail(std::string message, SourceLocation where = {},
                                  std::string hint = {}) {
  return tl::unexpected<Error>(
      Error{.message = std::move(message), .where = std::move(where), .hint = std::move(hint)});
}

inline tl::unexpected<Error> Fail(Error error) { return tl::unexpected<Error>(std::move(error)); }

// The value of an expected; where it has none, the function that this stands in returns the error:
//
//   const std::string text = WARPCHECK_TRY(ReadFile(path));
//   WARPCHECK_TRY(WriteFile(copy, text));
#define WARPCHECK_TRY(...)                                         \
  ({                                                               \
    auto tried = (__VA_ARGS__);                                    \
    if (!tried) return ::tl::unexpected(std::move(tried).error()); \
    ::warpcheck::ValueOf(std::move(tried));                        \
  })
template <class T, class E>
T ValueOf(tl::expected<T, E>&& expected) {
  if constexpr (!std::is_void_v<T>) return *std::move(expected);
}

// The same of CUDA's codes (DeviceError, cudaError_t, CUresult), of which 0 is success: the
// function that this stands in returns what is another.
#define WARPCHECK_TRY_CODE(...) \
  if (const auto code = (__VA_ARGS__); static_cast<int>(code) != 0) return code

}  // namespace warpcheck
