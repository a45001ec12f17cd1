/** The commands of hbind. */
import { READ } from '../../htools/options/program-table.ts';
import { words } from '../../kit/cli/options/words.ts';
import type { CommandDefinition } from '../../kit/cli/subcommands/command.ts';

const POD = { metavar: 'POD' } as const;
const CLUSTER = words(`textFile iallocatorFile simulate luxiSocket rapiAddress ${READ}`);
const ASK = ['zone', 'extraSpecs', 'need'] as const;
const POLICY = ['filters', 'weigh'] as const;
const ABOUT_POD = words('zone affinity podWeight podCost threshold headroom reopen podState');

export const BINDING_COMMANDS = [
  {
    words: 'init',
    isEveryday: true,
    summary: 'make the tables, or bring them up to date',
    manual: `Makes the tables of pods and bindings, beside those of the ledger where there is one, or brings them up to date, with a backup first.`,
  },
  {
    words: 'pod add',
    isEveryday: true,
    arguments: [{ metavar: 'NAME' }],
    options: ABOUT_POD,
    summary: 'make a pod: the last in the queue',
  },
  {
    words: 'pod set',
    arguments: [POD],
    options: ABOUT_POD,
    summary: 'change a pod',
    manual: `Changes a pod. What no option names stays as it is; limits are replaced metric by metric.`,
  },
  {
    words: 'pod rm',
    arguments: [POD],
    summary: 'remove a pod to which nobody was ever bound',
    manual: `Removes a pod to which nobody was ever bound. Others are closed: they are part of the history.`,
  },
  {
    words: 'pod list',
    isEveryday: true,
    options: ASK,
    summary: 'list the pods; with a request, those that it may go to, best first',
    manual: `Lists the pods with their fill levels and the number of their tenants. With *--az*, *--spec* or *--need*: only those that pass the filters
for such a request, the best first.`,
  },
  {
    words: 'pod show',
    arguments: [POD],
    options: ['rowLimit'],
    summary: 'show a pod with its tenants and what became of it',
  },
  {
    words: 'pod maintenance',
    arguments: [POD],
    options: ['endMaintenance', 'giveBack', 'rebindNow'],
    summary: 'begin the maintenance of a pod, or end it',
    manual: `Begins the maintenance of a pod: new requests of its tenants go elsewhere. *--end* ends it. Refused for a closed pod.`,
  },
  {
    words: 'policy',
    options: POLICY,
    summary: 'show which filters and weighers choose, or change them',
    manual: `Shows which filters and weighers choose a pod, or changes that.`,
  },
  {
    words: 'usage',
    isEveryday: true,
    arguments: [{ metavar: 'SPEC', isOptional: true }],
    options: [
      ...CLUSTER,
      ...words('inputFile podIs pod addPods zone affinity exhaustedBy diskTemplateForFit'),
    ],
    summary: 'take in what is used of pods, from a file or a cluster',
    manual: `Takes in what is used of pods: from a file of readings (*-f*), or from a cluster, whose node groups are pods: memory, cpus and disks of the nodes
that are in service, a shared pool once. Says which pods became exhausted and which opened again. Meant to run daily.`,
  },
  {
    words: 'select',
    isEveryday: true,
    options: ['tenant', ...ASK, ...POLICY, 'bindFor', 'explainChoice', 'dryRun'],
    summary: 'say which pod a request of a tenant goes to, and bind it there',
    manual: `Says which pod an instance or a volume of a tenant goes to. A binding whose pod still passes the filters is kept, whatever the weights
say; else the tenant is bound to the best pod that passes. Exit status 1 when there is none; the tenant's binding then stays as it is.`,
  },
  {
    words: 'bind',
    arguments: [{ metavar: 'TENANT' }, POD],
    options: ['zone', 'extraSpecs', 'bindFor'],
    summary: 'bind a tenant to a pod by hand',
    manual: `Binds a tenant to a pod by hand, for requests of the zone *--az* (any, without it) and for what the pod is for (or *--spec*).`,
  },
  {
    words: 'unbind',
    arguments: [{ metavar: 'TENANT' }],
    options: ['zone', 'extraSpecs'],
    summary: 'end the bindings of a tenant',
    manual: `Ends the bindings of a tenant, or only those of a zone or for some specs. The history stays.`,
  },
  {
    words: 'rebind',
    isEveryday: true,
    arguments: [{ metavar: 'TENANT', isOptional: true, isRepeated: true }],
    options: ['pod', 'dryRun'],
    summary: 'rebind tenants whose pods take nothing new',
    manual: `Rebinds the tenants of all pods that are exhausted, under maintenance or closed, without waiting for their next requests; or only
those who are named, or those of one pod. Exit status 1 when somebody finds no pod; such bindings stay.`,
  },
  { words: 'expire', summary: 'end the bindings whose time is over' },
  {
    words: 'history',
    arguments: [{ metavar: 'TENANT' }],
    options: ['rowLimit'],
    summary: 'show to which pods a tenant was bound, when and why',
  },
  {
    words: 'forecast',
    isEveryday: true,
    options: ['window', 'pod'],
    summary: 'say when pods reach their limits, each and together',
  },
  {
    words: 'simulate',
    options: ['inputFile', ...POLICY],
    summary: 'play the requests of a day through the policy, and change nothing',
    manual: `Plays the requests of a day through the policy, or another one, on a copy of pods and bindings; see Simulation above.`,
  },
  {
    words: 'empty',
    options: [...CLUSTER, 'tenantTag', 'pod'],
    summary: 'say which pods could be emptied if their tenants were rebound',
    manual: `Says which node groups could be emptied if their tenants were rebound: each tenant must find another pod by the policy, in a healthy group, and all its
instances must fit there, by the rules of *hcompress*(1). Instances belong to tenants by their tags (*--tenant-tag*).`,
  },
  {
    words: 'audit',
    isEveryday: true,
    summary: 'hold the bindings against their rules',
    manual: `Holds the bindings against their rules: one current binding a tenant, zone and affinity; no two of them at a time, none that ends
before it begins; every rebinding without a gap; every pod as its record says. Exit status 1 when something is found.`,
  },
] as const satisfies readonly CommandDefinition[];

export type BindingCommand = (typeof BINDING_COMMANDS)[number]['words'];
