/** What the manual pages of programs leave to two pages for all of them: options that many programs take. */
import { HTOOLS_GROUPS } from '../htools/options/option-table.ts';
import { commonBlock, optionBlock } from '../kit/cli/help/man-page.ts';
import type { OptionDefinition } from '../kit/cli/options/option.ts';
import { words } from '../kit/cli/options/words.ts';
import { PROGRAMS, type ProgramName } from './programs.ts';

/** An option is told about in common where so many programs take it. */
const MANY = 3;

/** About the programs that plan moves and new instances; the other page is about all programs. */
const PLANS = 'evenkeel-plans';
const OF_PLANS: ReadonlySet<string> = new Set(words('limits search allocation questions execution'));
export const COMMON_PAGES = ['evenkeel', PLANS] as const;

/** Programs that Ganeti has, too: their pages begin with the options that it knows. */
export const GANETI_PROGRAMS: ReadonlySet<string> = new Set<ProgramName>(
  words('hail harep hbal hcheck hinfo hroller hscan hspace hsqueeze'),
);

/** Several programs can have an option of one name that means something else in each. */
const identity = ({ name, manual }: OptionDefinition): string => `${name} ${manual}`;

const uses = new Map<string, OptionDefinition[]>();
for (const program of Object.values(PROGRAMS))
  for (const option of Object.values(program.options))
    uses.set(identity(option), [...(uses.get(identity(option)) ?? []), option]);

const isCommon = (option: OptionDefinition): boolean => uses.get(identity(option))!.length >= MANY;

/** The page that tells about an option in common, if one does. */
export const commonPageOf = (option: OptionDefinition): string | undefined =>
  isCommon(option) ? COMMON_PAGES[OF_PLANS.has(option.group) ? 1 : 0] : undefined;

/** The options of a common page, in roff. */
export const commonPageOptions = (page: string): string =>
  commonBlock(
    Array.from(uses.values(), ([option]) => option!).filter((option) => commonPageOf(option) === page),
    HTOOLS_GROUPS,
  );

export const programOptions = (name: ProgramName): string =>
  optionBlock(PROGRAMS[name], commonPageOf, GANETI_PROGRAMS.has(name));
