/* A program to be recorded: does what its arguments say, one word after the other, on a driver that
 * it loads itself (libcuda.so.1: fake_recorded.c, or a real one for all but launches).
 *
 *     cuda[:ask]              starts the driver; without it there is none; ask: finds its calls by
 *                             cuGetProcAddress, as CUDA's runtime does
 *     next                    says whether RTLD_NEXT is what comes behind the program
 *     push:NAME pop start:NAME end    ranges; end ends the one that was started last
 *     ex:NAME wide:NAME reg:NAME      push, by the other forms of the call
 *     dpush:DOMAIN/NAME dpop:DOMAIN   ranges of a domain of their own
 *     launch:KERNEL[:N]       N launches; launchex: by the other call; kernel "fails" does
 *     stream legacy thread-stream     what follows runs on a new stream; on none again; on the thread's
 *     capture end-capture instantiate replay[:N] destroy
 *     child conditional       a node in the graph captured last: that graph itself, or one of those
 *     disable enable          the exec's first node
 *     read upload set sync event-sync context-sync alloc free unload
 *     thread ... join         what stands between is done by another thread
 *     fork ... wait           the same by a process
 *     loop:N ... again        N times; '%' in a word is the time, from 0
 *     print:TEXT error:TEXT exit:N _exit:N kill:N
 *
 * Its NVTX is the header-only client's protocol in small. Prints nothing of its own.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backends/record/calls.h"
#include "backends/cuda/nvtx_abi.h"
#include "tests/gpu/fake_recorded.h"

/* ---- the driver ---- */

static struct {
#define MEMBER(symbol, parameters) unsigned(*symbol) parameters;
    FAKE_CALLS(MEMBER)
} cuda;

/* cuGetProcAddress is asked for a version by its number, not by the name. */
static const char *plain(const char *symbol) {
    static char name[64];
    snprintf(name, sizeof name, "%s", symbol);
    char *version = strstr(name, "_v2");
    if (version)
        *version = '\0';
    return name;
}

static void start_cuda(int asks) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library) {
        fprintf(stderr, "recorded: %s\n", dlerror());
        exit(3);
    }
