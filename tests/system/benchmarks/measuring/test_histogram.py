"""Quantiles of a histogram, reckoned as Prometheus reckons them."""

from math import inf

import pytest

from benchmarks.measuring.histogram import Histogram

PAGE = """# HELP other_seconds Something else.
# TYPE other_seconds histogram
other_seconds_bucket{le="1.0"} 7.0
other_seconds_bucket{le="+Inf"} 7.0
other_seconds_count 7.0
other_seconds_sum 1.0
# HELP lag_seconds How late.
# TYPE lag_seconds histogram
lag_seconds_bucket{le="0.01"} 50.0
lag_seconds_bucket{le="0.02"} 90.0
lag_seconds_bucket{le="+Inf"} 100.0
lag_seconds_count 100.0
lag_seconds_sum 2.0
"""


def test_a_histogram_is_read_off_a_page_of_metrics() -> None:
    assert Histogram.of(PAGE, "lag_seconds").below == ((0.01, 50), (0.02, 90), (inf, 100))


@pytest.mark.parametrize(
    ("share", "value"), [(0.25, 0.005), (0.5, 0.01), (0.7, 0.015), (0.9, 0.02), (0.99, 0.02)]
)
def test_a_quantile_lies_in_its_bucket_as_if_values_were_spread_evenly(share: float, value: float) -> None:
    assert Histogram.of(PAGE, "lag_seconds").quantile(share) == pytest.approx(value)


def test_only_what_came_since_counts() -> None:
    before = Histogram(((0.01, 50), (0.02, 50), (inf, 50)))
    since = Histogram.of(PAGE, "lag_seconds").since(before)
    assert since.count == 50
    assert since.quantile(0.4) == pytest.approx(0.015)


def test_without_values_there_is_nothing_to_tell() -> None:
    assert Histogram(((0.01, 0), (inf, 0))).quantile(0.5) == 0
