/**
 * The text exposition format of Prometheus 0.0.4, read strictly: what is allowed and unwise (a metric without
 * HELP, samples of a family apart, a series twice, a unit that is no base unit) is refused, too.
 */
export interface ReadSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const SAMPLE =
  /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (NaN|[+-]Inf|-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^\\"\n]|\\[\\"n])*)"(,|$)/y;
/** Prometheus wants base units, and `_total` for counters only. */
const UNWISE = /_(mib|gib|kib|megabytes|milliseconds|minutes|percent|total)$/;

const VALUES: Readonly<Record<string, number>> = { NaN: Number.NaN, '+Inf': Infinity, '-Inf': -Infinity };
const UNESCAPED: Readonly<Record<string, string>> = { '\\\\': '\\', '\\"': '"', '\\n': '\n' };

function readLabels(text: string, line: string): Record<string, string> {
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < text.length) {
    const found = LABEL.exec(text);
    if (!found) throw new Error(`labels: ${line}`);
    const [, name = '', value = ''] = found;
    if (name in labels || name.startsWith('__')) throw new Error(`label ${name}: ${line}`);
    labels[name] = value.replace(/\\[\\"n]/g, (one) => UNESCAPED[one]!);
  }
  return labels;
}

/** @throws Error that names the first line that is wrong */
export function readExposition(text: string): readonly ReadSample[] {
  if (text === '') return [];
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const samples: ReadSample[] = [];
  const families = new Set<string>();
  const series = new Set<string>();
  let helped: string | undefined;
  let typed: string | undefined;
  for (const line of text.slice(0, -1).split('\n')) {
    const help = /^# HELP (\S+) (.+)$/.exec(line);
    const type = /^# TYPE (\S+) (counter|gauge|histogram|summary|untyped)$/.exec(line);
    if (help) {
      [, helped] = help;
      if (!NAME.test(helped!) || families.has(helped!) || UNWISE.test(helped!))
        throw new Error(`family: ${line}`);
      if (/\\(?![\\n])/.test(help[2]!)) throw new Error(`escape: ${line}`);
      families.add(helped!);
    } else if (type) {
      [, typed] = type;
      if (typed !== helped) throw new Error(`TYPE without its HELP: ${line}`);
    } else {
      const sample = SAMPLE.exec(line);
      if (!sample) throw new Error(`sample: ${line}`);
      const [, name = '', labelText = '', value = ''] = sample;
      if (name !== typed) throw new Error(`sample away from its family: ${line}`);
      const labels = readLabels(labelText, line);
      const key = `${name} ${JSON.stringify(Object.entries(labels).sort())}`;
      if (series.has(key)) throw new Error(`a series twice: ${line}`);
      series.add(key);
      samples.push({ name, labels, value: VALUES[value] ?? Number(value) });
    }
  }
  return samples;
}
