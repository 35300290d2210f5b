# Embeds texts in a program as C++ string literals, so that it needs no other file at run time.
# warpcheck_embed(<target> <out> <files...>): the target's sources may #include "<out>", which has a
# row {"<file name>", R"text(...)text"}, for each file.
function(warpcheck_embed target out)
  set(made ${CMAKE_CURRENT_BINARY_DIR}/embedded/${out})
  set(files ${ARGN})
  list(TRANSFORM files PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ REGEX "^[^/]")
  string(REPLACE ";" "|" joined "${files}")
  add_custom_command(OUTPUT ${made}
    COMMAND ${CMAKE_COMMAND} "-DIN=${joined}" -DOUT=${made} -P ${CMAKE_SOURCE_DIR}/cmake/embed_files.cmake
    DEPENDS ${files} ${CMAKE_SOURCE_DIR}/cmake/embed_files.cmake
    VERBATIM)
  target_sources(${target} PRIVATE ${made})
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/embedded)
endfunction()
