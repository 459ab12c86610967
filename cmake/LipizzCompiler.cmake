# One interface target, lipizz_options, carries every flag; each module links it.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
endif()

add_library(lipizz_options INTERFACE)
target_include_directories(lipizz_options INTERFACE "${CMAKE_SOURCE_DIR}/src")
# Contraction into fused multiply-adds would make results depend on the instruction set.
set(warnings -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual)
target_compile_options(lipizz_options INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off;-Wpedantic;${warnings}>"
  "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-ffp-contract=off,-Wall,-Wextra>")
# Eigen's fast square root begins from the processor's own estimate, which differs between makers.
target_compile_definitions(lipizz_options INTERFACE EIGEN_FAST_MATH=0)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 sees overlapping copies in std::string's operator+ (GCC bug 105329), and copies beyond
  # its end where the standard library is precompiled.
  target_compile_options(lipizz_options INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict;-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>")
endif()
if(LIPIZZ_WERROR)
  target_compile_options(lipizz_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Werror> "$<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings>")
endif()
if(LIPIZZ_ASSERTIONS)
  target_compile_definitions(lipizz_options INTERFACE LIPIZZ_ASSERTIONS)
endif()
if(LIPIZZ_SANITIZE)
  target_compile_options(lipizz_options INTERFACE
    -fsanitize=${LIPIZZ_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(lipizz_options INTERFACE -fsanitize=${LIPIZZ_SANITIZE})
endif()
