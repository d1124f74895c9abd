"""A class of one's own with extending: a type, its model, attributes and an operator."""

import operator

from numba import njit, types
from numba.core import cgutils
from numba.extending import (
    box,
    make_attribute_wrapper,
    models,
    NativeValue,
    overload,
    register_model,
    type_callable,
    typeof_impl,
    lower_builtin,
    unbox,
)


class Fraction:
    def __init__(self, n, d):
        self.n, self.d = n, d

    def __repr__(self):
        return f"{self.n}/{self.d}"


class FractionType(types.Type):
    def __init__(self):
        super().__init__(name="Fraction")


KIND = FractionType()


@typeof_impl.register(Fraction)
def _typeof(value, context):
    return KIND


@type_callable(Fraction)
def _call(context):
    return lambda n, d: KIND


@register_model(FractionType)
class FractionModel(models.StructModel):
    def __init__(self, dmm, kind):
        super().__init__(dmm, kind, [("n", types.int64), ("d", types.int64)])


make_attribute_wrapper(FractionType, "n", "n")
make_attribute_wrapper(FractionType, "d", "d")


@lower_builtin(Fraction, types.Integer, types.Integer)
def _make(context, builder, signature, args):
    made = cgutils.create_struct_proxy(KIND)(context, builder)
    made.n, made.d = args
    return made._getvalue()


@unbox(FractionType)
def _unbox(kind, value, c):
    made = cgutils.create_struct_proxy(KIND)(c.context, c.builder)
    for name in ("n", "d"):
        part = c.pyapi.object_getattr_string(value, name)
        setattr(made, name, c.pyapi.long_as_longlong(part))
        c.pyapi.decref(part)
    return NativeValue(made._getvalue())


@box(FractionType)
def _box(kind, value, c):
    made = cgutils.create_struct_proxy(KIND)(c.context, c.builder, value)
    of = c.pyapi.unserialize(c.pyapi.serialize_object(Fraction))
    parts = [c.pyapi.long_from_longlong(part) for part in (made.n, made.d)]
    result = c.pyapi.call_function_objargs(of, parts)
    for each in (of, *parts):
        c.pyapi.decref(each)
    return result


@overload(operator.add)
def _add(a, b):
    if isinstance(a, FractionType) and isinstance(b, FractionType):
        return lambda a, b: Fraction(a.n * b.d + b.n * a.d, a.d * b.d)


@njit(debug=True)
def harmonic(start, n):
    total = start
    for i in range(1, n):
        term = Fraction(1, i)
        total = total + term
    return total, total.n / total.d


CALLS = [lambda: str(harmonic(Fraction(1, 2), 8)), lambda: str(harmonic(Fraction(0, 1), 1))]
