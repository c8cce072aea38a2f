/* Where CUPTI's library is: for counter.c and for the library that the recorder injects, which has
 * no GLib.
 */
#ifndef ATLAS_BACKENDS_CUDA_CUPTI_LIBRARY_H
#define ATLAS_BACKENDS_CUDA_CUPTI_LIBRARY_H

/* What helps where there is none. */
#define CUPTI_HINT                                                                                 \
    "install it (package cuda-cupti, pip's nvidia-cuda-cupti), and name its folder in "            \
    "LD_LIBRARY_PATH or its toolkit's in CUDA_HOME"

/* The library as dlopen gives it, NULL where there is none: one that the process has loaded
 * already, else libcupti.so.13 or .12 on the loader's path, in $CUDA_HOME, in /usr/local/cuda. It
 * stays loaded. */
void *cupti_library(void);

#endif
