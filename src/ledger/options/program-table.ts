/** The programs for ledgers: purpose, options in the order of `--help-completion`, arguments. */
import { FORM, READ, WHAT_IF } from '../../htools/options/program-table.ts';
import { anyNumber, COMMAND, type KeysOf, type ProgramDefinition } from '../../kit/cli/options/program.ts';
import type { OptionValues, SomeOf, ValuesOfProgram } from '../../kit/cli/options/values.ts';
import { words } from '../../kit/cli/options/words.ts';
import { ownedBy } from '../../kit/cli/subcommands/command.ts';
import { BINDING_COMMANDS } from './binding-commands.ts';
import { CLAIM_COMMANDS } from './claim-commands.ts';
import type { LEDGER_OPTIONS } from './option-table.ts';

export const LEDGER_PROGRAMS = {
  hbind: {
    summary: 'binds tenants to pods, and rebinds them when a pod is exhausted',
    examples: [
      ['hbind init --db=pods.db', 'make the tables'],
      ['hbind pod add P1 --db=pods.db', 'a pod'],
      ['hbind select --tenant=acme --db=pods.db', 'which pod its request goes to'],
    ],
    endings: {
      done: 'done; for *audit*: the bindings are clean',
      no: 'no pod takes the tenant; for *rebind* and *pod maintenance*: somebody finds no other pod (the rest is done); something is refused; for *audit*: something is wrong',
      input:
        'bad arguments or input; the database is not there, cannot be written, is damaged, or has another version',
      changed: 'a conflict: other writers came first in every try',
    },
    stock: words('textFile iallocatorFile simulate rapiAddress luxiSocket quiet verbose'),
    ours: [...words(`db actor ${FORM} color`), ...ownedBy(BINDING_COMMANDS)],
    positionals: COMMAND,
    commands: BINDING_COMMANDS,
    faultStatus: 2,
  },
  hclaim: {
    summary: 'keeps the ledger of who was promised what',
    examples: [
      ['hclaim init --db=ledger.db', 'make a ledger'],
      ['hclaim import -L --db=ledger.db', 'enter the cluster of this master node'],
      ['hclaim show --db=ledger.db', 'what there is, what is used'],
    ],
    endings: {
      done: 'done; for *audit* and *--verify*: nothing is wrong',
      no: 'refused: no room, a unit or a step that does not fit, something in use; for *audit* and *--verify*: something is wrong',
      input:
        'bad arguments or input; no such provider; the ledger is missing, damaged, cannot be written, or has another version',
      changed:
        'a conflict: another change came first in every attempt, or a stated generation is not the current one',
    },
    stock: words('textFile rapiAddress luxiSocket iallocatorFile simulate quiet verbose'),
    ours: [...words(`db actor reason ${FORM} color`), ...ownedBy(CLAIM_COMMANDS)],
    positionals: COMMAND,
    commands: CLAIM_COMMANDS,
    faultStatus: 2,
  },
  hcand: {
    summary: 'finds which sets of providers satisfy a structured request',
    examples: [
      ['hcand -L resources=VCPU:2', 'who could provide this'],
      ['hcand --db=l.db resources=VCPU:2', 'the same of a ledger'],
      ['hcand -L --explain resources=VCPU:999', 'what would bring a candidate'],
    ],
    endings: {
      done: 'there is a candidate, and if one was to be claimed, it was',
      no: 'there is none, or none could still be claimed',
      input: 'a bad query, or a source that cannot be read',
      changed: 'the consumer exists already, or the ledger was too busy',
    },
    stock: words('textFile iallocatorFile rapiAddress luxiSocket simulate'),
    ours: words(`
      ${READ} db query step diskUnit distinct order explainNone claimFor project user consumerType ${WHAT_IF}
      ${FORM}`),
    positionals: anyNumber('PARAMETER=VALUE...'),
    faultStatus: 2,
  },
  hplaced: {
    summary: 'serves the ledger and its candidates over HTTP to clients of Placement',
    examples: [
      ['hplaced --db=ledger.db', 'serve this ledger on 127.0.0.1:8778'],
      ["hplaced --new-token='admin nova'", 'a token, and its line for the file'],
      ['hplaced --db=l.db --tokens=FILE', 'only for those with a token'],
    ],
    endings: {
      done: 'ended by a signal',
      input: 'a file that cannot be read, a ledger that cannot be used, or an address that is not available',
    },
    stock: [],
    ours: words(
      'db listen tokens newToken keystone keystoneCredentials keystoneRoles closed cors tlsCert tlsKey maxVersion maxBody timeout rate trustedProxy maxConnections maxAnswer maxCandidates threads workTime log',
    ),
    faultStatus: 2,
  },
} as const satisfies Record<string, ProgramDefinition<keyof typeof LEDGER_OPTIONS>>;

type Values = OptionValues<typeof LEDGER_OPTIONS>;

export type ProgramOptions<P extends keyof typeof LEDGER_PROGRAMS> = ValuesOfProgram<
  Values,
  KeysOf<(typeof LEDGER_PROGRAMS)[P]>
>;

/** Options that a part of several programs asks for; those that a program does not take are not there. */
export type SomeOptions<Key extends keyof Values> = SomeOf<Values, Key>;
