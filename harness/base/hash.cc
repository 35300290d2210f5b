#include "base/hash.h"

#include <fmt/format.h>
#include <nettle/sha2.h>

#include <cstdint>

namespace warpcheck {
namespace {

std::string DigestOf(const std::vector<std::string_view>& texts) {
  sha256_ctx context;
  sha256_init(&context);
  for (const std::string_view text : texts) {
    sha256_update(&context, text.size(), reinterpret_cast<const std::uint8_t*>(text.data()));
  }
  std::uint8_t digest[SHA256_DIGEST_SIZE];
  sha256_digest(&context, sizeof digest, digest);
  std::string text;
  for (const std::uint8_t byte : digest) text += fmt::format("{:02x}", byte);
  return text;
}

}  // namespace

std::string FileDigest(std::string_view bytes) { return DigestOf({bytes}); }

std::string Sha256(const std::vector<std::string_view>& parts) {
  std::vector<std::string> lengths;
  for (const std::string_view part : parts) lengths.push_back(fmt::format("{}:", part.size()));
  std::vector<std::string_view> texts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    texts.push_back(lengths[i]);
    texts.push_back(parts[i]);
  }
  return DigestOf(texts);
}

}  // namespace warpcheck
