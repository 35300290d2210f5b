// Texts as they may stand in JUnit XML.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace warpcheck {

// Clean (report/clean_text.h), and without what makes a consumer attach files or set properties.
std::string Neutral(std::string_view text, std::size_t max_bytes = 4096);

// Bytes in the file: '"' becomes "&quot;".
std::size_t EscapedSize(std::string_view text);

// Seconds since 1970, UTC: "2026-11-21T10:00:00".
std::string JunitTimestamp(std::int64_t seconds);

}  // namespace warpcheck
