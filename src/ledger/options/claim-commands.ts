/** The commands of hclaim. */
import { READ, WHAT_IF } from '../../htools/options/program-table.ts';
import { words } from '../../kit/cli/options/words.ts';
import type { CommandDefinition } from '../../kit/cli/subcommands/command.ts';

const PROVIDER = { metavar: 'PROVIDER' } as const;
const CLUSTER = words(
  `textFile rapiAddress luxiSocket iallocatorFile simulate ${READ} diskUnit tenantTag ${WHAT_IF}`,
);

const PLACEMENT = ['placement', 'placementCredentials'] as const;

export const CLAIM_COMMANDS = [
  {
    words: 'init',
    isEveryday: true,
    summary: 'make a ledger, or bring its tables up to date',
    manual: `Makes a ledger, or brings the tables of an older one up to date, with a backup first.`,
  },
  {
    words: 'import',
    isEveryday: true,
    options: [...CLUSTER, 'replace', 'sync', 'dryRun', ...PLACEMENT, 'verify'],
    summary: 'enter the nodes, pools and instances of a cluster into the ledger',
    manual: `Takes the nodes, pools, groups and instances of a cluster into an empty ledger. If the ledger is not empty, use
*--sync* or *--replace*. With *--placement*: takes everything that OpenStack Placement holds, with all generations, as a whole or not at all.`,
  },
  {
    words: 'export',
    options: ['placement', 'verify'],
    summary: 'fill the empty database of OpenStack Placement from the ledger',
    manual: `Fills the database of a Placement with all that the ledger holds, with all generations, as a whole or not at all. It must be
empty and have been used by *placement-api* once, which makes the standard names. What only the ledger knows (ends, the history, which providers are pools, names of aggregates) is not
in it.`,
  },
  {
    words: 'claim',
    isEveryday: true,
    arguments: [{ metavar: 'PROVIDER=CLASS:N[,CLASS:N]', isOptional: true, isRepeated: true }],
    options: ['consumer', 'project', 'user', 'consumerType', 'generation', 'ttl', 'step'],
    summary: 'give a consumer exactly this, instead of what it has',
    manual: `Gives *--consumer* exactly these amounts, instead of what it has: all of them or none.`,
  },
  {
    words: 'confirm',
    arguments: [{ metavar: 'CONSUMER', isRepeated: true }],
    summary: 'keep claims that would expire',
    manual: `Keeps claims that were made with *--ttl*: all that the consumers have is for good from then on. A claim that has expired is refused: its
room may be somebody else's.`,
  },
  {
    words: 'renew',
    arguments: [{ metavar: 'CONSUMER', isRepeated: true }],
    options: ['ttl'],
    summary: 'give claims that would expire more time',
    manual: `What would be given back of the consumers' claims is given back *--ttl* from now. What is for good stays so, and a claim that has expired is refused.`,
  },
  {
    words: 'move',
    arguments: [{ metavar: 'FROM' }, { metavar: 'TO' }],
    options: ['step'],
    summary: 'hand all that FROM has to TO, in one transaction',
    manual: `Hands everything that the consumer _FROM_ has to the consumer _TO_, which gets it in addition to what it has, in one transaction.
Each part goes along with its end.`,
  },
  {
    words: 'release',
    isEveryday: true,
    arguments: [{ metavar: 'CONSUMER', isRepeated: true }],
    options: ['generation'],
    summary: 'give everything back',
    manual: `Gives back everything that the consumers have, all in one transaction.`,
  },
  {
    words: 'expire',
    summary: 'give back what has expired',
    manual: `Gives back all claims whose time is over. Whatever looks at claims does the same before it begins, so that what has expired counts nowhere; only *confirm* and *renew* do not, which refuse it.`,
  },
  {
    words: 'plan',
    options: ['moves', 'step', 'ttl', 'dryRun'],
    summary: 'claim the moves of a plan, step by step',
    manual: `Claims the moves of a plan step by step: in one transaction each, an instance's new place is claimed and its old one given back. Ends at
the first move that is refused, or whose instance is not where the plan expects it; those before it stay claimed. *import --sync* leaves claimed
moves as they are until they are made, released, or given back (*--ttl*); once they have been made it finds nothing to do for their instances. An
instance whose move was given back is in the ledger where the cluster has it.`,
  },
  {
    words: 'show',
    isEveryday: true,
    arguments: [{ metavar: 'NAME', isOptional: true, isRepeated: true }],
    summary: 'show providers or consumers; without a name, all providers',
  },
  {
    words: 'usage',
    isEveryday: true,
    options: ['by', 'over', 'class', 'provider', 'project'],
    summary: 'show what is used, now or over time',
  },
  {
    words: 'history',
    isEveryday: true,
    options: ['consumer', 'provider', 'since', 'limit'],
    summary: 'show who changed what, when and why',
  },
  {
    words: 'watch',
    options: ['consumer', 'provider', 'after', 'interval', 'watchFor'],
    summary: 'print changes as they happen',
    manual: `Prints changes as they happen, one line each, its number first; with *--json* one document per line. While the database does not answer, *hclaim*
tries again, less and less often, and says so on standard error. On PostgreSQL changes that are made at the same moment are not printed in the order of their numbers: who goes
on with *--after* and must miss none begins some hundred numbers before, and leaves out what is known.`,
  },
  {
    words: 'audit',
    isEveryday: true,
    options: [...CLUSTER, ...PLACEMENT],
    summary: 'check the ledger against its own rules, or against a cluster',
    manual: `Holds the ledger against its own rules (sums, capacities, units, orphans, generations), and against the cluster or the Placement that is named. Exit status 1
when something is found.`,
  },
  {
    words: 'backup',
    arguments: [{ metavar: 'FILE' }],
    summary: 'copy a ledger, which may be in use, to a new file',
    manual: `Copies the ledger, which may be in use, to a new file that only its owner may read: one state of all of it, for *hclaim restore*. SQLite only,
like the next two; of a PostgreSQL database *pg_dump*(1) makes a backup.`,
  },
  {
    words: 'restore',
    arguments: [{ metavar: 'FILE' }],
    summary: 'put a backup in the place of the ledger',
    manual: `Puts a copy of a backup in the place of the ledger, once it is found to be a whole ledger of a version that is known. Refused while anybody has the ledger
open. What was before is kept beside it, under its name with the time; a damaged or missing ledger is replaced, too.`,
  },
  {
    words: 'compact',
    summary: "give what a ledger's file does not need back to the disk",
    manual: `Writes the ledger's file anew, without the room that it does not need, and says how many bytes it took and takes. Writers wait meanwhile.`,
  },
  {
    words: 'prune',
    options: ['before'],
    summary: 'remove old changes from the history',
    manual: `Removes changes that are older than *--before* from the history, but for the last word about what is still held, so that *hclaim audit* says as much as
before. That it was done, by whom and why, stays. A file keeps its size until *hclaim compact*.`,
  },
  {
    words: 'provider add',
    arguments: [{ metavar: 'NAME' }],
    options: ['uuid', 'parent', 'pool'],
    summary: 'make a provider',
  },
  {
    words: 'provider set',
    arguments: [PROVIDER],
    options: ['rename', 'parent'],
    summary: 'rename a provider, or move it in its tree',
    manual: `Renames a provider, or moves it with all that is below it.`,
  },
  {
    words: 'provider rm',
    arguments: [PROVIDER],
    summary: 'remove a provider that nobody uses and that has none below it',
  },
  { words: 'provider list', summary: 'list the providers as trees, with their generations' },
  {
    words: 'inventory set',
    arguments: [PROVIDER, { metavar: 'CLASS=TOTAL', isRepeated: true }],
    options: ['reserved', 'minUnit', 'maxUnit', 'stepSize', 'ratio'],
    summary: 'set what a provider has of a class',
    manual: `Sets what a provider has of each _CLASS_. What no option names stays as it is, or gets its default. A total below what is used is
accepted with a warning.`,
  },
  {
    words: 'inventory rm',
    arguments: [PROVIDER, { metavar: 'CLASS', isOptional: true, isRepeated: true }],
    summary: 'take classes away from a provider; without a name, all of them',
    manual: `Takes classes away from a provider; without a name, all of them. Refused while one is used.`,
  },
  {
    words: 'trait add',
    arguments: [PROVIDER, { metavar: 'TRAIT', isRepeated: true }],
    summary: 'give a provider traits',
    manual: `Gives a provider traits. Names that begin with CUSTOM_ are created as needed.`,
  },
  {
    words: 'trait rm',
    arguments: [PROVIDER, { metavar: 'TRAIT', isRepeated: true }],
    summary: 'take traits away from a provider',
  },
  {
    words: 'aggregate add',
    arguments: [PROVIDER, { metavar: 'AGGREGATE', isRepeated: true }],
    summary: 'make a provider a member of aggregates',
    manual: `Makes a provider a member of aggregates: UUIDs, or the names of node groups that were imported.`,
  },
  {
    words: 'aggregate rm',
    arguments: [PROVIDER, { metavar: 'AGGREGATE', isRepeated: true }],
    summary: 'take a provider out of aggregates',
  },
] as const satisfies readonly CommandDefinition[];

export type ClaimCommand = (typeof CLAIM_COMMANDS)[number]['words'];
