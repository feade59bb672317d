"""WCAG contrast ratio of two opaque colours.

usage: python3 contrast.py FOREGROUND BACKGROUND     colours as #rgb or #rrggbb
exit:  0 passes AA for normal text, 1 does not, 2 bad input
"""

import re
import sys


def channels(colour):
    digits = colour.strip().lstrip("#")
    if re.fullmatch(r"[0-9a-fA-F]{3}", digits):
        digits = "".join(d * 2 for d in digits)
    if not re.fullmatch(r"[0-9a-fA-F]{6}", digits):
        raise ValueError(f"not a colour of the form #rgb or #rrggbb: {colour}")
    return [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]


def luminance(colour):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels(colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def ratio(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def main(arguments):
    if len(arguments) != 2:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    try:
        value = ratio(*arguments)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    # Cut, not rounded: 4.499 is not 4.5.
    print(f"{int(value * 100) / 100:.2f}:1")
    for needed, what in ((4.5, "1.4.3 normal text"), (3, "1.4.3 large text"), (3, "1.4.11 icons and borders")):
        print(f"{'pass' if value >= needed else 'FAIL'}  {what} ({needed}:1)")
    return 0 if value >= 4.5 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
