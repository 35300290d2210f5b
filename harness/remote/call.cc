#include "remote/call.h"

#include <ffi.h>

#include <algorithm>
#include <list>
#include <new>

#include "base/check.h"

namespace warpcheck::remote {

namespace {

// A type of libffi for a struct.
class StructType {
 public:
  explicit StructType(const StructValue& value) {
    const std::size_t bytes = value.bytes.size();
    for (std::size_t at = 0; at < bytes; at += kRegisterBytes) {
      const bool is_float = at == 0 ? value.first_in_float_register
                                    : at == kRegisterBytes && value.second_in_float_register;
      AddPart(std::min(kRegisterBytes, bytes - at), is_float && bytes <= 2 * kRegisterBytes);
    }
    members_.push_back(nullptr);
    type_.size = bytes;
    type_.alignment = static_cast<unsigned short>(value.alignment);
    type_.type = FFI_TYPE_STRUCT;
    type_.elements = members_.data();
  }
  StructType(const StructType&) = delete;
  StructType& operator=(const StructType&) = delete;

  ffi_type* type() { return &type_; }

 private:
  static constexpr std::size_t kRegisterBytes = 8;

  void AddPart(std::size_t bytes, bool is_float) {
    if (is_float) {
      members_.push_back(bytes == kRegisterBytes ? &ffi_type_double : &ffi_type_float);
    } else if (bytes == kRegisterBytes) {
      members_.push_back(&ffi_type_uint64);
    } else {
      members_.insert(members_.end(), bytes, &ffi_type_uint8);
    }
  }

  ffi_type type_{};
  std::vector<ffi_type*> members_;
};

template <class T>
ffi_type* FfiType([[maybe_unused]] const T& argument,
                  [[maybe_unused]] std::list<StructType>& structs) {
  if constexpr (std::is_same_v<T, float>) return &ffi_type_float;
  if constexpr (std::is_same_v<T, double>) return &ffi_type_double;
  if constexpr (std::is_same_v<T, DevicePointer> || std::is_same_v<T, HostArray>) {
    return &ffi_type_pointer;
  }
  if constexpr (std::is_same_v<T, StructValue>) return structs.emplace_back(argument).type();
  if constexpr (std::is_same_v<T, bool>) return &ffi_type_uint8;
  if constexpr (std::is_same_v<T, char>) return &ffi_type_schar;
  if constexpr (std::is_same_v<T, std::int8_t>) return &ffi_type_sint8;
  if constexpr (std::is_same_v<T, std::uint8_t>) return &ffi_type_uint8;
  if constexpr (std::is_same_v<T, std::int16_t>) return &ffi_type_sint16;
  if constexpr (std::is_same_v<T, std::uint16_t>) return &ffi_type_uint16;
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
  if constexpr (std::is_same_v<T, HostArray>) return &pointer;
  if constexpr (std::is_same_v<T, StructValue>) return argument.bytes.data();
  return &argument;
}

// Returns the memory of a host array, with its bytes.
std::byte* MemoryOf(HostArray& array, const AllocateHost& allocate) {
  if (array.memory == HostArray::Memory::kPageable) return array.bytes.data();
  std::byte* const memory = allocate(array.memory, array.bytes.size());
  if (memory == nullptr) throw std::bad_alloc();
  std::ranges::copy(array.bytes, memory);
  return memory;
}

}  // namespace

std::vector<std::vector<std::byte>> Invoke(void (*function)(),
                                           const std::vector<Argument>& arguments,
                                           const AllocateHost& allocate) {
  std::vector<Argument> copies = arguments;
  std::vector<void*> pointers(copies.size());
  std::list<StructType> structs;
  std::vector<ffi_type*> types;
  std::vector<void*> values;
  for (std::size_t i = 0; i < copies.size(); ++i) {
    if (auto* array = std::get_if<HostArray>(&copies[i])) pointers[i] = MemoryOf(*array, allocate);
    std::visit(
        [&]<class T>(T& value) {
          types.push_back(FfiType(value, structs));
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
  std::vector<std::vector<std::byte>> back;
  for (std::size_t i = 0; i < copies.size(); ++i) {
    const auto* array = std::get_if<HostArray>(&copies[i]);
    if (array == nullptr || !array->comes_back) continue;
    const auto* const bytes = static_cast<const std::byte*>(pointers[i]);
    back.emplace_back(bytes, bytes + array->bytes.size());
  }
  return back;
}

bool HasHostArrays(const CallOutcome& outcome, const Call& call) {
  std::size_t known = 0;
  for (const Argument& argument : call.arguments) {
    const auto* array = std::get_if<HostArray>(&argument);
    if (array == nullptr || !array->comes_back) continue;
    if (known == outcome.host_arrays.size() ||
        outcome.host_arrays[known++].size() != array->bytes.size()) {
      return false;
    }
  }
  return known == outcome.host_arrays.size();
}

}  // namespace warpcheck::remote