#define FIND(symbol, parameters) *(void **)&cuda.symbol = dlsym(library, #symbol);
    FAKE_CALLS(FIND)
    #define ASK(symbol, parameters)                                                                    \
    cuda.cuGetProcAddress_v2(plain(#symbol), (void **)&cuda.symbol, 13000, 0, NULL);
    if (asks) {
        FAKE_CALLS(ASK)
    }
    cuda.cuInit(0);
}

/* The next library behind the program that has dlsym is the one whose dlsym it calls. */
static void tell_next(void) {
    void *next = dlsym(RTLD_NEXT, "dlsym"), *(*called)(void *, const char *) = dlsym;
    puts(memcmp(&next, &called, sizeof next) == 0 ? "next is next" : "next is not next");
}

/* ---- NVTX's client ---- */

enum { PLACES = 16 };

static NvtxFunction core[PLACES], core2[PLACES];

static int module_table(unsigned module, NvtxFunction ***table, unsigned *count) {
    static NvtxFunction *pointers[2][PLACES];
    NvtxFunction *functions = module == NVTX_CORE    ? core
                              : module == NVTX_CORE2 ? core2
                                                            : NULL;
    NvtxFunction **list = pointers[module == NVTX_CORE2];
    for (int i = 0; functions && i < PLACES; i++)
        list[i] = &functions[i];
    *table = list;
    *count = PLACES;
    return functions != NULL;
}

static const void *get_table(uint32_t table) {
    static const NvtxModules callbacks = {sizeof callbacks, module_table};
    return table == NVTX_GIVES_MODULES ? &callbacks : NULL;
}

static void start_nvtx(void) {
    static int done;
    const char *path = getenv("NVTX_INJECTION64_PATH");
    void *library = path && !done ? dlopen(path, RTLD_LAZY) : NULL;
    int (*entry)(NvtxGetTable *) = NULL;
    done = 1;
    if (library)
        *(void **)&entry = dlsym(library, "InitializeInjectionNvtx2");
    if (entry)
        entry(get_table);
}

/* Calls an entry of a table where a tool has put one there. */
#define NVTX(type, table, place, ...) (table[place] ? ((type)table[place])(__VA_ARGS__) : 0)

typedef int PushText(const char *);
typedef int PushWide(const wchar_t *);
typedef int PushEx(const NvtxAttributes *);
typedef int Pop(void);
typedef NvtxRangeId Start(const char *);
typedef int End(NvtxRangeId);
typedef NvtxString Register(NvtxDomain, const char *);
typedef NvtxDomain Create(const char *);
typedef int DomainPush(NvtxDomain, const NvtxAttributes *);
typedef int DomainPop(NvtxDomain);

static void push_wide(const char *name) {
    wchar_t wide[64];
    size_t n = 0;
    for (; name[n] && n < 63; n++)
        wide[n] = name[n] == '~' ? 0xe9 : (wchar_t)name[n];
    wide[n] = 0;
    NVTX(PushWide *, core, NVTX_RANGE_PUSH_W, wide);
}

static void push_ex(const char *name, int registered) {
    NvtxAttributes about = {.version = 3, .size = sizeof about};
    about.message_type = registered ? NVTX_IS_REGISTERED : NVTX_IS_TEXT;
    about.message.text = name;
    if (registered)
        about.message.registered =
            NVTX(Register *, core2, NVTX_REGISTER_STRING, NULL, name);
    NVTX(PushEx *, core, NVTX_RANGE_PUSH_EX, &about);
}

static void push_in_domain(const char *text) {
    char domain[64] = "";
    NvtxAttributes about = {.version = 3, .size = sizeof about, .message_type = NVTX_IS_TEXT};
    sscanf(text, "%63[^/]", domain);
    about.message.text = strchr(text, '/') + 1;
    NVTX(DomainPush *, core2, NVTX_DOMAIN_RANGE_PUSH,
         NVTX(Create *, core2, NVTX_DOMAIN_CREATE, domain), &about);
}

/* ---- the words ---- */

static NvtxRangeId started;
static __thread CudaStream stream;
static CudaGraph graph;
static CudaExec exec;

/* One handle for each kernel, as a module gives out. */
static CudaFunction kernel(const char *name) {
    static struct {
        char name[64];
        CudaFunction function;
    } known[32];
    int i = 0;
    while (known[i].function && strcmp(known[i].name, name) != 0)
        i++;
    if (!known[i].function) {
        snprintf(known[i].name, sizeof known[i].name, "%s", name);
        cuda.cuModuleGetFunction(&known[i].function, NULL, name);
    }
    return known[i].function;
}

static void launch(const char *text, int ex) {
    char name[64] = "";
    int times = 1;
    CallConfig config = {.grid = {1, 1, 1}, .block = {1, 1, 1}, .stream = stream};
    sscanf(text, "%63[^:]:%d", name, &times);
    CudaFunction function = kernel(name);
    for (int i = 0; i < times; i++)
        if (ex)
            cuda.cuLaunchKernelEx(&config, function, NULL, NULL);
        else
            cuda.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL);
}

static void enable(unsigned on) {
    CudaNode nodes[64];
    size_t count = 64;
    cuda.cuGraphGetNodes(graph, nodes, &count);
    cuda.fakeSwitch(graph);
    cuda.cuGraphNodeSetEnabled(exec, nodes[0], on);
}

static void replay(const char *times) {
    for (int i = 0; i < (*times ? atoi(times) : 1); i++)
        cuda.cuGraphLaunch(exec, stream);
}

/* Of the words about ranges. */
static int do_range(const char *word, const char *text) {
#define IS(name) (strcmp(word, name) == 0)
    if (IS("push"))
        NVTX(PushText *, core, NVTX_RANGE_PUSH, text);
    else if (IS("pop"))
        NVTX(Pop *, core, NVTX_RANGE_POP, );
    else if (IS("start"))
        started = NVTX(Start *, core, NVTX_RANGE_START, text);
    else if (IS("end"))
        NVTX(End *, core, NVTX_RANGE_END, started);
    else if (IS("ex") || IS("reg"))
        push_ex(text, IS("reg"));
    else if (IS("wide"))
        push_wide(text);
    else if (IS("dpush"))
        push_in_domain(text);
    else if (IS("dpop"))
        NVTX(DomainPop *, core2, NVTX_DOMAIN_RANGE_POP,
             NVTX(Create *, core2, NVTX_DOMAIN_CREATE, text));
    else
        return 0;
    return 1;
}

/* Of the words about graphs. */
static int do_graph(const char *word, const char *text) {
    if (IS("capture"))
        cuda.cuStreamBeginCapture_v2(stream, 0);
    else if (IS("end-capture"))
        cuda.cuStreamEndCapture(stream, &graph);
    else if (IS("instantiate"))
        cuda.cuGraphInstantiateWithFlags(&exec, graph, 0);
    else if (IS("replay"))
        replay(text);
    else if (IS("destroy"))
        cuda.cuGraphExecDestroy(exec);
    else if (IS("child") || IS("conditional")) {
        CudaGraph whole = NULL;
        cuda.cuStreamBeginCapture_v2(stream, 0);
        cuda.cuStreamEndCapture(stream, &whole);
        cuda.fakeGraphAddNode(whole, NODE_CHILD, graph);
        if (IS("conditional"))
            cuda.fakeGraphAddNode(whole, NODE_CONDITIONAL, NULL);
        graph = whole;
    } else if (IS("disable") || IS("enable"))
        enable(IS("enable"));
    else
        return 0;
    return 1;
}

