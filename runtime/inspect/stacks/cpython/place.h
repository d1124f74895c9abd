/* Finds and writes the function and the line that a frame is at. */
#ifndef JS_STACKS_CPYTHON_PLACE_H
#define JS_STACKS_CPYTHON_PLACE_H

#include "stacks/python.h"

struct js_python_code;
struct js_python_frame;

/* Find the next frame of Python code from the one at `address` outward. False: there is none. */
bool js_place_find(js_python *python, uint64_t address, struct js_python_frame *frame,
                   const struct js_python_code **code);
/* Write a frame as an object with its function, file and this line; JS_NO_LINE: that of its instruction. */
void js_place_put(js_python *python, const struct js_python_frame *frame, const struct js_python_code *code,
                  int32_t line, js_text *out);

#endif
