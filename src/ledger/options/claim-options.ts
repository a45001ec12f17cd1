/** What the ledger of claims is told. */
import { FILE, float, integer, optionTable } from '../../kit/cli/options/option-table.ts';
import { MAX_COUNT } from '../../kit/ranges.ts';

export const CLAIM_OPTIONS = optionTable('ledger', {
  db: {
    metavar: 'URL',
    completion: 'file',
    group: 'input',
    isEveryday: true,
    help: 'the ledger: a file, or postgres://HOST/DATABASE',
    manual: `The ledger: a file (SQLite), or *postgres://*_USER_*@*_HOST_*/*_DATABASE_ (several hosts can share it; passwords are better kept in
_~/.pgpass_; with *?sslmode=require* the certificate of the server is verified, too). Without it, the environment variable *EVENKEEL_DB* says where it is.`,
  },
  actor: {
    metavar: 'NAME',
    help: 'who makes the change, for the history',
    manual: `Who makes the change, for the history. Without it: user and host.`,
  },
  reason: {
    metavar: 'TEXT',
    help: 'why the change is made, for the history',
    manual: `Why the change is made, for the history.`,
  },
  step: {
    metavar: 'MODE',
    default: 'exempt',
    choices: ['exempt', 'strict'],
    help: 'of step sizes: exempt the smallest unit, or strict',
    manual: `How amounts must match the step size of an inventory: *exempt* exempts the smallest unit, *strict* requires every amount to be a
multiple of the step size, as Placement does.`,
  },
  consumer: {
    metavar: 'NAME',
    isEveryday: true,
    help: 'who claims: 1 to 255 characters',
    manual: `Who claims, or whose history is shown: a text of 1 to 255 characters, such as the name or UUID of an instance.`,
  },
  project: {
    metavar: 'NAME',
    isEveryday: true,
    help: 'the project that the consumer belongs to',
    manual: `The project that the consumer belongs to. Without this option it stays as it was.`,
  },
  user: {
    metavar: 'NAME',
    help: 'the user that the consumer belongs to',
    manual: `The user that the consumer belongs to. Without this option it stays as it was.`,
  },
  consumerType: {
    name: 'type',
    metavar: 'NAME',
    help: 'kind of the consumer, such as INSTANCE',
    manual: `The kind of the consumer, such as *INSTANCE*. Without this option it stays as it was.`,
  },
  generation: {
    metavar: 'G',
    help: 'the generation that was seen; none: must not exist yet',
    manual: `The generation of the consumer that the caller has seen, or *none* when the consumer must not exist yet. If it has changed
since, the claim is a conflict (exit status 4).`,
  },
  ttl: {
    metavar: 'TIME',
    isEveryday: true,
    help: 'give back unless confirmed within TIME (10m)',
    manual: `What a claim takes is given back unless somebody confirms (*hclaim confirm*) or renews it (*hclaim renew*) within _TIME_; what the consumer
had for good stays so. A claim without *--ttl* is for good, all of it. _TIME_ is a number with a unit: *90s*, *10m*, *2h*, *1d*.`,
  },
  by: {
    metavar: 'WHAT',
    default: 'class',
    choices: ['class', 'provider', 'project', 'group'],
    help: 'sum up by class, provider, project or group',
    manual: `What the use is grouped by: *class*, *provider*, *project* or *group* (aggregates: node groups, and
the nodes that share a pool).`,
  },
  over: {
    metavar: 'TIME',
    help: 'draw the use over the last TIME (1h, 7d)',
    manual: `Draws the use over the last _TIME_ (such as *1h* or *7d*), from the history, one chart per class.`,
  },
  class: { metavar: 'CLASS', help: 'only this class of resources', manual: `Only this class of resources.` },
  provider: {
    metavar: 'PROVIDER',
    help: 'only this provider',
    manual: `Only this provider: its name or UUID.`,
  },
  since: {
    metavar: 'TIME',
    help: 'only what is newer than TIME (10m, 2h, 7d)',
    manual: `Only changes of the last _TIME_, such as *10m*, *2h* or *7d*.`,
  },
  after: {
    ...integer('N', { atLeast: 0, atMost: Number.MAX_SAFE_INTEGER, remedy: 'give the number of a change' }),
    help: 'go on behind change number N',
    manual: `Begins with what was changed behind change number _N_, the number of the last line that was printed; without this option, with what changes from now on.`,
  },
  before: {
    metavar: 'TIME',
    help: 'only what is older than TIME (90d)',
    manual: `Only changes that are older than _TIME_, such as *90d*.`,
  },
  limit: {
    ...integer('N', { atLeast: 1, atMost: MAX_COUNT }),
    default: 50,
    help: 'the last N changes',
    manual: `At most the last _N_ changes.`,
  },
  interval: {
    ...float('SECONDS', { atLeast: 0.05, atMost: 86_400 }),
    default: 1,
    help: 'seconds between two readings of the ledger',
    manual: `Seconds between two readings of the ledger.`,
  },
  watchFor: {
    name: 'for',
    metavar: 'TIME',
    help: 'end after TIME (30s, 10m); otherwise continue',
    manual: `Ends after _TIME_, such as *30s* or *10m*. Without this option, *hclaim* continues until it is interrupted.`,
  },
  replace: {
    help: 'empty the ledger first',
    manual: `Empties the ledger first: all providers, consumers and claims are removed, the history stays.`,
  },
  sync: {
    help: 'print the differences, then bring the ledger in line with the cluster',
    manual: `Prints the differences between the ledger and the cluster, then brings the ledger in line with the cluster. Claims of what is not built
yet, what an instance was claimed beyond what it has (with *--ttl*), claimed moves (*hclaim plan*) that are not made yet, and providers that came from elsewhere stay. So does a node, or a class of one, that the cluster no longer has, while something is promised there; nothing more can be claimed of it.`,
  },
  dryRun: { help: 'only print what would change', manual: `Only prints what would change.` },
  placement: {
    metavar: 'URL',
    group: 'input',
    help: 'a Placement of OpenStack: http(s)://..., or the URL of its database (mysql://..., postgres://...)',
    manual: `OpenStack Placement: its address (*http://* or *https://*, any version from 1.36), or the URL of its database as _placement.conf_ has it
(*mysql://*_USER_*:*_PASSWORD_*@*_HOST_*/*_DATABASE_ for MariaDB and MySQL, with *?ssl_ca=*_FILE_ or *?unix_socket=*_PATH_; *postgres://...*; or a file of SQLite). A password is better kept in the
environment variable *MYSQL_PWD* or in _~/.pgpass_. A database is read as one state, in which nobody is disturbed. Over HTTP the answers of a run that breaks are kept in
*/var/lib/evenkeel* (root) or *~/.local/state/evenkeel*, and the same command goes on from them; nothing is taken where something changed meanwhile.`,
  },
  placementCredentials: {
    ...FILE,
    help: 'what to log in to Placement with: lines OS_AUTH_URL=, OS_USERNAME=..., or OS_TOKEN=',
    manual: `What to log in to Placement with over HTTP: lines *OS_AUTH_URL=*, *OS_USERNAME=*, *OS_PASSWORD=*, *OS_PROJECT_NAME=* and, unless they are *Default*,
*OS_USER_DOMAIN_NAME=* and *OS_PROJECT_DOMAIN_NAME=*, as openrc files have them; or *OS_TOKEN=*. Only its owner may be able to read the file. Without it the token is *admin*, for a
service that asks for none.`,
  },
  verify: {
    help: 'afterwards read Placement once more and print every difference',
    manual: `Afterwards reads Placement once more and compares it with the ledger, generations included. Every difference is printed; if there is one, the exit status is 1.`,
  },
  diskUnit: {
    metavar: 'UNIT',
    default: 'gib',
    choices: ['gib', 'mib'],
    help: 'unit of disk: gib (class DISK_GB) or mib (class CUSTOM_DISK_MB)',
    manual: `Unit of disk: *gib* gives the class DISK_GB, capacities and sizes rounded down to GiB, and what that cuts off the instances reserved; *mib* gives CUSTOM_DISK_MB, exact.`,
  },
  tenantTag: {
    metavar: 'PREFIX',
    default: 'htools:tenant:',
    help: 'prefix of the tags that name the project of an instance',
    manual: `Prefix of the tags that name an instance's project.`,
  },
  uuid: {
    metavar: 'UUID',
    help: 'identity of the new provider (default: a new UUID)',
    manual: `UUID of the new provider. Without this option, one is generated.`,
  },
  parent: {
    metavar: 'PROVIDER',
    help: 'the parent provider; none: it is a root',
    manual: `The parent provider, by name or UUID; *none* makes the provider a root.`,
  },
  rename: {
    name: 'name',
    metavar: 'NAME',
    help: 'the new name',
    manual: `The new name of the provider, at most 200 characters.`,
  },
  pool: {
    help: 'a pool that providers share: no instance runs on it',
    manual: `The provider is a pool that others share: no instance runs on it. It gets the trait MISC_SHARES_VIA_AGGREGATE.`,
  },
  reserved: {
    ...integer('N', { atLeast: 0, atMost: MAX_COUNT }),
    help: 'what is never handed out',
    manual: `What is set aside and never handed out.`,
  },
  minUnit: {
    ...integer('N', { atLeast: 1, atMost: MAX_COUNT }),
    help: 'the least that a consumer may claim',
    manual: `The least that one consumer may claim.`,
  },
  maxUnit: {
    ...integer('N', { atLeast: 1, atMost: MAX_COUNT }),
    help: 'the most that a consumer may claim',
    manual: `The most that one consumer may claim, whatever the overcommit.`,
  },
  stepSize: {
    ...integer('N', { atLeast: 1, atMost: MAX_COUNT }),
    help: 'amounts are multiples of N',
    manual: `Amounts are multiples of _N_; see *--step*.`,
  },
  ratio: {
    metavar: 'RATIO',
    help: 'overcommit: capacity is (total - reserved) x RATIO',
    manual: `Overcommit, a decimal number above 0: the capacity is (total - reserved) x _RATIO_, computed exactly and rounded down.`,
  },
  moves: {
    short: 'f',
    metavar: 'MOVES',
    completion: 'file',
    help: 'the moves: the output of a program with --json, or of hbal as text',
    manual: `The moves to claim: the output of *hbal*(1), *hcompress*(1), *hredist*(1) or *hspread*(1) with *--json*, or of *hbal*(1) as text. *-* is
standard input.`,
  },
});
