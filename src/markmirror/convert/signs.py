"""The signs from a private corner of Unicode that stand for something else while a page is written.

They are taken out of every page first, so that no page can forge one.
"""

import re

OPEN, CLOSE, LOOSE, TIGHT = "\ue0f0", "\ue0f1", "\ue0f2", "\ue0f3"

SIGNS = re.compile("[\ue0f0-\ue0f3]+")
# The same as character references, decimal and hexadecimal.
SIGN_REFERENCES = re.compile(r"&#(?:0*5758[4-7]|[xX]0*[eE]0[fF][0-3])(?!\w);?")
