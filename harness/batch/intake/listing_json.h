// A listing as JSON: the answer of the confined process that reads an archive.
//
// That process has read what strangers made, and may be under their control. So ListingFrom
// believes its answer only as far as UnpackHere could have given it, and fails on anything else.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "batch/intake/listing.h"

namespace warpcheck::batch {

// Returns the listing, or the error, as one JSON object.
std::string ListingText(const Result<Listing>& listing);

// Reads such an object. Every path has to stay inside the archive, and every file's bytes have to
// be a plain file directly in `folder`, no larger than MaxBytes() allows.
Result<Listing> ListingFrom(std::string_view text, const std::filesystem::path& folder);

}  // namespace warpcheck::batch
