/* Text for Markdown documents (CommonMark, with GitHub's tables). */
#ifndef ATLAS_MODEL_BASE_MARKDOWN_H
#define ATLAS_MODEL_BASE_MARKDOWN_H

#include <glib.h>

/* A copy of `text` that is shown as it is, on one line; with `cell`, in a cell of a table too.
 * Names with '_' inside stay as they are, since that means nothing there. The caller frees it. */
char *atlas_markdown_escape(const char *text, gboolean cell);

#endif
