import { Glob } from './glob.ts';

/** The name by which robots.txt files address this crawler. */
export const ROBOTS_TOKEN = 'ParlanceBot';

/** RFC 9309: a crawler reads at least this much of a robots.txt. The rest is ignored. */
export const MAX_ROBOTS_BYTES = 500 * 1024;

/** Rules that are used. Checking an address against this many takes a few milliseconds at most. */
const MAX_RULES = 1_000;
const MAX_RULE_LENGTH = 1_000;

interface Group {
  readonly names: string[];
  readonly rules: (readonly [allows: boolean, path: string])[];
  delayMillis: number | null;
}

interface Rule {
  readonly allows: boolean;
  readonly length: number;
  readonly glob: Glob;
}

/** The rules of a robots.txt (RFC 9309) for one crawler. */
export class RobotsRules {
  static readonly ALLOW_ALL = new RobotsRules([], null);
  static readonly DISALLOW_ALL = new RobotsRules([{ allows: false, length: 1, glob: new Glob('/', false) }], null);

  private constructor(
    private readonly rules: readonly Rule[],
    /** The pause between two requests that the host asks for. */
    readonly delayMillis: number | null,
  ) {}

  static parse(text: string, token = ROBOTS_TOKEN): RobotsRules {
    const groups = groupsOf(text.slice(0, MAX_ROBOTS_BYTES));
    const named = (name: string) => groups.filter(({ names }) => names.includes(name));
    const own = named(token.toLowerCase());
    const chosen = own.length > 0 ? own : named('*');
    const rules = chosen.flatMap((group) => group.rules).map(([allows, path]) => ruleOf(allows, path));
    return new RobotsRules(
      rules.filter((rule) => rule !== null).slice(0, MAX_RULES),
      chosen.find(({ delayMillis }) => delayMillis !== null)?.delayMillis ?? null,
    );
  }

  /** Whether the address may be fetched. The longest matching rule decides. Of two equally long ones, the allowing rule wins. */
  allows(url: URL): boolean {
    const path = comparable(`${url.pathname}${url.search}`);
    let length = -1;
    let allowed = true;
    for (const rule of this.rules) {
      const decides = rule.length > length || (rule.length === length && rule.allows);
      if (decides && rule.glob.matches(path)) [length, allowed] = [rule.length, rule.allows];
    }
    return allowed;
  }
}

function groupsOf(text: string): readonly Group[] {
  const groups: Group[] = [];
  let namesEnded = true;
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const [, key = '', value = ''] = /^[ \t]*([A-Za-z-]{1,40})[ \t]*:([^#]*)/.exec(line) ?? [];
    const field = key.toLowerCase();
    if (field === 'user-agent') {
      if (namesEnded) groups.push({ names: [], rules: [], delayMillis: null });
      namesEnded = false;
      groups.at(-1)?.names.push(productOf(value.trim()));
      continue;
    }
    const group = groups.at(-1);
    if (field === 'allow' || field === 'disallow') {
      namesEnded = true;
      // An empty path is not a rule.
      if (value.trim() !== '' && group && group.rules.length < MAX_RULES) group.rules.push([field === 'allow', value.trim()]);
    } else if (field === 'crawl-delay' && group) {
      namesEnded = true;
      const seconds = Number(value.trim() || Number.NaN);
      if (seconds >= 0 && Number.isFinite(seconds)) group.delayMillis ??= seconds * 1_000;
    }
  }
  return groups;
}

/** The product of a user-agent line: `ParlanceBot/1.0` means `ParlanceBot`. */
function productOf(value: string): string {
  return value.startsWith('*') ? '*' : (/^[A-Za-z_-]+/.exec(value)?.[0].toLowerCase() ?? '');
}

function ruleOf(allows: boolean, path: string): Rule | null {
  if (path === '' || !/^[/*]/.test(path)) return null;
  if (path.length > MAX_RULE_LENGTH) {
    // A cut disallow rule forbids more, which is safe. An allow rule that would be cut is ignored.
    return allows ? null : ruleOf(false, path.slice(0, MAX_RULE_LENGTH));
  }
  const isToEnd = path.endsWith('$');
  const pattern = comparable(isToEnd ? path.slice(0, -1) : path);
  return { allows, length: pattern.length + Number(isToEnd), glob: new Glob(pattern, isToEnd) };
}

/** Paths and rules are compared in one form: unneeded escapes decoded, the others in upper case. */
function comparable(path: string): string {
  return path
    .replaceAll(/[^\u0021-\u007e]/gu, (sign) => encodeURIComponent(sign.toWellFormed()))
    .replaceAll(/%[0-9a-f]{2}/gi, (escape) => {
      const sign = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
      return /[A-Za-z0-9._~-]/.test(sign) ? sign : escape.toUpperCase();
    });
}
