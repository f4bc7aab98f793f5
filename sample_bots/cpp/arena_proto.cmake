# Gives the library arena_proto: the arena's messages and the client of its Play call, generated from the folder
# that ARENA_PROTO_DIR names. Include it and link arena_proto: that is all a bot needs to be built.
#
# It works with Debian's packages and with any newer gRPC that was installed with its CMake files; for one in a place
# of its own, say where in CMAKE_PREFIX_PATH.

# Prints a line for each thing that is missing, then stops.
function(require_tools)
  find_program(ARENA_PROTOC protoc)
  find_program(ARENA_GRPC_PLUGIN grpc_cpp_plugin)
  find_library(ARENA_PROTOBUF protobuf)
  find_library(ARENA_GRPC grpc++)
  foreach(need IN ITEMS
      "ARENA_PROTOC=protoc: apt-get install protobuf-compiler"
      "ARENA_GRPC_PLUGIN=grpc_cpp_plugin: apt-get install protobuf-compiler-grpc"
      "ARENA_PROTOBUF=protobuf: apt-get install libprotobuf-dev"
      "ARENA_GRPC=gRPC for C++: apt-get install libgrpc++-dev")
    string(REGEX MATCH "^([A-Z_]+)=(.*)" need ${need})
    if(NOT ${CMAKE_MATCH_1})
      message(NOTICE "needs ${CMAKE_MATCH_2}")
      set(missing TRUE)
    endif()
  endforeach()
  if(missing)
    message(FATAL_ERROR "Install what is named above.")
  endif()
endfunction()

require_tools()
find_package(gRPC CONFIG QUIET)
if(NOT gRPC_FOUND OR gRPC_VERSION VERSION_LESS 1.51)
  message(NOTICE "needs gRPC for C++ 1.51 or newer with its CMake files: on Debian 12 or newer apt-get install libgrpc++-dev")
  message(FATAL_ERROR "gRPC '${gRPC_VERSION}' will not do.")
endif()

# What play.proto imports; each game's messages are among it.
file(GLOB game_protos RELATIVE ${ARENA_PROTO_DIR} CONFIGURE_DEPENDS ${ARENA_PROTO_DIR}/arena/games/*/v1/*.proto)
set(protos ${game_protos})
foreach(name ending games happening match play time_control)
  list(APPEND protos arena/v1/${name}.proto)
endforeach()

set(generated ${CMAKE_CURRENT_BINARY_DIR}/arena_proto)
file(MAKE_DIRECTORY ${generated})
list(TRANSFORM protos REPLACE "(.*)\\.proto$" "${generated}/\\1.pb.cc" OUTPUT_VARIABLE sources)
list(APPEND sources ${generated}/arena/v1/play.grpc.pb.cc)
list(TRANSFORM sources REPLACE "\\.cc$" ".h" OUTPUT_VARIABLE headers)
list(TRANSFORM protos PREPEND ${ARENA_PROTO_DIR}/ OUTPUT_VARIABLE proto_files)

add_custom_command(
  OUTPUT ${sources} ${headers}
  COMMAND ${ARENA_PROTOC} -I ${ARENA_PROTO_DIR} --cpp_out=${generated} ${protos}
  COMMAND ${ARENA_PROTOC} -I ${ARENA_PROTO_DIR} --grpc_out=${generated}
          --plugin=protoc-gen-grpc=${ARENA_GRPC_PLUGIN} arena/v1/play.proto
  DEPENDS ${proto_files}
  COMMENT "Generating the arena's messages"
  VERBATIM)

add_library(arena_proto STATIC ${sources} ${headers})
target_compile_features(arena_proto PUBLIC cxx_std_20)
# Messages wait for the network; they build faster when little of them is optimised.
target_compile_options(arena_proto PRIVATE -O1)
# SYSTEM: warnings are for the bot's own code.
target_include_directories(arena_proto SYSTEM PUBLIC ${generated})
target_link_libraries(arena_proto PUBLIC gRPC::grpc++ protobuf::libprotobuf)
