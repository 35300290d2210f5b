# Writes the text of the file IN as a C++ string literal to the file OUT, so that a test program
# needs no other file.
file(READ ${IN} text)
file(WRITE ${OUT} "R\"ptx(${text})ptx\"\n")
