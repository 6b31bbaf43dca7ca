# SPDX-License-Identifier: GPL-2.0-only
"""A bar chart of what accounting adds to an event, by who accounts: an SVG picture."""

# The events, and who accounts: the colour, and the words in a row's value or peer.
EVENTS = [
    ("switch + wake-up", "switch"), ("minor fault", "fault"), ("contended mutex", "mutex"),
    ("contended rwsem, reader", "rwsem_read"), ("contended rwsem, writer", "rwsem_write"),
]
WHO = [
    ("taskrt", "on", "#2a6f97"), ("eBPF, task storage", "storage", "#d98c3f"),
    ("eBPF, hash map", "hash", "#b5523b"),
]
LEFT, WIDTH, BAR, GAP = 190, 560, 15, 12


def added(cells, event, config):
    """What the event costs more in this configuration, or None."""
    for row_cells in cells.values():
        if f"{event}@{config}-absent" in row_cells.added:
            return row_cells.added[f"{event}@{config}-absent"]
    return None


def text(x, y, words, anchor="start", size=12, weight="normal"):
    return (f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" text-anchor="{anchor}" '
            f'font-weight="{weight}">{words}</text>')


def svg(rows, cells, names):
    """Only of "plain": what the hooks add hardly depends on the model of the processor."""
    names = [name for name in names if name.endswith("-plain")]
    shapes, y = [], 24
    most = max([added(cells[name], event, config) or 1 for name in names for _, event in EVENTS
                for _, config, _ in WHO])
    for name in names:
        shapes.append(text(8, y, f"{name}: instructions added to each event", size=14, weight="bold"))
        y += 12
        for label, event in EVENTS:
            shapes.append(text(LEFT - 8, y + BAR * 1.6, label, "end"))
            for _, config, colour in WHO:
                value = added(cells[name], event, config)
                if value is not None:
                    length = WIDTH * value / most
                    shapes.append(f'<rect x="{LEFT}" y="{y}" width="{length:.1f}" '
                                  f'height="{BAR - 2}" fill="{colour}"/>')
                    shapes.append(text(LEFT + length + 4, y + BAR - 4, f"{value:.0f}", size=11))
                    y += BAR
            y += GAP
        y += 24
    x = LEFT
    for label, _, colour in WHO:
        shapes.append(f'<rect x="{x}" y="{y - 10}" width="12" height="12" fill="{colour}"/>')
        shapes.append(text(x + 18, y, label))
        x += 40 + 8 * len(label)
    y += 16
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 60}" height="{y}" '
            f'font-family="sans-serif">\n<rect width="100%" height="100%" fill="white"/>\n' +
            "\n".join(shapes) + "\n</svg>\n")
