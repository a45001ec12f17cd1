/** A program that somebody might write with the library, and what it prints. It is given the folder of the examples. */
export const CONSUMER = `
import { checkPlan, InputError, loadSnapshot, planBalance, type Plan } from 'evenkeel';

const folder = process.argv[2] ?? '.';
const { snapshot } = await loadSnapshot({ textFile: folder + '/small.data' });
const plan: Plan = planBalance(snapshot, 0, { maxSteps: 2 });
for (const step of plan.steps) console.log('balance', snapshot.instances[step.instance]?.alias, step.score.toFixed(2));
console.log('faults', checkPlan(plan).length);
try {
  await loadSnapshot({ textFile: folder + '/small-allocate.json' });
} catch (error) {
  console.log('refused', error instanceof InputError);
}
`;

export const CONSUMER_PRINTS = `balance web2 6.92
balance db1 4.08
faults 0
refused true
`;
