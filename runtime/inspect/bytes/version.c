#include "bytes/version.h"

const char *js_version(void)
{
    return JS_VERSION;
}
