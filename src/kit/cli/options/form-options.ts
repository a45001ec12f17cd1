/** In which form a result is printed, and how much is said. */
import { optionTable, WRITTEN_FILE } from './option-table.ts';

export const FORM_OPTIONS = optionTable('output', {
  json: {
    isEveryday: true,
    help: 'print one JSON document instead of the text',
    manual: `Prints one JSON document on standard output instead of the text. It has everything that the text says, with unrounded numbers, and
a *schemaVersion* that changes when a member is removed or changes its meaning. The package has a JSON schema of every document in *schemas*.`,
  },
  format: {
    metavar: 'FORM',
    default: 'text',
    choices: ['text', 'json', 'keyvalue', 'prometheus'],
    help: 'print text, or for machines: json, keyvalue or prometheus',
    manual: `Prints the result as _FORM_: *text* for people; *json*, of which *--json* is the short form; *keyvalue*, lines *KEY=value* that a shell can
source; or *prometheus*, figures with HELP and TYPE in the exposition format, for a folder that node_exporter's textfile collector reads (with
*--output-file*). Prometheus figures are in bytes, seconds and shares.`,
  },
  outputFile: {
    short: 'o',
    ...WRITTEN_FILE,
    help: 'write to FILE instead of standard output',
    manual: `Writes what would go to standard output to _FILE_: beside it first, then renamed, so that nobody reads half of it. When the program fails,
_FILE_ stays as it was, and what there was to say goes to standard output.`,
  },
  exitStatus: {
    metavar: 'KIND',
    default: 'stock',
    choices: ['stock', 'strict'],
    help: 'strict: bad input and interruption have a status of their own',
    manual: `With *strict*, bad input and servers that do not answer end the program with status 2 in place of 1, a signal during an execution with 5 in place of
2, and *hscan* with 3 in place of 2 where some clusters failed: every status then means one thing.`,
  },
  color: {
    metavar: 'WHEN',
    default: 'auto',
    choices: ['auto', 'always', 'never'],
    help: 'colour the text: auto (on terminals), always or never',
    manual: `Colours the text *always*, *never*, or with *auto* when it goes to a terminal and *NO_COLOR* is not set.`,
  },
  noHeaders: { help: 'leave out the heading', manual: `Leaves out the heading of the list.` },
  verbose: {
    short: 'v',
    kind: 'count',
    help: 'say more (may be repeated)',
    manual: `Says more. Each use raises the verbosity by one; it starts at 1.`,
  },
  quiet: {
    short: 'q',
    kind: 'count',
    help: 'say less (may be repeated)',
    manual: `Tells the result alone: no warnings and remarks, nothing on what to do next, and, but for what the stock programs print, nothing at all where
there is nothing to report. Errors, and what is left undone, are told all the same. Each use lowers the verbosity by one; it starts at 1.`,
  },
});
