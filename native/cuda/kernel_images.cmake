# The kernels as bytes inside the binaries. With nvcc: machine code for sm_80 and sm_90a, compiled here. Always: the checked-in
# PTX (cuda/ptx, refreshed by src/dev/ptx.mjs), which any GPU from compute capability 8.0 compiles itself.
set(OFFLOAD_KERNEL_FOLDER ${CMAKE_CURRENT_SOURCE_DIR}/cuda/kernels)
set(OFFLOAD_NVCC "AUTO" CACHE STRING "Path of nvcc, AUTO to look for it, OFF to build with the checked-in PTX alone")
if(OFFLOAD_NVCC STREQUAL "AUTO" AND OFFLOAD_SANITIZE)
  # Sanitizers look at the host's code alone.
  set(OFFLOAD_NVCC_FOUND OFF)
elseif(OFFLOAD_NVCC STREQUAL "AUTO")
  find_program(OFFLOAD_NVCC_FOUND nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH PATH_SUFFIXES bin PATHS /usr/local/cuda)
else()
  set(OFFLOAD_NVCC_FOUND ${OFFLOAD_NVCC})
endif()

set(image_count 0)
set(image_symbols "")
set(image_rows "")
set(image_files "")
# architecture: 80 or 90 for machine code, 0 for PTX.
macro(offload_add_image source architecture file)
  set(symbol offload_kernel_image_${image_count})
  string(APPEND image_symbols "OFFLOAD_IMAGE(${symbol}, \"${file}\")\n")
  string(APPEND image_rows "    {\"${source}\", ${architecture}, ${symbol}},\n")
  list(APPEND image_files ${file})
  math(EXPR image_count "${image_count} + 1")
endmacro()

function(offload_compile_kernel source architecture target file)
  add_custom_command(
    OUTPUT ${file}
    COMMAND ${OFFLOAD_NVCC_FOUND} -cubin -std=c++20 -O3 -gencode arch=compute_${target},code=sm_${target}
            -I${CMAKE_CURRENT_SOURCE_DIR} -MD -MF ${file}.d -MT ${file} -o ${file} ${source}
    DEPENDS ${source}
    DEPFILE ${file}.d
    COMMENT "Compiling ${file}"
    VERBATIM)
endfunction()

file(GLOB kernel_sources CONFIGURE_DEPENDS ${OFFLOAD_KERNEL_FOLDER}/*.cu)
set(cubin_folder ${CMAKE_CURRENT_BINARY_DIR}/kernels)
file(MAKE_DIRECTORY ${cubin_folder})
foreach(source ${kernel_sources})
  get_filename_component(name ${source} NAME_WE)
  if(OFFLOAD_NVCC_FOUND)
    # Sources named *_hopper.cu use instructions of sm_90a only.
    if(NOT name MATCHES "_hopper$")
      offload_compile_kernel(${source} 80 80 ${cubin_folder}/${name}.sm_80.cubin)
      offload_add_image(${name} 80 ${cubin_folder}/${name}.sm_80.cubin)
    endif()
    offload_compile_kernel(${source} 90 90a ${cubin_folder}/${name}.sm_90a.cubin)
    offload_add_image(${name} 90 ${cubin_folder}/${name}.sm_90a.cubin)
  endif()
  set(ptx ${CMAKE_CURRENT_SOURCE_DIR}/cuda/ptx/${name}.ptx)
  if(EXISTS ${ptx})
    offload_add_image(${name} 0 ${ptx})
  endif()
endforeach()

configure_file(${CMAKE_CURRENT_SOURCE_DIR}/cuda/kernel_image_data.cc.in ${CMAKE_CURRENT_BINARY_DIR}/kernel_image_data.cc @ONLY)
target_sources(offload_cuda PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/kernel_image_data.cc)
set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/kernel_image_data.cc PROPERTIES OBJECT_DEPENDS "${image_files}")
target_link_libraries(offload_cuda PUBLIC ${CMAKE_DL_LIBS})
