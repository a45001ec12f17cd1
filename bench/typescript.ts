/**
 * The TypeScript compiler, required: what imports it has its nine megabytes searched for the names that it
 * exports, and loading it takes twice the time.
 */
import { createRequire } from 'node:module';
import type TypeScript from 'typescript';

export const ts: typeof TypeScript = createRequire(import.meta.url)('typescript');
