/** Changes in thought before anything is planned, and questions about what was planned. */
import { optionTable, repeated } from '../../kit/cli/options/option-table.ts';

export const WHAT_IF_OPTIONS = optionTable('questions', {
  whatIf: {
    kind: 'repeated',
    metavar: 'CHANGES',
    completion: 'file',
    isEveryday: true,
    help: 'suppose a change: "drain node n1", @FILE',
    manual: `Supposes changes to the cluster before anything else is done: the report is that of the changed cluster. _CHANGES_ is one
change, or several separated by *;*. The option may be given several times. *@*_FILE_ takes changes from a file, one per line; lines that start with *#*
are comments. Names may be shortened as long as they are unambiguous. No rule is checked: the report shows what does not work.

*add nodes* _N_ *like* _NODE_ [*group=*_GROUP_] [*name=*_NAME_]; *remove node* _NODE_ [*with-instances*]; *remove group* _GROUP_
[*with-instances*]; *drain node* _NODE_...; *drain group* _GROUP_; *undrain node*, *undrain group*; *resize node* _NODE_ [*memory=*]
[*disk=*] [*cpus=*] [*spindles=*].

*add instance* _NAME_ *primary=*_NODE_ [*secondary=*_NODE_] [*like=*_INSTANCE_] [*memory=*] [*disk=*] [*vcpus=*] [*spindles=*]
[*template=*] [*tags=*] [*status=*]; *remove instance* _INSTANCE_...; *resize instance* _INSTANCE_ [*memory=*] [*disk=*] [*vcpus=*]
[*spindles=*]; *load instance* _INSTANCE_ [*cpu=*] [*memory=*] [*disk=*] [*net=*], what it weighs in the load metrics; *move instance* _INSTANCE_ *primary=*_NODE_ [*secondary=*_NODE_].

*tag cluster*, *tag group* _GROUP_, *tag node* _NODE_, *tag instance* _INSTANCE_, each with *+*_TAG_ and *-*_TAG_; *policy group* _GROUP_
[*vcpu-ratio=*] [*spindle-ratio=*] [*templates=*] [*allocation=*]; *policy cluster* for *hspace*; *reserve node* _NODE_ [*memory=*]
[*disk=*]; *weight metric* _METRIC_*=*2 ..., what metrics of the score weigh (*hbal -v* names them), 0 for nothing.

Sizes are in MiB, or have a unit (*4g*); with *+* or *-* in front they are added or subtracted.`,
  },
  diff: {
    help: 'with --what-if: first show the differences that the changes make',
    manual: `With *--what-if*: compares the cluster before and after the changes, group by group: nodes, instances, free resources, nodes
that fail N+1, and the score with each metric that differs. The comparison comes before the report.`,
  },
  reserve: {
    metavar: 'HEADROOM',
    group: 'limits',
    help: 'head room that every node keeps: memory=10%,disk=5%',
    manual: `Keeps head room on every node: a share of what the node has (*memory=10%,disk=5%*) or a size (*memory=4g*). Memory kept in this way counts as
used in all rules and in the score, but is shown and saved as free; disk is kept as with *--min-disk*, and the larger of the two counts.`,
  },
  explainSteps: {
    name: 'explain',
    isEveryday: true,
    help: 'explain each step, and what rules refused',
    manual: `Explains the plan, after printing it: for each step the metrics that it changes, with weight, gain and share, what it costs, and its job
set; and the moves that would have gained more but were refused by a rule, with what was needed, what was available, and the changes (in the
language of *--what-if*) that would allow them. Programs that move between groups say for each move what becomes of the score of the group
that it leaves and of the one that it comes to, and what the other groups said.`,
  },
  why: {
    ...repeated('INSTANCE'),
    completion: 'manyinstances',
    isEveryday: true,
    help: 'where could INSTANCE go, why does it stay',
    manual: `Instead of planning, says why the instance is where it is: each node that it could go to with the score there, or the rule that
refuses it with what is needed and what is available. *hredist*, *hcompress* and *hspread* say which groups would take it, on which nodes, and
why the others do not. May be given several times.`,
  },
  whyNode: {
    name: 'why',
    ...repeated('NODE'),
    completion: 'onenode',
    isEveryday: true,
    help: 'why NODE is in its round',
    manual: `Instead of the rounds, says in which round the node is, which nodes must not be down together with it, and because of which
instances. May be given several times.`,
  },
  tryMove: {
    name: 'try',
    ...repeated('INSTANCE=NODE[:NODE]'),
    help: 'say what moving INSTANCE there would do, instead of planning',
    manual: `Instead of planning, says what moving the instance to this primary (and secondary) would do: whether the rules allow it, each metric
before and after, and the price. If no secondary is given, the instance keeps its own, or gets its old primary as secondary where its secondary
becomes the primary; in another group (*hredist*, *hcompress*, *hspread*) it gets the best secondary there. Several moves are tried one
after the other, each on the outcome of the earlier ones that are allowed.`,
  },
  explainRounds: {
    name: 'explain',
    isEveryday: true,
    help: 'what keeps each node out of earlier rounds',
    manual: `Explains the rounds, after printing them: for each node what keeps it out of each earlier round: the nodes there that must not be
down together with it, because of which instances, or that what has to leave them together finds no room.`,
  },
  tryRound: {
    name: 'try',
    ...repeated('NODE=ROUND'),
    help: 'say whether NODE could be in that round, instead of planning',
    manual: `Instead of the rounds, says whether the node could be in that one, and if not, what stands in the way. The number after that of
the last round means a round of its own. May be given several times.`,
  },
  onlyRules: {
    group: 'search',
    help: 'only mend broken rules, with the fewest and cheapest moves, and stop',
    manual: `Only mends what breaks a rule, in place of balancing: instances on offline nodes, nodes that fail N+1, exclusion tags, and the rules as
tags (see TAGS). It takes the fewest moves that mend everything, each instance moving once at most, and of these the cheapest (sticky
instances, then the price, see *--price*); it says whether that is proven. Where that does not mend everything, instances move
more than once. What is left broken is listed, and the exit status is then 3. With *--search=deep* it is looked for longer.`,
  },
  lint: {
    isEveryday: true,
    help: 'find tags that match nothing or contradict',
    manual: `Looks at the tags that mean something to these programs, in place of the check: slips of the pen, tags that match nothing, that
contradict each other, and that cannot be met on this cluster. The exit status is 3 when anything is found.`,
  },
});
