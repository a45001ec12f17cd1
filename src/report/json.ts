/** JSON documents on standard output: readable, one a run, unrounded. */

/** Raised when a member changes its meaning or goes; new members do not raise it. */
export const SCHEMA_VERSION = 1;

const INDENT = 2;

/** A document as text. Numbers that JSON cannot say (a score that is not a number) become null. */
export const jsonText = (document: object): string => `${JSON.stringify(document, undefined, INDENT)}\n`;
