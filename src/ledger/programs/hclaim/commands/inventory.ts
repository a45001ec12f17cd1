/** `hclaim inventory set` and `rm`. */

import { InputError } from '../../../../kit/faults.ts';
import { printErr } from '../../../../kit/report/output.ts';
import { warning } from '../../../../kit/report/tone.ts';
import { removeInventories, setInventories } from '../../../claims/changes/inventory-changes.ts';
import { addName } from '../../../claims/changes/name-changes.ts';
import { change } from '../../../claims/claim/ledger.ts';
import { canonicalRatio } from '../../../claims/model/decimal.ts';
import { INVENTORY_DEFAULTS, type Inventory, inventoryProblems } from '../../../claims/model/inventory.ts';
import { isCustomName } from '../../../claims/model/names.ts';
import { inventoriesOf } from '../../../claims/tables/inventories.ts';
import {
  authorOf,
  badArgument,
  type Command,
  type Options,
  requireProvider,
  say,
  withLedger,
} from '../kit/context.ts';
import { readAmount } from '../kit/read-words.ts';

/** What the options state; the rest stays as it was. */
function stated({ reserved, minUnit, maxUnit, stepSize, ratio }: Options): Partial<Inventory> {
  const allocationRatio = ratio === undefined ? undefined : canonicalRatio(ratio);
  if (ratio !== undefined && allocationRatio === undefined)
    throw badArgument(`--ratio: '${ratio}' is not a ratio`, 'give a decimal number above 0, such as 1.5');
  const fields = { reserved, minUnit, maxUnit, stepSize, allocationRatio };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

export const set: Command = (options, [nameOrUuid = '', ...words]) => {
  const totals = words.map((word) => readAmount(word, '='));
  const changes = stated(options);
  return withLedger(options, async (ledger) => {
    const { uuid, name } = await ledger.store.read((session) => requireProvider(session, nameOrUuid));
    let empty: readonly string[] = [];
    const outcome = await change(ledger, authorOf(options), async (session, context) => {
      const { id } = await requireProvider(session, uuid);
      const present = new Map((await inventoriesOf(session, [id])).map((one) => [one.class, one]));
      const wanted = new Map<string, Inventory>();
      for (const { class: className, amount: total } of totals)
        wanted.set(className, { ...INVENTORY_DEFAULTS, ...present.get(className), total, ...changes });
      refuseProblems(name, wanted);
      empty = [...wanted].flatMap(([one, { minUnit, maxUnit }]) => (minUnit > maxUnit ? [one] : []));
      for (const className of wanted.keys())
        if (isCustomName(className)) await addName(session, context, 'resource_classes', className);
      return setInventories(session, context, { provider: uuid }, wanted, 'kept');
    });
    if (outcome.kind !== 'done') return say('inventory set', options, outcome);
    const { generation, overCapacity } = outcome.value;
    for (const { class: className, used, capacity } of overCapacity)
      printErr(warning(`${name} is over capacity: ${used} of ${capacity} ${className} used`));
    if (empty.length > 0)
      printErr(
        warning(
          `nobody can claim ${empty.join(', ')} of ${name}: the smallest unit is above the largest\nMaybe change --min-unit or --max-unit`,
        ),
      );
    const text = `Set ${totals.map((one) => one.class).join(', ')} of ${name} (generation ${generation}).\n`;
    return say('inventory set', options, {
      kind: 'done',
      text,
      facts: { provider: uuid, generation, overCapacity },
    });
  });
};

function refuseProblems(provider: string, wanted: ReadonlyMap<string, Inventory>): void {
  const problems = [...wanted].flatMap(([className, inventory]) =>
    inventoryProblems(inventory).map(({ field, value, problem }) => ({
      field: `${className} ${field}`,
      value: String(value),
      problem,
    })),
  );
  if (problems.length > 0) throw new InputError(`inventory of ${provider}`, problems);
}

export const remove: Command = (options, [nameOrUuid = '', ...classes]) =>
  withLedger(options, async (ledger) => {
    const { uuid, name } = await ledger.store.read((session) => requireProvider(session, nameOrUuid));
    const outcome = await change(ledger, authorOf(options), (session, context) =>
      removeInventories(session, context, { provider: uuid }, classes.length === 0 ? undefined : classes),
    );
    if (outcome.kind !== 'done') return say('inventory rm', options, outcome);
    const { generation } = outcome.value;
    const text = `Removed ${classes.join(', ') || 'all classes'} of ${name} (generation ${generation}).\n`;
    return say('inventory rm', options, { kind: 'done', text, facts: { provider: uuid, generation } });
  });
