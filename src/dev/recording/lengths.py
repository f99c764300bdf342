"""Lengths of lists in forms that were recorded with one length only."""


def share_lengths(nodes, intern):
    """Gives a list whose length never varied in its form the rule that the same list has in another form of the same place.

    A form is often seen in one case only (OPT with its norms behind, Idefics with other norms), so nothing tells there whether a list
    of four has always four or as many as config.json says. Where both lists were equally long in the recorded model, the rule holds
    for both. `intern` gives the number of a node; returns how many lists changed.
    """
    changed = 0
    for at, node in enumerate(list(nodes)):
        if node[0] != "O":
            continue
        rules = {}
        for name, _, child in children_of(nodes, node[2]):
            if child[0] == "L" and isinstance(child[2], list):
                rules.setdefault((name, child[1], child[3]), child[2])
        forms = []
        for form in node[2]:
            kids = list(nodes[form][4]) if nodes[form][0] == "F" else []
            for place in range(1, len(kids), 2):
                child = nodes[kids[place]]
                rule = rules.get((kids[place - 1], child[1], child[3])) if child[0] == "L" else None
                if rule is not None and isinstance(child[2], int):
                    kids[place] = intern([*child[:2], rule, *child[3:]])
                    changed += 1
            forms.append(intern([*nodes[form][:4], kids]) if kids else form)
        nodes[at] = ["O", node[1], forms]
    return changed


def children_of(nodes, forms):
    for form in forms:
        kids = nodes[form][4] if nodes[form][0] == "F" else []
        for place in range(0, len(kids), 2):
            yield kids[place], kids[place + 1], nodes[kids[place + 1]]
