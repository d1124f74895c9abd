"""The rules for stock code, with the function of each and the body that replaces it when the rule is switched off.

A row is NAME | FILE | FUNCTION | BODY: the function begins with BODY instead. A rule may have several rows. A row with
the NAME "-" says that the file is used by rules, and why it cannot be switched off."""

from __future__ import annotations

import dataclasses
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "runtime" / "inspect" / "program"
# The folders whose files are rules for stock code.
FOLDERS = (
    "validity/recovered",
    "validity/statements",
    "validity/order",
    "validity/variables",
    "validity/locations",
    "validity/moved",
    "elements",
)
OK, NO, YES, END = "return JS_OK;", "return false;", "return true;", "return;"

TABLE = f"""
words of arguments      | validity/recovered/arguments.c         | js_truth_list_argument_words | *nwords = 0; {OK}
arguments bound         | validity/recovered/arguments.c         | js_truth_bind_arguments    | {END}
defaults                | validity/recovered/arguments.c         | js_truth_put_default       | {NO}
omitted arguments       | validity/recovered/arguments.c         | js_truth_is_omitted        | {NO}
computed                | validity/recovered/computed.c          | js_truth_compute           | {NO}
computed numbers        | validity/recovered/computing_numbers.c | js_computing_put_number    | return JS_SCALAR_NONE;
views                   | validity/recovered/views.c             | js_computing_put_view      | {NO}
lengths                 | validity/recovered/scalars.c           | js_scalar_length           | {NO}
scalars of the caller   | validity/recovered/scalars.c           | js_scalar_is_with_caller   | {NO}
copies                  | validity/recovered/copies.c            | js_copies_put              | {NO}
from the caller         | validity/recovered/from_caller.c       | js_truth_put_from_caller   | {NO}
objects of the caller   | validity/recovered/cpython/boxed.c     | js_boxed_kind              | {NO}
homes that are read     | validity/recovered/home_reads.c        | js_home_reads_from         | return ~UINT64_C(0);
-                       | validity/recovered/home_state.c        | memory_homes.c             | its states
homes                   | validity/recovered/memory_homes.c      | js_homes_init              | return JS_EUNSUP;
homes that are the same | validity/recovered/memory_homes.c      | holds_same                 | {NO}
passed to inlined code  | validity/recovered/passed.c            | js_recover_passed          | {OK}
learned places          | validity/recovered/learned.c           | js_truth_learn             | {OK}
other places            | validity/recovered/places.c            | find_place                 | return JS_PLACE_ABSENT;
derived parts           | validity/recovered/places.c            | put_derived                | {NO}
parts from memory       | validity/recovered/places.c            | put_from_memory            | {NO}
credible parts          | validity/recovered/places.c            | is_credible                | {YES}
parts given up          | validity/recovered/places.c            | is_given_up                | {NO}
late values             | validity/recovered/places.c            | js_truth_is_late           | {NO}
foreign values          | validity/recovered/places.c            | js_truth_is_foreign        | {NO}
ranges                  | validity/recovered/range_loops.c       | js_range_loops_init        | {OK}
numbers of ranges       | validity/recovered/range_loop_values.c | js_range_loops_put         | {NO}
unset starts            | validity/recovered/range_loop_values.c | js_range_loop_find_unset   | {OK}
indices of kernels      | validity/recovered/range_loop_values.c | js_range_loops_is_kernels  | {NO}
all rules of rows       | validity/statements/rows.c             | js_rows_clean              | {OK}
rows 1: order           | validity/statements/rows_order.c       | js_rows_order              | {OK}
rows 1: levels          | validity/statements/rows_levels.c      | js_path_order              | {END}
rows 2: idleness        | validity/statements/rows.c             | drop_idle                  | {END}
rows 2: work            | validity/statements/rows_idle.c        | js_rows_work               | return JS_ROW_WORKS;
rows 2: removed         | validity/statements/rows_idle.c        | js_rows_is_removed         | {NO}
rows 3: finally         | validity/statements/rows.c             | drop_finally               | {OK}
rows 3: quiet code      | validity/statements/after_finally.c    | js_quiet_leads_to          | {NO}
rows 4: pieces          | validity/statements/rows_repeated.c    | js_rows_repeated           | {OK}
rows 5: early code      | validity/statements/rows_early.c       | js_rows_drop_early         | {OK}
rows 6: predicated      | validity/statements/rows_predicated.c  | js_rows_drop_predicated    | {END}
rows 7: effects         | validity/statements/rows_effects.c     | js_rows_follow_effects     | {OK}
rows 8: headers         | validity/statements/rows_headers.c     | js_rows_drop_ahead_of_headers | {OK}
rows 9: conversions     | validity/statements/rows_conversions.c | js_rows_drop_conversions   | {END}
rows 10: loops          | validity/statements/rows_entered.c     | js_rows_enter_loops        | {END}
rows 11: once           | validity/statements/rows_begun.c       | js_rows_drop_begun         | {OK}
rows 12: kernels        | validity/statements/rows.c             | drop_of_kernels            | {END}
entry of generators     | validity/statements/rows_entry.c       | js_rows_enter              | {END}
-                       | validity/statements/rows_inlined.c     | hook/                      | the rules for its code
-                       | validity/statements/rows_lines.c       | rows.c                     | what its rules share
raises                  | validity/statements/raises.c           | js_truth_find_raises       | {OK}
yields                  | validity/statements/yields.c           | js_truth_find_yields       | {OK}
order matters           | validity/order/order.c                 | js_order_matters           | {NO}
kept behind later lines | validity/order/order.c                 | js_order_is_kept           | {YES}
early                   | validity/order/early.c                 | js_order_find_early        | {OK}
early rows of regions   | validity/order/early.c                 | drop_early                 | {END}
overtaken               | validity/order/overtaken.c             | js_order_find_overtaken    | {OK}
entry line              | validity/order/entry_line.c            | js_order_entry             | return 0;
stops asked for         | validity/order/explicit_stops.c        | js_order_find_asked        | {OK}
possible lines          | validity/order/possible_lines.c        | js_order_find_possible     | {OK}
reordered               | validity/order/reordered.c             | js_order_find_reordered    | {OK}
reordered: all may be   | validity/order/reordered.c             | js_order_find_reordered    | return JS_ELIMIT;
literals                | validity/variables/constants.c         | js_truth_put_literal       | {NO}
constants               | validity/variables/constants.c         | js_truth_put_constant      | {NO}
arguments of one value  | validity/variables/constants.c         | js_truth_put_only_argument | {NO}
altered values          | validity/variables/constants.c         | js_truth_is_altered        | {NO}
loop indices            | validity/variables/loop_indices.c      | js_truth_add_loop_indices  | {OK}
pointer types           | validity/variables/pointer_types.c     | js_nameless_locals         | {OK}
removed variables       | validity/variables/removed_variables.c | js_truth_add_removed_variables | {OK}
shared names            | validity/variables/shared_names.c      | js_truth_separate_shared_names | {END}
source names            | validity/variables/source_names.c      | js_source_names            | {END}
undescribed variables   | validity/variables/undescribed_variables.c | js_absent_add_to_function  | {OK}
undescribed arguments   | validity/variables/undescribed_variables.c | js_absent_mark_arguments   | {END}
unused arguments        | validity/variables/unused_arguments.c  | js_truth_add_unused_arguments | {OK}
versions: copied        | validity/variables/versions.c          | js_truth_is_copied         | {NO}
versions: the source's  | validity/variables/versions.c          | js_truth_source_matches    | {YES}
versions: less removed  | validity/variables/versions.c          | js_truth_matches_without_removed | {NO}
versions: removed       | validity/variables/versions.c          | js_truth_removed           | return NULL;
versions: passed        | validity/variables/versions.c          | js_truth_is_passed         | {YES}
depth of the stack      | validity/locations/stack_depth.c       | js_truth_cut_locations     | {OK}
-                       | validity/locations/address_line.c      | all                        | the line of an address
-                       | validity/locations/debugger_rows.c     | all                        | rows as they are written
-                       | validity/locations/dwarf_operator.c    | all                        | DWARF is read
-                       | validity/locations/evaluate.c          | all                        | DWARF is evaluated
-                       | validity/locations/expression.c        | all                        | DWARF is written
-                       | validity/locations/home.c              | memory_homes.c             | the place of a variable
-                       | validity/locations/scalar_kind.c       | computed.c                 | kinds of types
-                       | validity/locations/stack.c             | all                        | DWARF is evaluated
-                       | validity/locations/type_scalars.c      | all                        | the parts of a type
moved accesses          | validity/moved/rows.c                  | js_rows_find_moved         | {OK}
moved: what accesses    | validity/moved/accesses.c              | js_moved_may_be_foreign    | {NO}
moved: owners           | validity/moved/argument_owners.c       | js_owners_find             | {END}
moved: merged calls     | validity/moved/merged_calls.c          | js_moved_is_of_several     | {NO}
moved: checks           | validity/moved/checks.c                | js_rows_skip_checks        | {OK}
moved: arms             | validity/moved/arms.c                  | js_moved_passes_arm        | {NO}
moved: counts           | validity/moved/counts.c                | js_rows_drop_counts        | {OK}
elements in registers   | elements/stores_of_code.c              | judge_all                  | {OK}
elements moved          | elements/stores_moved.c                | js_stores_moved            | {OK}
elements of new arrays  | elements/fresh_arrays.c                | js_fresh_moved             | {OK}
elements of kernels     | elements/stores_of_kernels.c           | js_kernel_find_filled      | {OK}
elements a kernel fills | elements/stores_of_kernels.c           | js_kernel_may_fill         | {NO}
elements of calls       | elements/stores_of_calls.c             | js_pending_call_may_store  | {YES}
elements: no line       | elements/running_code.c                | js_running_is_orphan       | {NO}
elements: which have    | elements/element_kinds.c               | js_pending_may_have_elements | {YES}
elements: inlined       | elements/source_flow.c                 | js_pending_flow            | return NULL;
elements: watched       | elements/newer_elements.c              | js_program_watch_pending   | {OK}
"""


@dataclasses.dataclass(frozen=True)
class Rule:
    name: str
    file: str  # below PROGRAM
    function: str
    body: str


def rows() -> list[Rule]:
    """Return all rows of the table, including those of files that have no rule of their own."""
    return [Rule(*(cell.strip() for cell in line.split("|"))) for line in TABLE.strip().splitlines()]


def rules() -> list[Rule]:
    return [rule for rule in rows() if rule.name != "-"]


def files() -> set[str]:
    """Return the files in the folders of the rules."""
    return {file.relative_to(PROGRAM).as_posix() for folder in FOLDERS for file in (PROGRAM / folder).rglob("*.c")}
