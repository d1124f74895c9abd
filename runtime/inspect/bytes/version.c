/* The version of jitscope that this library was built from. */
#include "bytes/version.h"

const char *js_version(void)
{
    return JS_VERSION;
}
