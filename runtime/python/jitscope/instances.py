"""Instances of jitclasses: their fields, and copies of them."""

from __future__ import annotations

import functools
from typing import Any

import numba
from numba.core import imputils, types
from numba.experimental.jitclass import _box
from numba.experimental.jitclass.base import imp_dtor
from numba.extending import intrinsic


def is_one(value: Any) -> bool:
    return isinstance(value, _box.Box)


def fields(value: Any) -> list[str]:
    """Return the names of the fields in the order of the class's specification."""
    return list(value._numba_type_.struct)


def address(value: Any) -> int:
    """Return the address of the fields, which all Python objects of one instance share."""
    return int(_box.box_get_dataptr(value))


def copied(value: Any) -> Any:
    """Return another instance whose fields are those of `value`, without a call of the class's `__init__`. Raise an
    error of Numba's if it can't be compiled."""
    return _copied()(value)


@functools.cache
def _copied() -> Any:
    def jitscope_copied(instance: Any) -> Any:
        return _same_fields(instance)

    return numba.njit(jitscope_copied)


def _make(_typing: Any, instance: Any) -> Any:
    """Make an instance as Numba's constructor does (numba/experimental/jitclass/base.py: ctor_impl, 0.57-0.68)."""

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        data = instance.get_data_type()
        layout = context.get_data_type(data)
        size = context.get_constant(types.uintp, context.get_abi_sizeof(layout))
        made = context.make_helper(builder, instance)
        made.meminfo = context.nrt.meminfo_alloc_dtor(builder, size, imp_dtor(context, builder.module, instance))
        made.data = builder.bitcast(context.nrt.meminfo_data(builder, made.meminfo), layout.as_pointer())
        original = context.make_helper(builder, instance, value=arguments[0])
        builder.store(builder.load(original.data), made.data)
        # as in imp_dtor(), which gives these references back
        fields = builder.bitcast(made.data, context.get_value_type(data).as_pointer())
        kept = context.make_helper(builder, data, ref=fields)
        context.nrt.incref(builder, data, kept._getvalue())
        return imputils.impl_ret_new_ref(context, builder, instance, made._getvalue())

    return instance(instance), generate


_same_fields = intrinsic(_make)
