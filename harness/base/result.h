// Result<T> is a value, or the Error that prevented it. It is used for every failure that is not a
// bug of warpcheck; bugs abort through WARPCHECK_CHECK (base/check.h).
#pragma once

#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <type_traits>
#include <utility>

#include "base/record.h"
#include "base/source_location.h"

namespace warpcheck {

// Tells apart the errors that a program handles in different ways; people read the message.
enum class ErrorKind : std::uint8_t {
  kOther,
  kNotFound,  // something that was named does not exist
  kNotBuilt,  // a program does not compile
};
WARPCHECK_NAMES(ErrorKind, "other", "not_found", "not_built");

// An Error says what went wrong, where, and what the reader can do about it.
struct Error {
  std::string message;     // one sentence, without a period or a newline at its end
  SourceLocation where{};  // empty if the failure has no place in a file
  std::string hint{};      // what the reader can do about it; may be empty
  ErrorKind kind = ErrorKind::kOther;

  // Returns "file:line:column: error: message\n  hint", without the parts that are empty.
  std::string Text() const;

  // Returns one line without the place: "no GPU was found; install NVIDIA's driver".
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

// Fails because something that was named does not exist.
inline tl::unexpected<Error> NotFound(std::string message, std::string hint = {}) {
  return tl::unexpected<Error>(
      Error{.message = std::move(message), .hint = std::move(hint), .kind = ErrorKind::kNotFound});
}

inline tl::unexpected<Error> Fail(Error error) { return tl::unexpected<Error>(std::move(error)); }

// WARPCHECK_TRY evaluates to the value of a Result. If it holds an error instead, the surrounding
// function returns the error:
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

// WARPCHECK_TRY_CODE does the same for CUDA's codes (DeviceError, cudaError_t, CUresult): if the
// code is not 0, which is success, the surrounding function returns it.
#define WARPCHECK_TRY_CODE(...)                                                    \
  do {                                                                             \
    if (const auto code = (__VA_ARGS__); static_cast<int>(code) != 0) return code; \
  } while (false)

}  // namespace warpcheck
