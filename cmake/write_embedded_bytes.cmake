# cmake -D FILE=… -D OUTPUT=… -D NAME=… -P write_embedded_bytes.cmake: a source with the bytes of a file as
#
#   extern const unsigned char* const NAME;
#   extern const unsigned long NAME_size;
#
# The assembler's .incbin would be shorter, but ccache does not see what it reads.
file(READ "${FILE}" hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
string(LENGTH "${hex}" digits)
math(EXPR size "${digits} / 2")
file(WRITE "${OUTPUT}" "extern const unsigned char* const ${NAME};\nextern const unsigned long ${NAME}_size;\n"
  "alignas(8) static const unsigned char bytes_of_${NAME}[] = {${bytes}};\n"
  "const unsigned char* const ${NAME} = bytes_of_${NAME};\nconst unsigned long ${NAME}_size = ${size};\n")
