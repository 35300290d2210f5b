// Holds what every page of warpcheck must keep to.
#pragma once

#include <filesystem>
#include <string>

namespace warpcheck {

// Compares the page with its golden file, without its head, which differs only in the title, and
// without the script. If WARPCHECK_UPDATE_GOLDEN is set, writes the file instead.
void ExpectPage(const std::string& html, const std::filesystem::path& golden);

// Expects that no text in the page is markup, apart from the markup of the templates, and that the
// page has at most 16 MiB.
void ExpectHarmless(std::string html);

}  // namespace warpcheck
