# Writes a row {"<name>", R"text(...)text"}, for each of the files IN, which are separated by '|', to OUT.
string(REPLACE "|" ";" files "${IN}")
file(WRITE ${OUT} "")
foreach(path ${files})
  get_filename_component(name ${path} NAME)
  file(READ ${path} text)
  file(APPEND ${OUT} "{\"${name}\", R\"text(${text})text\"},\n")
endforeach()
