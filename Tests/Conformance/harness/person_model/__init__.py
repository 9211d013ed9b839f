"""A second model of the person's side, written from the rules alone, and walks that compare it.

`walk.py` makes random steps on a server and on the model, and compares what both answer and show.
The model never looks at how the server does it: where the two differ, one of them is wrong.
"""
