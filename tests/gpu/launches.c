/* Launches kernels that do nothing, as fast as it can, and says how long the host took: what
 * recording costs is the difference.
 *
 *     launches eager N ROUNDS     N launches a round: the least µs a launch of all rounds
 *     launches graph N ROUNDS     a graph of N kernels, launched once a round: the least µs a launch
 *
 * "least microseconds: X" on standard output; status 3 where there is no device.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backends/cuda/abi.h"

static const char kernel_text[] = ".version 6.0\n.target sm_50\n.address_size 64\n"
                                  ".visible .entry nothing()\n{\n ret;\n}\n";

static struct {
#define MEMBER(symbol, parameters) unsigned(*symbol) parameters;
    CUDA_CALLS(MEMBER)
} cuda;

static void check(unsigned result, const char *call) {
    if (result == CUDA_OK)
        return;
    fprintf(stderr, "launches: %s: CUresult %u\n", call, result);
    exit(result == CUDA_NO_DEVICE ? 3 : 1);
}
#define CHECK(call) check(cuda.call, #call)

static void open_driver(void) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library) {
        fprintf(stderr, "launches: %s\n", dlerror());
        exit(3);
    }
#define FIND(symbol, parameters)                                                                   \
    {                                                                                              \
        void *call = dlsym(library, #symbol);                                                      \
        memcpy(&cuda.symbol, &call, sizeof call);                                                  \
    }
    CUDA_CALLS(FIND)
}

static double now_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static void launch_all(CudaFunction function, CudaStream stream, long count) {
    for (long i = 0; i < count; i++)
        CHECK(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, stream, NULL, NULL));
}

static CudaExec make_graph(CudaFunction function, CudaStream stream, long count) {
    CudaGraph graph;
    CudaExec exec;
    CHECK(cuStreamBeginCapture_v2(stream, 0));
    launch_all(function, stream, count);
    CHECK(cuStreamEndCapture(stream, &graph));
    CHECK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    CHECK(cuGraphLaunch(exec, stream)); /* the first launch uploads it */
    CHECK(cuStreamSynchronize(stream));
    return exec;
}

int main(int argc, char **argv) {
    CudaDevice device;
    CudaContext context;
    CudaModule module;
    CudaFunction function;
    CudaStream stream;
    CudaExec exec = NULL;
    double least = 1e30;
    if (argc != 4)
        return 2;
    long count = atol(argv[2]), rounds = atol(argv[3]);
    int graph = strcmp(argv[1], "graph") == 0;
    open_driver();
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuCtxCreate_v2(&context, 0, device));
    CHECK(cuModuleLoadData(&module, kernel_text));
    CHECK(cuModuleGetFunction(&function, module, "nothing"));
    CHECK(cuStreamCreate(&stream, CUDA_STREAM_NONBLOCKING));
    if (graph)
        exec = make_graph(function, stream, count);
    for (long i = 0; i < rounds; i++) {
        double begin = now_us();
        if (graph)
            CHECK(cuGraphLaunch(exec, stream));
        else
            launch_all(function, stream, count);
        double us = (now_us() - begin) / (double)(graph ? 1 : count);
        least = us < least ? us : least;
        CHECK(cuStreamSynchronize(stream));
    }
    printf("least microseconds: %.3f\n", least);
    return 0;
}
