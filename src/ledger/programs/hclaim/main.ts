/** hclaim: the ledger of who was promised what. Each command is a file, loaded when it is called. */
import { findCommand } from '../../../kit/cli/subcommands/command.ts';
import { EXIT } from '../../../kit/exit-status.ts';
import { fitTables } from '../../../kit/report/report-table.ts';
import { CLAIM_COMMANDS, type ClaimCommand } from '../../options/claim-commands.ts';
import { tell } from '../shared/document/ending.ts';
import type { Command, Options } from './kit/context.ts';
import { conflictText, refusalText } from './text/words.ts';

const COMMANDS: { readonly [C in ClaimCommand]: () => Promise<Command<C>> } = {
  init: async () => (await import('./commands/care.ts')).init,
  import: async () => (await import('./commands/cluster.ts')).importSnapshot,
  export: async () => (await import('./commands/placement.ts')).exportLedger,
  claim: async () => (await import('./commands/claim.ts')).claimAmounts,
  confirm: async () => (await import('./commands/claim.ts')).confirm,
  renew: async () => (await import('./commands/claim.ts')).renew,
  move: async () => (await import('./commands/claim.ts')).move,
  release: async () => (await import('./commands/claim.ts')).release,
  expire: async () => (await import('./commands/claim.ts')).expire,
  plan: async () => (await import('./commands/plan.ts')).plan,
  show: async () => (await import('./commands/show.ts')).show,
  usage: async () => (await import('./commands/usage.ts')).showUsage,
  history: async () => (await import('./commands/history.ts')).history,
  watch: async () => (await import('./commands/history.ts')).watch,
  audit: async () => (await import('./commands/cluster.ts')).auditLedger,
  backup: async () => (await import('./commands/care.ts')).backup,
  restore: async () => (await import('./commands/care.ts')).restore,
  compact: async () => (await import('./commands/care.ts')).compact,
  prune: async () => (await import('./commands/care.ts')).prune,
  'provider add': async () => (await import('./commands/provider.ts')).add,
  'provider set': async () => (await import('./commands/provider.ts')).set,
  'provider rm': async () => (await import('./commands/provider.ts')).remove,
  'provider list': async () => (await import('./commands/provider.ts')).list,
  'inventory set': async () => (await import('./commands/inventory.ts')).set,
  'inventory rm': async () => (await import('./commands/inventory.ts')).remove,
  'trait add': async () => (await import('./commands/labels.ts')).addTraits,
  'trait rm': async () => (await import('./commands/labels.ts')).removeTraits,
  'aggregate add': async () => (await import('./commands/labels.ts')).addAggregates,
  'aggregate rm': async () => (await import('./commands/labels.ts')).removeAggregates,
};

/** The command line has been checked: there is such a command, and it has its words. */
export async function main(options: Options, positionals: readonly string[]): Promise<number> {
  await fitTables();
  const { command, words } = findCommand(CLAIM_COMMANDS, positionals)!;
  const run = await COMMANDS[command.words as ClaimCommand]();
  const ending = await run(options, words);
  if (ending === undefined) return EXIT.done;
  const head = { program: 'hclaim', command: command.words, outcome: ending.kind } as const;
  return tell(head, options, ending, { refusal: refusalText, conflict: conflictText });
}
