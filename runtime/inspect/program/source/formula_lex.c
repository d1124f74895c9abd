/* What a word of a formula is (js_flow_at.computed). */
#include "program/source/formula_lex.h"

#include <string.h>

bool js_word_is_number(const char *word)
{
    return (word[0] >= '0' && word[0] <= '9') || (word[0] == '-' && word[1]);
}

bool js_word_is_name(const char *word)
{
    return !js_word_is_number(word) && !strchr("+-*/%<>=!?.", word[0]);
}

bool js_word_is_length(const char *word, unsigned *axis)
{
    bool is_axis = strncmp(word, ".axis", 5) == 0 && word[5] >= '0' && word[5] <= '9' && !word[6];
    *axis = is_axis ? (unsigned)(word[5] - '0') : 0;
    return is_axis || strcmp(word, ".len") == 0;
}
