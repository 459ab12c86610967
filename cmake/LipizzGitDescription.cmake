# cmake -D SOURCE=folder -D TEMPLATE=file -D OUTPUT=file -P LipizzGitDescription.cmake
#
# Writes OUTPUT anew when git describes the source in other words than before.
set(git_description "")
find_program(GIT git)
if(GIT AND EXISTS "${SOURCE}/.git")
  execute_process(COMMAND ${GIT} describe --always --tags --dirty
    WORKING_DIRECTORY "${SOURCE}" OUTPUT_VARIABLE git_description ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
configure_file("${TEMPLATE}" "${OUTPUT}" @ONLY)
