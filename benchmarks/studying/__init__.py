"""The study: which solver for which puzzle, measured in two stages by the comparison.

`plan` reads what is asked, `boards` makes the boards, `run` has them measured and publishes the
journals; `read`, `figures` and `growth` make figures of these, which `document`, `picture` and
`tables` show. Nothing of what is shown comes from anywhere but the published files.
"""
