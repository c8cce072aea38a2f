#include "backends/cuda/child.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "backends/cuda/session.h"
#include "backends/cuda/watch.h"
#include "sim/flow.h"

typedef struct {
    CudaDriver cuda;
    CudaDevice device;
    CudaPlace *place; /* NULL: none is open */
    guint guests;     /* programs that it has seen */
} Child;

/* One program being performed. */
typedef struct {
    CudaSession *session;
    const AtlasProgram *program;
    AtlasOutcome *said; /* what the parent knows of the answers */
    GError *error;
} Run;

gboolean cuda_send(int socket, const void *data, gsize length) {
    const char *next = data;
    while (length > 0) {
        gssize sent = send(socket, next, length, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return FALSE;
        next += sent;
        length -= (gsize)sent;
    }
    return TRUE;
}

static gboolean send_message(const CudaMessage *message) {
    return cuda_send(STDIN_FILENO, message, sizeof *message);
}

static gboolean say_text(CudaSays says, const char *text, gint64 number) {
    CudaMessage message = {.says = says, .number = number};
    g_strlcpy(message.text, text, sizeof message.text);
    return send_message(&message);
}

static gboolean receive(void *into, gsize length) {
    char *next = into;
    while (length > 0) {
        gssize got = read(STDIN_FILENO, next, length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return FALSE;
        next += got;
        length -= (gsize)got;
    }
    return TRUE;
}

/* FALSE where the parent is gone, or the op cannot be performed. */
static gboolean perform(Run *run, guint index, gint64 step) {
    const AtlasOp *op = &g_array_index(run->program->ops, AtlasOp, index);
    CudaMessage message = {.says = CUDA_SAYS_ANSWER, .op = index};
    const AtlasAnswer *said = atlas_outcome_get(run->said, index);
    if (!cuda_session_performs(op->kind))
        return TRUE;
    cuda_watch_op(index, op->kind, 0, step);
    if (!cuda_session_perform(run->session, op, &message.answer, &run->error))
        return FALSE;
    if (message.answer.code == ATLAS_RESULT_NONE)
        return TRUE;
    if (cuda_is_lost((unsigned)message.answer.code)) { /* which says nothing of the program */
        cuda_check((unsigned)message.answer.code, atlas_op_call(op->kind), &run->error);
        return FALSE;
    }
    cuda_watch->calls++;
    AtlasAnswer before = *said;
    atlas_outcome_put(run->said, index, &message.answer);
    return memcmp(&before, said, sizeof before) == 0 || send_message(&message);
}

/* Performs the whole program; FALSE where an op could not be. */
static gboolean perform_all(Run *run, gint64 steps) {
    g_autoptr(AtlasFlow) flow = atlas_flow_new(run->program, 0, steps - 1);
    while (atlas_flow_next(flow))
        if (!perform(run, flow->op, flow->step))
            return FALSE;
    return TRUE;
}

/* Gives the place up where it is not clean, or has seen enough programs. */
static void leave(Child *child, gboolean clean, guint sharing) {
    if (clean && ++child->guests < sharing)
        return;
    cuda_place_free(child->place);
    child->place = NULL;
    child->guests = 0;
}

/* Performs one program; FALSE where the child is to end. */
static gboolean run_program(Child *child, const AtlasProgram *program, const CudaRequest *request) {
    g_autoptr(GError) uncounted = NULL;
    CudaMessage message = {.says = CUDA_SAYS_DONE, .number = -1};
    Run run = {.program = program};
    if (!child->place)
        child->place = cuda_place_new(&child->cuda, child->device, &run.error);
    run.session = child->place ? cuda_session_new(child->place, &run.error) : NULL;
    run.said = atlas_outcome_new(program);
    gboolean there = run.session && perform_all(&run, request->steps);
    if (there) {
        cuda_watch_op(program->ops->len, ATLAS_OP_SYNC_CTX, 0, -1);
        message.number = cuda_session_finish(run.session, &uncounted);
    }
    if (g_error_matches(uncounted, CUDA_ERROR, CUDA_ERROR_LOST))
        run.error = g_steal_pointer(&uncounted);
    if (run.session && g_error_matches(run.error, CUDA_ERROR, CUDA_ERROR_LOST))
        g_prefix_error(&run.error, "program '%s' broke off: ", program->name);
    gboolean clean = run.session && cuda_session_free(run.session);
    if (child->place)
        leave(child, clean && message.number >= 0, request->sharing);
    atlas_outcome_free(run.said);
    if (uncounted)
        g_strlcpy(message.text, uncounted->message, sizeof message.text);
    if (!run.error)
        return there && send_message(&message);
    say_text(CUDA_SAYS_FAILED, run.error->message, 0);
    g_error_free(run.error);
    return FALSE;
}

/* Receives a program and performs it; FALSE where the child is to end. */
static gboolean serve(Child *child) {
    CudaRequest request;
    if (!receive(&request, sizeof request))
        return FALSE;
    g_autofree char *text = g_malloc(request.length);
    if (!receive(text, request.length))
        return FALSE;
    g_autoptr(AtlasSource) source = atlas_source_new("program", text, request.length, NULL);
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasProgramFile) file = source ? atlas_program_read(source, diags) : NULL;
    if (!file) /* the parent wrote what it had read itself */
        return FALSE;
    return run_program(child, atlas_program_file_get(file, 0), &request);
}

/* Loads the driver and says who is there. */
static gboolean introduce(Child *child, GError **error) {
    CudaOpened opened = {0};
    if (!cuda_driver_open(&child->cuda, &opened, error))
        return FALSE;
    child->device = opened.device;
    return say_text(CUDA_SAYS_READY, opened.name, opened.version);
}

int cuda_child_main(const char *parent) {
    Child child = {0};
    GError *error = NULL;
    if (!cuda_watch_attach(parent)) /* it ended before */
        return 0;
    if (introduce(&child, &error)) {
        while (serve(&child))
            continue;
    } else if (error) {
        say_text(CUDA_SAYS_REFUSED, error->message, 0);
        g_error_free(error);
    }
    return 0;
}
