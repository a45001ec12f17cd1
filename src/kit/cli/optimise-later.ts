/** Bytes of bytecode that a function runs before it is optimised, less than a millisecond's. V8's: 67,584. */
const BUDGET = 400_000;

/**
 * Has V8 optimise functions later, in the whole process: not for libraries. V8's own choice is made for pages
 * that stay open; in a program that runs for a moment most of what is optimised so soon costs more than it
 * saves: of `hinfo` on 320 nodes a third.
 */
export const optimiseLater = (): void =>
  // Not imported: Node's streams come with it and take 1.5 ms.
  process.getBuiltinModule('node:v8').setFlagsFromString(`--interrupt-budget=${BUDGET}`);
