import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { OPTIONS, PROGRAM_NAMES, PROGRAMS } from '../../src/suite/programs.ts';
import { ROOT } from './run-built.ts';

/** One word for one thing: how it is said, and how it is not. Verbs are free: a plan costs its price. */
const WORDS: readonly (readonly [said: string, not: RegExp])[] = [
  [
    'price',
    /\b(?:the|its|a|an|at|of|this|that|what|total|lower|lowest) costs?\b(?! (?:a|when|to)\b)|^costs?:|\bat what cost/im,
  ],
  ['refused', /\breject|\bforbade\b|\bforbidden by\b|\bdenied\b/i],
  ['error, or what is wrong', /\bfaults?\b(?! of the program itself)/i],
  ['instance', /\bVMs?\b|\bvirtual machines?\b/i],
  ['memory', /\bRAM\b/],
  ['cpus', /\bCPUs\b|\bcores?\b/],
];

const pages = readdirSync(join(ROOT, 'man')).map(
  (file) =>
    [file, readFileSync(join(ROOT, 'man', file), 'utf8').replace(/^\.EX\n[\s\S]*?^\.EE$/gm, '')] as const,
);

const texts = [
  ...PROGRAM_NAMES.flatMap((name) => {
    const { summary, endings, examples, groups, options, commands = [] } = PROGRAMS[name];
    return [
      [name, [summary, ...Object.values(endings), ...examples.map(([, what]) => what)].join('\n')] as const,
      ...Object.values(groups).map(({ heading, about }) => [name, `${heading} ${about}`] as const),
      ...Object.values(options).map(({ help, manual }) => [name, `${help}\n${manual}`] as const),
      ...commands.map(({ summary: what, manual = '' }) => [name, `${what}\n${manual}`] as const),
    ];
  }),
  ...pages.filter(([file]) => file !== 'evenkeel.7'),
];

/** What says how something stands or ended, in all documents: its words, and those of the other members. */
const STANDINGS: ReadonlySet<string> = new Set(
  'state outcome verdict result action leftAlone noHelp'.split(' '),
);

/**
 * Words of several such lists, which say the same there of other things: an instance and a group are healthy;
 * a run of harep and an execution stopped; an execution and an instance are held, kept where they are.
 */
const SAME = 'healthy failed pending stopped done changed broken held'.split(' ');

function standings(): ReadonlyMap<string, ReadonlySet<string>> {
  const lists = new Map<string, Set<string>>();
  const look = (schema: unknown, member: string): void => {
    if (typeof schema !== 'object' || schema === null) return;
    if ('enum' in schema && STANDINGS.has(member)) {
      const list = (schema.enum as string[]).toSorted().join(' ');
      for (const word of schema.enum as string[]) lists.set(word, (lists.get(word) ?? new Set()).add(list));
    }
    for (const [key, part] of Object.entries(schema))
      look(part, /^(?:\d+|properties|items|anyOf|oneOf|allOf)$/.test(key) ? member : key);
  };
  for (const file of readdirSync(join(ROOT, 'schemas')))
    look(JSON.parse(readFileSync(join(ROOT, 'schemas', file), 'utf8')), '');
  return lists;
}

describe('the words of the programs', () => {
  for (const [said, not] of WORDS)
    it(`are the same for the same: ${said}`, () => {
      const others = texts.flatMap(([where, text]) =>
        not.test(text) ? [`${where}: ${not.exec(text)}`] : [],
      );
      expect(others).to.deep.equal([]);
    });

  it('name a price where output has one', () => {
    const files = readdirSync(join(ROOT, 'src/htools/programs'), { recursive: true, encoding: 'utf8' });
    const others = files.filter(
      (file) =>
        file.endsWith('.ts') &&
        /['`](?:Costs?['`:]|costs?: )|at this cost/.test(
          readFileSync(join(ROOT, 'src/htools/programs', file), 'utf8'),
        ),
    );
    expect(others).to.deep.equal([]);
  });

  it('say how something stands by words of one meaning', () => {
    const several = [...standings()].filter(([, lists]) => lists.size > 1).map(([word]) => word);
    expect(several).to.have.members(SAME);
  });

  it('stand in one order in all programs: sources of a cluster first as last', () => {
    const order = Object.values<{ readonly name: string; readonly group: string }>(OPTIONS)
      .filter(({ group }) => group === 'input')
      .map(({ name }) => name);
    for (const name of PROGRAM_NAMES) {
      const { shown, options } = PROGRAMS[name];
      expect(shown).to.have.members(Object.values(options));
      const sources = shown.filter(({ group }) => group === 'input').map((one) => one.name);
      expect(sources, name).to.deep.equal(order.filter((one) => sources.includes(one)));
    }
  });
});
