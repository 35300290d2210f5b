// Converts a listing to JSON and back. The JSON is the answer of the confined process that reads an
// archive.
//
// The confined process reads archives that strangers made, and a crafted archive may take control
// of it. So ListingFrom accepts only answers that UnpackHere could give, and fails on all others.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "batch/intake/listing.h"

namespace warpcheck::batch {

// Returns the listing, or the error, as one JSON object.
std::string ListingText(const Result<Listing>& listing);

// Reads such an object. Every path must stay inside the archive. The bytes of every file must be a
// plain file directly in `folder`, no larger than MaxBytes() allows.
Result<Listing> ListingFrom(std::string_view text, const std::filesystem::path& folder);

}  // namespace warpcheck::batch
