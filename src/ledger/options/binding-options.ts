/** What is said about pods and who is bound to them. */
import { DISK_TEMPLATES } from '../../htools/cluster/templates.ts';
import { FILE, integer, listed, optionTable, repeated } from '../../kit/cli/options/option-table.ts';

/** Far beyond any figure that somebody would state. */
const MOST = 1e15;

export const BINDING_OPTIONS = optionTable('pods', {
  inputFile: {
    name: 'file',
    short: 'f',
    ...FILE,
    group: 'input',
    isEveryday: true,
    help: 'read readings (usage) or requests (simulate) from FILE',
    manual: `For *usage*: readings as JSON, an object with a member a pod, such as *{"P1": {"memory": {"total": 1000, "used": 300}}}*; *null* takes
a pod's reading away. For *simulate*: the requests of a day, see Simulation above. *-* is standard input.`,
  },
  tenant: { metavar: 'TENANT', isEveryday: true, help: 'who asks', manual: `The tenant who asks.` },
  zone: {
    name: 'az',
    metavar: 'ZONE',
    mayBeEmpty: true,
    isEveryday: true,
    help: 'the availability zone',
    manual: `The availability zone that is asked for; without it, any will do. Of a pod: the zone that it is in; empty for none.`,
  },
  extraSpecs: {
    name: 'spec',
    ...repeated('KEY=VALUE'),
    help: 'an extra spec of the flavour or volume type (may be repeated)',
    manual: `An extra spec of the flavour or the volume type. Those whose keys some pod's affinity uses decide which pods are for the request;
the others do not matter. May be repeated.`,
  },
  need: {
    ...repeated('METRIC=N'),
    help: 'so much must be free (may be repeated)',
    manual: `So much of a metric must be free in the pod, in the metric's unit. May be repeated.`,
  },
  affinity: {
    ...repeated('KEY=VALUE'),
    help: 'what the pod is for (may be repeated); none: for general use',
    manual: `What the pod is for: it takes the requests in which all its pairs occur. May be repeated; *none* takes all pairs away, and the pod is for
requests that ask for nothing in particular.`,
  },
  podWeight: {
    name: 'weight',
    metavar: 'N',
    help: "the pod's weight, for the weigher of that name; none: not stated",
    manual: `The pod's weight, a number, for the weigher of that name; *none* takes it away.`,
  },
  podCost: {
    name: 'cost',
    metavar: 'N',
    help: 'what the pod costs, for the weigher of that name; none: not stated',
    manual: `What the pod costs, a number in any currency, for the weigher of that name; *none* takes it away.`,
  },
  threshold: {
    ...repeated('[METRIC=]SHARE'),
    help: 'exhausted from this share of use on (may be repeated; default: 0.9)',
    manual: `The pod is exhausted when the used share of the metric (of any metric that has no limit of its own) reaches _SHARE_, a number above 0 and
at most 1. Of a new pod: 0.9 for all. May be repeated.`,
  },
  headroom: {
    ...repeated('[METRIC=]N'),
    help: 'exhausted when no more than N is free (may be repeated)',
    manual: `In place of a share: the pod is exhausted when no more than _N_ of the metric (of any that has no limit of its own) is free. May be
repeated.`,
  },
  reopen: {
    metavar: 'SHARE',
    help: 'once exhausted, open again when no share of use is above SHARE; none: at once',
    manual: `Once exhausted, the pod opens again only when the used share of no metric is above _SHARE_; so it does not flap around its limit.
*none*: as soon as no metric is at its limit.`,
  },
  podState: {
    name: 'state',
    metavar: 'STATE',
    choices: ['open', 'closed'],
    help: 'open: the pod takes requests; or closed',
    manual: `Whether the pod takes requests: *open*, or *closed* for good. See *pod maintenance* for a while.`,
  },
  endMaintenance: {
    name: 'end',
    help: 'maintenance is over',
    manual: `The maintenance is over, and the pod takes requests again.`,
  },
  giveBack: {
    name: 'return',
    help: 'with --end: tenants who left for the maintenance come back',
    manual: `With *--end*: tenants who left because of this maintenance come back, unless they were bound by hand since, or the pod does not take
them any more.`,
  },
  rebindNow: {
    name: 'rebind',
    help: 'rebind all tenants of the pod now, not with their next requests',
    manual: `Rebinds all tenants of the pod at once. Without it, each leaves with its next request.`,
  },
  filters: {
    ...listed('NAME,...'),
    mayBeEmpty: true,
    help: 'the filters and their order',
    manual: `The filters that a pod must pass, in the order in which they are asked; see Choice above.`,
  },
  weigh: {
    ...repeated('WEIGHER=N'),
    help: 'what counts, and how much (may be repeated)',
    manual: `How much a weigher counts; see Choice above. Those that are not named count nothing. May be repeated.`,
  },
  explainChoice: {
    name: 'explain',
    group: 'questions',
    help: "show each filter's and each weigher's word for each pod",
    manual: `Shows the word of each filter and each weigher for each pod.`,
  },
  bindFor: {
    name: 'for',
    metavar: 'TIME',
    help: 'a new binding lasts for TIME (12h, 90d), then the choice is free again',
    manual: `A new binding lasts for _TIME_, such as *12h* or *90d*. After that, the next request is free to choose again, and *hbind expire* ends
the binding. Without it, a binding lasts until something ends it. Rebinding and maintenance keep the end.`,
  },
  podIs: {
    metavar: 'WHAT',
    default: 'group',
    choices: ['group', 'cluster'],
    help: 'what of the cluster is a pod: each node group, or all of it',
    manual: `What of the cluster is a pod: each node *group*, under its name, or the whole *cluster*, under the name that *--pod* gives.`,
  },
  pod: {
    metavar: 'POD',
    isEveryday: true,
    help: 'only this pod; the name of a cluster that is one pod',
    manual: `Only this pod. With *--pod-is cluster*: the name of the pod that the cluster is.`,
  },
  addPods: {
    name: 'add',
    help: 'make pods of what is none yet',
    manual: `Makes pods of the node groups (or of the members of the file) that are none yet; *--az* and *--affinity* hold for all of these.`,
  },
  exhaustedBy: {
    metavar: 'WHAT',
    default: 'limits',
    choices: ['limits', 'hspace'],
    help: 'what says that a pod is exhausted: its limits, or hspace for an instance SPEC',
    manual: `What says that a pod is exhausted: its *limits*, or *hspace*: not one more instance of the size _SPEC_ (*disk*,*memory*,*cpus*, as
*hspace*(1) takes it) fits while the group can lose any one node.`,
  },
  diskTemplateForFit: {
    name: 'fit-template',
    metavar: 'TEMPLATE',
    choices: DISK_TEMPLATES,
    help: 'disk template of the instance that hspace tries; else the first that is allowed',
    manual: `Disk template of the instance that *--exhausted-by hspace* tries. Without it: the first that the cluster's policy allows.`,
  },
  window: {
    metavar: 'TIME',
    default: '30d',
    help: 'growth is that of the readings of the last TIME',
    manual: `The growth is that of the readings of the last _TIME_, such as *7d*.`,
  },
  rowLimit: {
    name: 'limit',
    ...integer('N', { atLeast: 1, atMost: MOST }),
    default: 50,
    help: 'at most N rows',
    manual: `At most the last _N_ rows.`,
  },
});
