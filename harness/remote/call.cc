#include "remote/call.h"

#include <ffi.h>

#include "base/check.h"

namespace warpcheck::remote {

namespace {

template <class T>
ffi_type* FfiType() {
  if constexpr (std::is_same_v<T, float>) return &ffi_type_float;
  if constexpr (std::is_same_v<T, double>) return &ffi_type_double;
  if constexpr (std::is_same_v<T, DevicePointer> || std::is_same_v<T, HostArray>) {
    return &ffi_type_pointer;
  }
  if constexpr (std::is_same_v<T, bool>) return &ffi_type_uint8;
  if constexpr (std::is_same_v<T, char>) return &ffi_type_schar;
  if constexpr (std::is_same_v<T, std::int32_t>) return &ffi_type_sint32;
  if constexpr (std::is_same_v<T, std::uint32_t>) return &ffi_type_uint32;
  if constexpr (std::is_same_v<T, std::int64_t>) return &ffi_type_sint64;
  if constexpr (std::is_same_v<T, std::uint64_t>) return &ffi_type_uint64;
}

// Returns the place where libffi finds the value of an argument. For a host array, `pointer` has
// the value.
template <class T>
void* Value(T& argument, void*& pointer) {
  if constexpr (std::is_same_v<T, DevicePointer>) return &argument.address;
  if constexpr (std::is_same_v<T, HostArray>) {
    pointer = argument.bytes.data();
    return &pointer;
  }
  return &argument;
}

}  // namespace

void Invoke(void (*function)(), const std::vector<Argument>& arguments) {
  std::vector<Argument> copies = arguments;
  std::vector<void*> pointers(copies.size());
  std::vector<ffi_type*> types;
  std::vector<void*> values;
  for (std::size_t i = 0; i < copies.size(); ++i) {
    std::visit(
        [&]<class T>(T& value) {
          types.push_back(FfiType<T>());
          values.push_back(Value(value, pointers[i]));
        },
        copies[i]);
  }
  ffi_cif interface {};
  const ffi_status status =
      ffi_prep_cif(&interface, FFI_DEFAULT_ABI, static_cast<unsigned>(types.size()), &ffi_type_void,
                   types.data());
  WARPCHECK_CHECK(status == FFI_OK, "libffi does not know the types of a call");
  ffi_call(&interface, function, nullptr, values.data());
}

}  // namespace warpcheck::remote
