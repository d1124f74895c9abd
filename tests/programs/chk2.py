"""Scenario A on other names, types and lines."""

import numba


@numba.njit(debug=True)
def weigh(count, unit):
    heavy = count > 40
    more = count + 7
    ratio = count * unit  # at: stop
    label = (more, ratio, heavy)
    print(count, more, ratio, label)  # at: print
    return ratio


def main():
    return weigh(50, 0.25)  # at: call


if __name__ == "__main__":
    main()  # at: main
