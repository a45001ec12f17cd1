/** `hbind select`. */
import { EXIT } from '../../../../kit/exit-status.ts';
import { select } from '../../../binding/book/select.ts';
import { badArgument, readDuration } from '../../shared/access/read.ts';
import { selectedJson } from '../../shared/binding/json.ts';
import { actorOf, type Command, withBook } from '../kit/context.ts';
import { readAsk, readName, readPolicy } from '../kit/read-words.ts';
import { explanationText, noneText, selectedText, weightsTable } from '../text/choice-text.ts';

export const selectPod: Command<'select'> = (options) => {
  if (options.tenant === undefined)
    throw badArgument('hbind select: --tenant is missing', 'say who asks: --tenant NAME');
  const tenant = readName('--tenant', options.tenant);
  const request = { tenant, ...readAsk(options) };
  const policy = readPolicy(options);
  const lastsMs = options.bindFor === undefined ? undefined : readDuration('for', options.bindFor);
  return withBook(options, async (book) => {
    const selected = await select(book, request, {
      actor: actorOf(options),
      policy,
      lastsMs,
      isDry: options.dryRun,
      explains: options.explainChoice,
    });
    const wantsWeights = options.verbosity > 1 && !options.explainChoice;
    const weights = wantsWeights && selected.kind === 'bound' ? weightsTable(selected.candidates) : '';
    const words = selected.words ? explanationText(selected.words) : '';
    return {
      kind: 'done',
      text: selectedText(selected, options.dryRun) + weights + words,
      facts: selectedJson(selected),
      ...(selected.kind === 'none' ? { notes: noneText(tenant, selected), status: EXIT.no } : {}),
    };
  });
};
