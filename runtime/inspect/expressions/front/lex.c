/* Splits an expression into tokens. */
#include "expressions/front/lex.h"

#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static size_t digits(const char *at)
{
    size_t size = 0;
    while (is_digit(at[size]) || (at[size] == '_' && size && is_digit(at[size + 1]))) {
        size++;
    }
    return size;
}

/* Read a number: language reference, 2.4.5 to 2.4.7: integers, floats and imaginary numbers. */
static js_token number(const char *at)
{
    js_token token = {JS_TOKEN_NUMBER, at, 0, NULL};
    size_t size;
    if (*at == '0' && at[1] && strchr("xXoObB", at[1])) {
        size = 2;
        while (is_hex(at[size]) || (at[size] == '_' && is_hex(at[size + 1]))) {
            size++;
        }
        token.size = size;
        if (size == 2 || is_letter(at[size])) {
            token.kind = JS_TOKEN_BAD;
            token.why = "invalid number";
        }
        return token;
    }
    size = digits(at);
    if (at[size] == '.') {
        size++;
        size += digits(at + size);
    }
    if (at[size] == 'e' || at[size] == 'E') {
        size_t sign = at[size + 1] == '+' || at[size + 1] == '-';
        size_t exponent = digits(at + size + 1 + sign);
        size += exponent ? 1 + sign + exponent : 0;
    }
    size += at[size] == 'j' || at[size] == 'J';
    token.size = size;
    if (is_letter(at[size])) {
        token.kind = JS_TOKEN_BAD;
        token.why = "invalid decimal literal";
    }
    return token;
}

/* Refuse a string whose prefix asks for its braces to be evaluated. */
static void formatted(js_token *token, size_t prefix)
{
    for (size_t i = 0; i < prefix; i++) {
        char letter = (char)(token->at[i] | 0x20);
        if (letter == 'f' || letter == 't') {
            token->kind = JS_TOKEN_BAD;
            token->why =
                letter == 'f' ? JS_NOT_SUPPORTED("f-strings are") : JS_NOT_SUPPORTED("t-strings are");
        }
    }
}

/* Read a string, whose quotes are at at[prefix]. */
static js_token string(const char *at, size_t prefix)
{
    char quote = at[prefix];
    bool is_triple = at[prefix + 1] == quote && at[prefix + 2] == quote;
    size_t size = prefix + (is_triple ? 3 : 1);
    js_token token = {JS_TOKEN_STRING, at, size, NULL};
    for (; at[size]; size++) {
        if (at[size] == '\\' && at[size + 1]) {
            size++;
        } else if (at[size] == quote && (!is_triple || (at[size + 1] == quote && at[size + 2] == quote))) {
            token.size = size + (is_triple ? 3 : 1);
            formatted(&token, prefix);
            return token;
        }
    }
    token.kind = JS_TOKEN_BAD;
    token.size = 1;
    token.why = is_triple ? "unterminated triple-quoted string literal (detected at line 1)"
                          : "unterminated string literal (detected at line 1)";
    return token;
}

static size_t string_prefix(const char *at)
{
    size_t size = 0;
    while (size < 3 && at[size] && strchr("bBfFrRtTuU", at[size])) {
        size++;
    }
    return size < 3 && (at[size] == '\'' || at[size] == '"') ? size : (size_t)-1;
}

js_token js_token_next(const char *at)
{
    static const char *const signs[] = {"...", "**", "//", "<<", ">>", "<=", ">=", "==", "!=", ":="};
    while (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r' || *at == '\f') {
        at++;
    }
    js_token token = {JS_TOKEN_SIGN, at, 1, NULL};
    if (!*at) {
        token.kind = JS_TOKEN_END;
        token.size = 0;
        return token;
    }
    size_t prefix = string_prefix(at);
    if (prefix != (size_t)-1) {
        return string(at, prefix);
    }
    if (is_digit(*at) || (*at == '.' && is_digit(at[1]))) {
        return number(at);
    }
    if (is_letter(*at)) {
        token.kind = JS_TOKEN_NAME;
        while (is_letter(at[token.size]) || is_digit(at[token.size])) {
            token.size++;
        }
        return token;
    }
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        if (strncmp(at, signs[i], strlen(signs[i])) == 0) {
            token.size = strlen(signs[i]);
            return token;
        }
    }
    if (!strchr("+-*/%@&|^~<>()[]{},:.=;", *at)) {
        token.kind = JS_TOKEN_BAD;
        token.why = "invalid syntax";
    }
    return token;
}

bool js_token_is(const js_token *token, const char *text)
{
    return (token->kind == JS_TOKEN_SIGN || token->kind == JS_TOKEN_NAME) && token->size == strlen(text) &&
           memcmp(token->at, text, token->size) == 0;
}

bool js_token_is_keyword(const js_token *token)
{
    static const char *const words[] = {
        "and",    "or",    "not",    "in",       "is",     "if",     "else",     "lambda",
        "for",    "while", "def",    "class",    "return", "yield",  "await",    "async",
        "import", "from",  "as",     "with",     "try",    "except", "finally",  "raise",
        "assert", "del",   "global", "nonlocal", "pass",   "break",  "continue", "elif",
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (js_token_is(token, words[i])) {
            return true;
        }
    }
    return false;
}
