/** Bytes of bytecode that a function runs before it is optimised, less than a millisecond's. V8's: 67,584. */
const BUDGET = 400_000;

/** Of WebAssembly. V8's 1,800,000 took half of a layout of `hdisk` on 4 disks, and a third on 24. */
const WASM_BUDGET = 30_000_000;

/** The V8 of Node 22 has budgets of its own, and complains of flags that it does not know. */
const FIRST_WITHOUT = 12;

/**
 * Has V8 optimise functions later, in the whole process: not for libraries. V8's choice is for pages that
 * stay open; in a short run it costs more than it saves, of `hinfo` on 320 nodes a third.
 */
export function optimiseLater(): void {
  if (Number.parseInt(process.versions.v8, 10) >= FIRST_WITHOUT) return;
  setFlags(`--interrupt-budget=${BUDGET} --wasm-tiering-budget=${WASM_BUDGET}`);
}

/** Node's way for modules to its own parts. */
type Binding = (name: 'v8') => { readonly setFlagsFromString: (flags: string) => void };

/**
 * `node:v8` brings Node's streams, 2 ms to load. What it hands flags to is open to modules, with a remark
 * that this will end; Node 20, which alone is asked, still has it.
 */
function setFlags(flags: string): void {
  const { noDeprecation = false } = process;
  process.noDeprecation = true;
  try {
    (process as unknown as { readonly binding: Binding }).binding('v8').setFlagsFromString(flags);
  } catch {
    process.getBuiltinModule('node:v8').setFlagsFromString(flags);
  } finally {
    process.noDeprecation = noDeprecation;
  }
}
