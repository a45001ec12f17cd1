/** `hclaim inventory set` and `rm`. */

import { allSaid } from '../../../../kit/cli/all-said.ts';
import { InputError } from '../../../../kit/faults.ts';
import { printErr } from '../../../../kit/report/output.ts';
import { warning } from '../../../../kit/report/tone.ts';
import {
  type InventoriesSet,
  removeInventories,
  setInventories,
} from '../../../claims/changes/inventory-changes.ts';
import { addName } from '../../../claims/changes/name-changes.ts';
import {
  canonicalRatio,
  INVENTORY_DEFAULTS,
  type Inventory,
  inventoryProblems,
} from '../../../claims/model/inventory.ts';
import { isCustomName } from '../../../claims/model/names.ts';
import { inventoriesOf } from '../../../claims/tables/inventories.ts';
import { badArgument, refuseTwice } from '../../shared/access/ledger-url.ts';
import { authorOf, type Command, type Edit, editNamed, type Options } from '../kit/context.ts';
import { readAmounts } from '../kit/read-words.ts';

/** What the options state; the rest stays as it was. */
function stated({ reserved, minUnit, maxUnit, stepSize, ratio }: Options): Partial<Inventory> {
  const allocationRatio = ratio === undefined ? undefined : canonicalRatio(ratio);
  if (ratio !== undefined && allocationRatio === undefined)
    throw badArgument(`--ratio: '${ratio}' is not a ratio`, 'give a decimal number above 0, such as 1.5');
  const fields = { reserved, minUnit, maxUnit, stepSize, allocationRatio };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

export const set: Command<'inventory set'> = (options, [nameOrUuid = '', ...words]) => {
  const [totals, changes] = allSaid(
    () => readAmounts(words, '='),
    () => stated(options),
    () => authorOf(options),
    () => {
      const classes = words.map((word) => word.split('=')[0]!);
      refuseTwice(classes, 'say each class of a provider once');
    },
  );
  const classes = totals.map((one) => one.class);
  let empty: readonly string[] = [];
  const edit: Edit<InventoriesSet> = async (session, context, { id, uuid, name }) => {
    const present = new Map((await inventoriesOf(session, id)).map((one) => [one.class, one]));
    const wanted = new Map<string, Inventory>();
    for (const { class: className, amount: total } of totals)
      wanted.set(className, { ...INVENTORY_DEFAULTS, ...present.get(className), total, ...changes });
    refuseProblems(name, wanted);
    empty = [...wanted].flatMap(([one, { minUnit, maxUnit }]) => (minUnit > maxUnit ? [one] : []));
    for (const className of wanted.keys())
      if (isCustomName(className)) await addName(session, context, 'resource_classes', className);
    return setInventories(session, context, { provider: uuid }, wanted, 'kept');
  };
  return editNamed(options, nameOrUuid, edit, (name, { overCapacity }) => {
    const done = `Set ${classes.join(', ')} of ${name}`;
    if (options.verbosity < 1) return done;
    for (const { class: className, used, capacity } of overCapacity)
      printErr(warning(`${name} is over capacity: ${used} of ${capacity} ${className} used`));
    if (empty.length > 0)
      printErr(
        warning(
          `nobody can claim ${empty.join(', ')} of ${name}: the smallest unit is above the largest\nMaybe change --min-unit or --max-unit`,
        ),
      );
    return done;
  });
};

function refuseProblems(provider: string, wanted: ReadonlyMap<string, Inventory>): void {
  const problems = [...wanted].flatMap(([className, inventory]) =>
    inventoryProblems(inventory).map(({ field, value, problem }) => ({
      field: `${className} ${field}`,
      value: String(value),
      problem,
      // The ranges of single figures are those of their options.
      remedy: 'reserve less, or give a larger total',
    })),
  );
  if (problems.length > 0) throw new InputError(`inventory of ${provider}`, problems);
}

export const remove: Command<'inventory rm'> = (options, [nameOrUuid = '', ...classes]) =>
  editNamed(
    options,
    nameOrUuid,
    (session, context, { uuid }) =>
      removeInventories(session, context, { provider: uuid }, classes.length === 0 ? undefined : classes),
    (name) => `Removed ${classes.join(', ') || 'all classes'} of ${name}`,
  );
