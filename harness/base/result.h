// Result<T>: a value, or the Error that kept it from being made. Used for every failure that is
// not our own bug; our own bugs abort through Check (base/check.h).
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

#include "base/error.h"

namespace warpcheck {

template <class T = void>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> Fail(std::string message, SourceLocation where = {},
                                  std::string hint = {}) {
  return tl::unexpected<Error>(
      Error{.message = std::move(message), .where = std::move(where), .hint = std::move(hint)});
}

inline tl::unexpected<Error> Fail(Error error) { return tl::unexpected<Error>(std::move(error)); }

}  // namespace warpcheck
