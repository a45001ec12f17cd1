/** hbind: tenants bound to pods. Each command is a file of its own, loaded when it is called. */
import { findCommand } from '../../../kit/cli/subcommands/command.ts';
import { EXIT } from '../../../kit/exit-status.ts';
import { fitTables } from '../../../kit/report/report-table.ts';
import { BINDING_COMMANDS, type BindingCommand } from '../../options/binding-commands.ts';
import { StoreConflict } from '../../store/store.ts';
import { tell } from '../shared/document/ending.ts';
import type { Command, Options } from './kit/context.ts';
import { refusalText } from './text/words.ts';

const COMMANDS: { readonly [C in BindingCommand]: () => Promise<Command<C>> } = {
  init: async () => (await import('./commands/care.ts')).init,
  'pod add': async () => (await import('./commands/pod.ts')).add,
  'pod set': async () => (await import('./commands/pod.ts')).set,
  'pod rm': async () => (await import('./commands/pod.ts')).remove,
  'pod list': async () => (await import('./commands/pod-show.ts')).list,
  'pod show': async () => (await import('./commands/pod-show.ts')).show,
  'pod maintenance': async () => (await import('./commands/pod.ts')).maintenance,
  policy: async () => (await import('./commands/care.ts')).policy,
  usage: async () => (await import('./commands/usage.ts')).usage,
  select: async () => (await import('./commands/bind.ts')).selectPod,
  bind: async () => (await import('./commands/bind.ts')).bindTenant,
  unbind: async () => (await import('./commands/bind.ts')).unbindTenant,
  expire: async () => (await import('./commands/bind.ts')).expireBindings,
  rebind: async () => (await import('./commands/bind.ts')).rebindTenants,
  history: async () => (await import('./commands/bind.ts')).history,
  forecast: async () => (await import('./commands/outlook.ts')).forecast,
  simulate: async () => (await import('./commands/outlook.ts')).simulate,
  empty: async () => (await import('./commands/empty.ts')).empty,
  audit: async () => (await import('./commands/care.ts')).audit,
};

/** The command line has been checked: there is such a command, and it has its words. */
export async function main(options: Options, positionals: readonly string[]): Promise<number> {
  await fitTables();
  const { command, words } = findCommand(BINDING_COMMANDS, positionals)!;
  const run = await COMMANDS[command.words as BindingCommand]();
  const ending = await run(options, words).catch((error) => {
    if (error instanceof StoreConflict) return { kind: 'conflict', conflict: error.message } as const;
    throw error;
  });
  // A command that did its work and found what it looks for is refused, too.
  const outcome = ending.kind === 'done' && ending.status ? 'refused' : ending.kind;
  const status = await tell({ program: 'hbind', command: command.words, outcome }, options, ending, {
    refusal: refusalText,
    conflict: (detail) => `Conflict: other writers came first in every try (${detail})`,
  });
  const isUnknown = ending.kind === 'refused' && ending.refusals.some(({ kind }) => kind === 'unknown-pod');
  return isUnknown ? EXIT.bad : status;
}
