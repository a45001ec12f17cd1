/** JSON documents on standard output: readable, one a run, unrounded. */

/** Raised when a member changes its meaning or goes; new members do not raise it. */
export const SCHEMA_VERSION = 2;

export const documentHead = <P extends string>(program: P) =>
  ({ schemaVersion: SCHEMA_VERSION, program }) as const;

const INDENT = 2;

/** A document as text. Numbers that JSON cannot say become null. @typeParam D as its schema wants it */
export const jsonText = <D extends object>(document: D): string =>
  `${JSON.stringify(document, undefined, INDENT)}\n`;
