#include "build/sha256.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <memory>

#include "base/check.h"

namespace warpcheck::build {

std::string Sha256(const std::vector<std::string_view>& parts) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        &EVP_MD_CTX_free);
  bool good = context != nullptr && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1;
  for (const std::string_view part : parts) {
    const std::string length = fmt::format("{}:", part.size());
    good = good && EVP_DigestUpdate(context.get(), length.data(), length.size()) == 1 &&
           EVP_DigestUpdate(context.get(), part.data(), part.size()) == 1;
  }
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  good = good && EVP_DigestFinal_ex(context.get(), digest, &size) == 1;
  WARPCHECK_CHECK(good, "SHA-256 is not available");
  std::string text;
  for (unsigned i = 0; i < size; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

}  // namespace warpcheck::build
