# warpcheck_reference(<name> <object> [--sealed]): reference/<name>.cu, compiled as a submission is,
# in the language of the rubric: its device code stays PTX, for the emulator and for every GPU of
# CUDA 13, and the CUDA runtime that it calls is warpcheck's own.
function(warpcheck_reference name object)
  set(folder ${PROJECT_SOURCE_DIR}/assignments/${name})
  set(reference ${PROJECT_SOURCE_DIR}/reference/${name}.cu)
  add_custom_command(
    OUTPUT ${object}
    COMMAND compile_reference ${ARGN} ${folder}/rubric.toml ${WARPCHECK_NVCC} -c
            -I ${folder} -MD -MF ${object}.d -MT ${object} ${reference} -o ${object}
    DEPENDS ${reference} ${folder}/rubric.toml compile_reference
    DEPFILE ${object}.d
    COMMENT "Compiling the reference of ${name}"
    VERBATIM)
  set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
endfunction()

# warpcheck_add_assignment(<name>): the program <name>_checks of assignments/<name>/checks.cpp and
# reference/<name>.cu, and the same to be given out, sealed/<name>_checks, whose reference has
# neither lines nor names.
function(warpcheck_add_assignment name)
  set(folder ${PROJECT_SOURCE_DIR}/assignments/${name})
  foreach(file ${folder}/checks.cpp ${folder}/${name}.h ${folder}/rubric.toml
      ${PROJECT_SOURCE_DIR}/reference/${name}.cu)
    if(NOT EXISTS ${file})
      message(FATAL_ERROR "assignment '${name}' has no ${file}")
    endif()
  endforeach()

  # Complaints call arrays what the header calls them.
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/${name}.h)
  file(READ ${folder}/${name}.h header)
  set(header_source ${CMAKE_CURRENT_BINARY_DIR}/${name}_header.cc)
  file(CONFIGURE OUTPUT ${header_source} @ONLY CONTENT
    "#include \"checks/program.h\"
int main(int argc, char** argv) {
  return warpcheck::RunChecksProgram(argc, argv, R\"header(@header@)header\");
}
")
  add_library(${name}_cases OBJECT ${folder}/checks.cpp ${header_source})
  target_include_directories(${name}_cases PRIVATE ${folder})
  target_link_libraries(${name}_cases PRIVATE warpcheck_checks)

  foreach(kind checks sealed)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}_${kind}.o)
    set(sealing)
    if(kind STREQUAL sealed)
      set(sealing --sealed)
    endif()
    warpcheck_reference(${name} ${object} ${sealing})
    add_executable(${name}_${kind} ${object} $<TARGET_OBJECTS:${name}_cases>)
    # The checks find the mangled name of the student's function by its address in this program.
    set_target_properties(${name}_${kind} PROPERTIES ENABLE_EXPORTS ON LINKER_LANGUAGE CXX)
    warpcheck_thin(${name}_${kind})
  endforeach()
  set_target_properties(${name}_sealed PROPERTIES
    OUTPUT_NAME ${name}_checks RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/sealed)
  target_link_options(${name}_sealed PRIVATE -s)
  warpcheck_install(${name}_sealed)
endfunction()

# Every folder of assignments/ that holds a rubric; sets WARPCHECK_ASSIGNMENTS to their names.
function(warpcheck_add_assignments)
  file(GLOB rubrics CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/assignments/*/rubric.toml)
  foreach(rubric ${rubrics})
    get_filename_component(folder ${rubric} DIRECTORY)
    get_filename_component(name ${folder} NAME)
    warpcheck_add_assignment(${name})
    list(APPEND names ${name})
  endforeach()
  set(WARPCHECK_ASSIGNMENTS ${names} PARENT_SCOPE)
endfunction()
