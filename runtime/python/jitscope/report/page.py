"""A report as one page of HTML, which needs nothing from elsewhere."""

from __future__ import annotations

import linecache
from typing import Any

import jinja2

from jitscope.paths import shared_module
from jitscope.report import arrays, pictures, redaction, versions
from jitscope.stacks import alike, text

_AROUND = 4  # lines of the source before and after that of a frame

_TEMPLATE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{{ title }}</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; color: #1b1f24 }
h1 { font-size: 1.3rem } .cause { font-size: 1.1rem; border-left: .3rem solid #b42318; padding: .4rem .8rem }
details { margin: .4rem 0 } details details { margin-left: 1.2rem } summary { cursor: pointer }
code, pre, table { font: 13px/1.5 ui-monospace, monospace }
pre { background: #f6f8fa; padding: .5rem; overflow-x: auto }
pre b { background: #ffe2a8; display: block } td { padding: 0 .8rem 0 0; vertical-align: top; overflow-wrap: anywhere }
.faint { color: #636c76 }
@media (prefers-color-scheme: dark) {
  body { background: #14181d; color: #dde3ea } pre { background: #1e242b } pre b { background: #5a4310 }
}
</style>
</head>
<body>
<h1>{{ title }}</h1>
{% if report.cause %}<p class="cause">{{ plain(report.cause) }}</p>{% endif %}
<p class="faint">{{ plain(report.stacks.command or "") }}</p>
{% for threads in alike(report.stacks.threads) %}
{% set thread = threads[0] %}
<details{% if loop.first %} open{% endif %}>
<summary>{{ heading(threads) }}</summary>
{% for line in differences(threads) %}<p class="faint">{{ line }}</p>
{% endfor %}
{% for frame in folded(thread.frames) if frame.kind != "region" %}
{% if frame.kind == "folded" %}<p class="faint">{{ plain(text_of(frame)) }}</p>{% else %}
<details{% if loop.first and loop.index0 == 0 and thread == report.stacks.threads[0] %} open{% endif %}>
<summary><code>{{ plain(frame.name) }}</code>
{%- if frame.file %} <span class="faint">{{ plain(frame.file) }}{% if frame.line %}:{{ frame.line }}{% endif %}</span>
{%- endif %}</summary>
{% set source = lines_of(frame, report.get("redacted", [])) %}
{% if source %}<pre>{% for number, line in source %}{% if number == frame.line %}<b>{{ number }}  {{ line }}</b>
{%- else %}{{ number }}  {{ line }}
{% endif %}{% endfor %}</pre>{% endif %}
{% if values_of(frame) %}<table>
{% for each in values_of(frame) %}<tr><td>{{ plain(each.name) }}</td><td>{{ plain(each.text) }}</td></tr>
{% endfor %}</table>{% endif %}
</details>{% endif %}
{% endfor %}
</details>
{% endfor %}
{% for each in report.arrays %}
<details open><summary><code>{{ plain(heading_of(each)) }}</code></summary>
{% if "plot" in each.array %}{{ svg(each.array.plot) | safe }}
<p class="faint">{{ legend(each.array.plot) }}</p>{% endif %}
<pre>{{ plain(text_of_array(each)) }}</pre></details>
{% endfor %}
{% for line in versions %}<p class="faint">{{ plain(line) }}</p>
{% endfor %}
<details><summary>as text</summary><pre>{{ whole }}</pre></details>
</body>
</html>
"""


def of(report: dict[str, Any], lines: list[str]) -> str:
    """Return the page; `lines`: the report as text, whose first line is the title."""
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, undefined=jinja2.StrictUndefined)
    page: str = environment.from_string(_TEMPLATE).render(
        report=report,
        folded=_folded,
        text_of=_text,
        title=lines[0],
        whole="\n".join(lines),
        plain=text.plain,
        heading_of=arrays.heading,
        svg=pictures.svg,
        legend=pictures.legend,
        text_of_array=arrays.text,
        alike=alike.groups,
        heading=text.heading,
        differences=text.differences,
        versions=versions.lines(report),
        lines_of=_lines,
        values_of=_values,
    )
    return page


def _folded(frames: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the frames, and an entry for those of long recursions."""
    stack = shared_module("jitscope_shared.base.stack_text")
    return list(stack.folded(stack.numbered(frames)))


def _text(entry: dict[str, Any]) -> str:
    """Return the text of such an entry."""
    return "\n".join(shared_module("jitscope_shared.base.stack_text").lines(entry))


def _lines(frame: dict[str, Any], hidden: list[str]) -> list[tuple[int, str]]:
    """Return the numbered lines of the source around the frame's; none if the source is not there. `hidden`: lines with
    one of these names are redacted."""
    if not frame["file"] or not frame["line"]:
        return []
    source = shared_module("jitscope_source.files").PROVIDED.get(frame["file"], "").splitlines()
    source = source or linecache.getlines(frame["file"])
    first = max(1, frame["line"] - _AROUND)
    return [(number, text.plain(redaction.line_of(line.rstrip("\n"), hidden))) for number, line in
            enumerate(source[first - 1 : frame["line"] + _AROUND], first)]  # fmt: skip


def _values(frame: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the variables, each once: of a Python frame the arguments are among the others, too."""
    others = frame.get("locals", [])
    names = {each["name"] for each in others}
    arguments = [each for each in frame.get("arguments", []) if each["name"] not in names]
    return [*arguments, *(each for each in others if not each.get("definition"))]
