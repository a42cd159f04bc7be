"""Expressions that a filter understands, for the parameters of that format."""

from hypothesis import strategies as st
import schemathesis

CONDITIONS = [
    "command == poll_messages",
    "status != 0",
    "latency_us > 5ms",
    "verdict in {agree, diverge}",
    'topic contains "metr"',
    'response.messages.offset == 24',
    "error",
]

conditions = st.sampled_from(CONDITIONS)
expressions = st.recursive(
    conditions,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(" ".join),
        inner.map("not ({})".format),
    ),
    max_leaves=4,
)
schemathesis.openapi.format("parallax-filter", expressions)
