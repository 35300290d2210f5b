# warpcheck_joined_programs(<program> SOURCES <source> ... [HEADERS <header> ...] [IN_NAMESPACES]
#   [FLAGS <flag of nvcc> ...]) compiles CUDA programs as one, because nvcc takes longer for a file
# than for its contents. The first argument of <program> names the source whose main() is called,
# without ".cu". With IN_NAMESPACES each source is in a namespace of its name, so that sources may
# use the same names; HEADERS are then all headers that they include. A source's main() returns
# nothing.
function(warpcheck_joined_programs program)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "IN_NAMESPACES" "" "SOURCES;HEADERS;FLAGS")
  set(text "#include <string_view>\n")
  foreach(header ${ARG_HEADERS})
    string(APPEND text "#include <${header}>\n")
  endforeach()
  set(calls)
  foreach(source ${ARG_SOURCES})
    get_filename_component(name ${source} NAME_WE)
    # "int main()" becomes "int number_of_...; void main_of_...()": such a function needs no return.
    set(included "#define main number_of_${name}; void main_of_${name}\n#include \"${source}\"\n#undef main\n")
    set(called main_of_${name})
    if(ARG_IN_NAMESPACES)
      set(included "namespace ${name} {\n${included}}\n")
      set(called ${name}::${called})
    endif()
    string(APPEND text "${included}")
    string(APPEND calls "  if (name == \"${name}\") return ${called}(), 0;\n")
  endforeach()
  file(CONFIGURE OUTPUT ${program}.cu CONTENT
    "${text}\nint main(int, char** arguments) {\n  const std::string_view name = arguments[1];\n${calls}  return 2;\n}\n")
  add_custom_command(OUTPUT ${program}
    COMMAND ${WARPCHECK_NVCC} -std=c++20 -O3 -lineinfo -Xcompiler -g1 -cudart shared
      -gencode arch=compute_90,code=compute_90 ${ARG_FLAGS} ${program}.cu -o ${program}
    DEPENDS ${program}.cu ${ARG_SOURCES}
    VERBATIM)
endfunction()
