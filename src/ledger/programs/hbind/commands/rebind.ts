/** `hbind rebind`. */
import { EXIT } from '../../../../kit/exit-status.ts';
import { rebind } from '../../../binding/book/rebind.ts';
import { reported } from '../../shared/document/ending.ts';
import { actorOf, type Command, withBook } from '../kit/context.ts';
import { reboundWords } from '../text/words.ts';

export const rebindTenants: Command<'rebind'> = (options, tenants) =>
  withBook(options, async (book) => {
    const wish = {
      tenants: tenants.length > 0 ? tenants : undefined,
      pod: options.pod,
      isDry: options.dryRun,
    };
    return reported(await rebind(book, actorOf(options), wish), (rebound) => {
      const staying = rebound.filter(({ to }) => to === null).length;
      const moved = rebound.length - staying;
      const lines = rebound.map((one) => `${reboundWords(one)}\n`).join('');
      const sum = `${moved} ${options.dryRun ? 'would be ' : ''}rebound, ${staying} without another pod.\n`;
      return {
        text: rebound.length === 0 ? 'Nobody has to be rebound.\n' : lines + sum,
        facts: { rebound, isDryRun: options.dryRun },
        status: staying > 0 ? EXIT.no : 0,
      };
    });
  });