/* Of the words about memory and waiting. */
static int do_call(const char *word) {
    CudaMemory memory;
    char byte = 0;
    if (IS("read"))
        cuda.cuMemcpyDtoHAsync_v2(&byte, 0, 1, stream);
    else if (IS("upload"))
        cuda.cuMemcpyHtoDAsync_v2(0, &byte, 1, stream);
    else if (IS("set"))
        cuda.cuMemsetD8Async(0, 0, 1, stream);
    else if (IS("sync"))
        cuda.cuStreamSynchronize(stream);
    else if (IS("event-sync"))
        cuda.cuEventSynchronize(NULL);
    else if (IS("context-sync"))
        cuda.cuCtxSynchronize();
    else if (IS("alloc"))
        cuda.cuMemAlloc_v2(&memory, 1);
    else if (IS("free"))
        cuda.cuMemFree_v2(0);
    else if (IS("unload"))
        cuda.cuModuleUnload(NULL);
    else
        return 0;
    return 1;
}

static void do_other(const char *word, const char *text) {
    if (IS("cuda"))
        start_cuda(strcmp(text, "ask") == 0);
    else if (IS("next"))
        tell_next();
    else if (IS("stream"))
        cuda.cuStreamCreate(&stream, 0);
    else if (IS("legacy"))
        stream = NULL;
    else if (IS("thread-stream"))
        stream = CUDA_STREAM_PER_THREAD;
    else if (IS("launch") || IS("launchex"))
        launch(text, IS("launchex"));
    else if (IS("print"))
        puts(text);
    else if (IS("error"))
        fprintf(stderr, "%s\n", text);
    else if (IS("exit"))
        exit(atoi(text));
    else if (IS("_exit"))
        _exit(atoi(text));
    else if (IS("kill"))
        raise(atoi(text));
    else {
        fprintf(stderr, "recorded: no word '%s'\n", word);
        exit(3);
    }
}

static void do_word(const char *argument, int time) {
    char word[128], *text;
    size_t n = 0;
    for (const char *p = argument; *p && n < sizeof word - 16; p++)
        n += *p == '%' ? (size_t)snprintf(word + n, 12, "%d", time) : (word[n] = *p, 1u);
    word[n] = '\0';
    text = strchr(word, ':');
    if (text)
        *text++ = '\0';
    else
        text = word + n;
    if (!do_range(word, text) && !do_graph(word, text) && !do_call(word))
        do_other(word, text);
}

/* ---- blocks of words ---- */

typedef struct {
    char **words;
    int time;
} Block;

static char **do_words(Block block);

static void *in_thread(void *data) {
    do_words(*(Block *)data);
    return NULL;
}

static void do_thread(Block block) {
    pthread_t thread;
    pthread_create(&thread, NULL, in_thread, &block);
    pthread_join(thread, NULL);
}

static void do_fork(Block block) {
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        do_words(block);
        exit(0);
    }
    waitpid(pid, &status, 0);
}

/* The word behind the block that begins here. */
static char **skip(char **words) {
    static const char *const opening[] = {"thread", "fork", "loop"};
    static const char *const closing[] = {"join", "wait", "again"};
    for (int depth = 1; *words && depth > 0; words++)
        for (int i = 0; i < 3; i++)
            depth += (strncmp(*words, opening[i], strlen(opening[i])) == 0 &&
                      (*words)[strlen(opening[i])] != '-') -
                     (strcmp(*words, closing[i]) == 0);
    return words;
}

static char **do_words(Block block) {
    char **words = block.words;
    while (*words) {
        const char *word = *words++;
        if (IS("join") || IS("wait") || IS("again"))
            return words;
        Block inner = {words, block.time};
        if (IS("thread"))
            do_thread(inner);
        else if (IS("fork"))
            do_fork(inner);
        else if (strncmp(word, "loop:", 5) == 0)
            for (int i = 0; i < atoi(word + 5); i++)
                do_words((Block){words, i});
        else {
            do_word(word, block.time);
            continue;
        }
        words = skip(words);
    }
    return words;
}

int main(int argc, char **argv) {
    (void)argc;
    start_nvtx();
    do_words((Block){argv + 1, 0});
    return 0;
}
