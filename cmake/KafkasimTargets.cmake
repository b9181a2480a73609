# How every target of kafkasim is made: one library per folder, one test executable per folder.
#
#   kafkasim_module(sim SOURCES rng.h rng.cc DEPENDS absl::status)      -> kafkasim_sim, kafkasim::sim
#   kafkasim_tests(sim SOURCES rng_test.cc LINKS kafkasim::broker)      -> sim_tests
#
# Sources are listed by name. A module without a .cc file is an INTERFACE library.

# Flags live here and are linked PRIVATE, so that none reaches whoever uses kafkasim as a subproject.
add_library(kafkasim_options INTERFACE)
target_compile_features(kafkasim_options INTERFACE cxx_std_20)
target_compile_options(kafkasim_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  -Wnon-virtual-dtor -Woverloaded-virtual
  $<$<BOOL:${KAFKASIM_WERROR}>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # g++ 12 takes the storage of absl::InlinedVector for uninitialised variables.
  target_compile_options(kafkasim_options INTERFACE -Wno-maybe-uninitialized -Wno-uninitialized)
endif()
target_compile_definitions(kafkasim_options INTERFACE $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)
if(KAFKASIM_SANITIZE)
  target_compile_options(kafkasim_options INTERFACE
    -fsanitize=${KAFKASIM_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(kafkasim_options INTERFACE -fsanitize=${KAFKASIM_SANITIZE})
endif()
if(KAFKASIM_COVERAGE)
  target_compile_options(kafkasim_options INTERFACE --coverage)
  target_link_options(kafkasim_options INTERFACE --coverage)
endif()

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(KAFKASIM_CCACHE ccache)
  mark_as_advanced(KAFKASIM_CCACHE)
  if(KAFKASIM_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${KAFKASIM_CCACHE})
  endif()
endif()

if(KAFKASIM_IPO)
  include(CheckIPOSupported)
  check_ipo_supported(LANGUAGES CXX)
endif()

# What all of our own compiled targets have in common.
function(kafkasim_configure_target target)
  set_target_properties(${target} PROPERTIES
    CXX_EXTENSIONS OFF
    INTERPROCEDURAL_OPTIMIZATION ${KAFKASIM_IPO})
  target_link_libraries(${target} PRIVATE kafkasim_options)
endfunction()

# For what programs and tests spend their time in; tests themselves are quicker compiled than run.
# -O3 makes g++ 12 see a -Wrestrict overlap in std::string's operator+ that is not there.
function(kafkasim_optimise target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O2>)
  if(KAFKASIM_SANITIZE)
    target_compile_options(${target} PRIVATE -O1)
  endif()
endfunction()

# For executables that search. Sanitizers bring an allocator of their own.
function(kafkasim_allocate_fast target)
  if(TARGET mimalloc AND NOT KAFKASIM_SANITIZE)
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cli/allocator.cc)
    target_link_libraries(${target} PRIVATE mimalloc)
    target_compile_definitions(${target} PRIVATE KAFKASIM_MIMALLOC)
  endif()
endfunction()

# The library `target` of the current folder from the files in `sources`, public headers included.
function(kafkasim_library target sources depends)
  set(headers ${sources})
  set(units ${sources})
  list(FILTER headers INCLUDE REGEX "\\.h$")
  list(FILTER units EXCLUDE REGEX "\\.h$")
  if(units)
    add_library(${target} STATIC ${units})
    set(visibility PUBLIC)
    kafkasim_configure_target(${target})
    kafkasim_optimise(${target})
  else()
    add_library(${target} INTERFACE)
    set(visibility INTERFACE)
  endif()
  target_sources(${target} ${visibility}
    FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${headers})
  target_compile_features(${target} ${visibility} cxx_std_20)
  target_link_libraries(${target} ${visibility} ${depends})
endfunction()

function(kafkasim_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEPENDS")
  kafkasim_library(kafkasim_${name} "${arg_SOURCES}" "${arg_DEPENDS}")
  add_library(kafkasim::${name} ALIAS kafkasim_${name})
endfunction()

# The program: `kafkasim` from MAIN, and kafkasim::cli from SOURCES, which its tests link.
function(kafkasim_program)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "MAIN" "SOURCES;DEPENDS")
  kafkasim_library(kafkasim_cli_parts "${arg_SOURCES}" "${arg_DEPENDS}")
  add_library(kafkasim::cli ALIAS kafkasim_cli_parts)
  add_executable(kafkasim_cli ${arg_MAIN})
  set_target_properties(kafkasim_cli PROPERTIES OUTPUT_NAME kafkasim)
  kafkasim_configure_target(kafkasim_cli)
  kafkasim_optimise(kafkasim_cli)
  kafkasim_allocate_fast(kafkasim_cli)
  target_link_libraries(kafkasim_cli PRIVATE kafkasim::cli CLI11::CLI11)
endfunction()

# The test executable <name>_tests of tests/<name>/; nothing while no source is listed.
function(kafkasim_tests name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINKS")
  if(NOT arg_SOURCES)
    return()
  endif()
  set(target ${name}_tests)
  add_executable(${target} ${arg_SOURCES})
  kafkasim_configure_target(${target})
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O0>)
  target_link_libraries(${target} PRIVATE
    ${arg_LINKS} kafkasim::source_directory GTest::gmock GTest::gtest_main rapidcheck_gtest fmt::fmt)
  if(TARGET kafkasim::${name})
    target_link_libraries(${target} PRIVATE kafkasim::${name})
  endif()
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  # The pinned seed makes a property test the same test every time. It overrides the shell's
  # RC_PARAMS; to reproduce a failure run the test executable itself.
  set(environment ENVIRONMENT "RC_PARAMS=seed=20240101 max_success=100")
  if(KAFKASIM_SANITIZE)
    # Under sanitizers most of a short test would be the start and the end of its process.
    add_test(NAME ${target} COMMAND ${target} --gtest_brief=1)
    set_tests_properties(${target} PROPERTIES TIMEOUT 1800 ${environment})
  else()
    gtest_discover_tests(${target} DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT 600 ${environment})
  endif()
endfunction()
