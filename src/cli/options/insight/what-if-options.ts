/** Changes in thought before anything is planned, and questions about what was planned. One piece because it is a table. */
import type { OptionDefinition } from '../owners/option.ts';

export const WHAT_IF_OPTIONS = {
  whatIf: {
    name: 'what-if',
    kind: 'repeated',
    argument: 'required',
    metavar: 'CHANGES',
    completion: 'file',
    group: 'input',
    help: 'change the cluster in thought first: "drain node node1"; @FILE takes changes from a file',
    manual: `Changes the cluster in thought before anything else is done with it: the report is that of the changed cluster. _CHANGES_ is one
change, or several divided by *;*. It may be given several times. *@*_FILE_ takes them from a file, one a line; lines that start with *#* are
comments. Names may be short, as long as they are clear. No rule is asked: what does not go is what the report shows.

*add nodes* _N_ *like* _NODE_ [*group=*_GROUP_] [*name=*_NAME_]; *remove node* _NODE_ [*with-instances*]; *remove group* _GROUP_
[*with-instances*]; *drain node* _NODE_...; *drain group* _GROUP_; *undrain node*, *undrain group*; *resize node* _NODE_ [*memory=*]
[*disk=*] [*cpus=*] [*spindles=*].

*add instance* _NAME_ *primary=*_NODE_ [*secondary=*_NODE_] [*like=*_INSTANCE_] [*memory=*] [*disk=*] [*vcpus=*] [*spindles=*]
[*template=*] [*tags=*] [*status=*]; *remove instance* _INSTANCE_...; *resize instance* _INSTANCE_ [*memory=*] [*disk=*] [*vcpus=*]
[*spindles=*]; *move instance* _INSTANCE_ *primary=*_NODE_ [*secondary=*_NODE_].

*tag cluster*, *tag group* _GROUP_, *tag node* _NODE_, *tag instance* _INSTANCE_, each with *+*_TAG_ and *-*_TAG_; *policy group* _GROUP_
[*vcpu-ratio=*] [*spindle-ratio=*] [*templates=*] [*allocation=*]; *policy cluster* for *hspace*; *reserve node* _NODE_ [*memory=*]
[*disk=*].

Sizes are MiB, or have a unit (*4g*); with *+* or *-* in front they are added or taken away.`,
    isAddition: true,
  },
  diff: {
    name: 'diff',
    kind: 'flag',
    argument: 'none',
    completion: 'none',
    group: 'output',
    help: 'with --what-if: show first what the changes make different',
    manual: `With *--what-if*: shows the cluster before the changes against after them, group by group: nodes, instances, free resources, nodes
that fail N+1, and the score with each metric that differs. It comes ahead of the report.`,
    isAddition: true,
  },
  reserve: {
    name: 'reserve',
    kind: 'text',
    argument: 'required',
    metavar: 'HEADROOM',
    completion: 'string',
    group: 'search',
    help: 'head room that every node keeps: memory=10%,disk=5%',
    manual: `Keeps head room on every node: a share of what the node has (*memory=10%,disk=5%*) or a size (*memory=4g*). Memory kept so counts as
used in all rules and in the score, but is shown and saved as free; disk is kept as by *--min-disk*, and the larger of the two counts.`,
    isAddition: true,
  },
  explainSteps: {
    name: 'explain',
    kind: 'flag',
    argument: 'none',
    completion: 'none',
    group: 'output',
    help: 'explain each step: what it gains and costs, and what a rule forbade',
    manual: `Explains the plan after it: for each step the metrics that it changes, with weight, gain and share, what it costs, and its job set; and
the moves that would have gained more but that a rule forbade, with what was needed, what there was, and the changes (in the words of
*--what-if*) that would lift it.`,
    isAddition: true,
  },
  why: {
    name: 'why',
    kind: 'repeated',
    argument: 'required',
    metavar: 'INSTANCE',
    completion: 'manyinstances',
    group: 'output',
    help: 'say where INSTANCE could go and why it stays, in place of planning',
    manual: `Says for the instance why it is where it is, in place of planning: each node that it could go to with the score there, or the rule that
refuses it with what is needed and what there is. May be given several times.`,
    isAddition: true,
  },
  tryMove: {
    name: 'try',
    kind: 'repeated',
    argument: 'required',
    metavar: 'INSTANCE=NODE[:NODE]',
    completion: 'string',
    group: 'output',
    help: 'say what moving INSTANCE there would do, in place of planning',
    manual: `Says what it would do to move the instance to this primary (and secondary), in place of planning: whether the rules allow it, each metric
before and after, and the price. Without a secondary it keeps its own, or takes its old primary where that secondary becomes the
primary. Several are tried one after the other, each on the outcome of those before it that are allowed.`,
    isAddition: true,
  },
} as const satisfies Record<string, OptionDefinition>;
