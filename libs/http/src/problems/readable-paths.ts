/** Paths of commands whose effect is shown in a list at another path. */
const LISTS: Readonly<Record<string, string>> = { '/conversation': '/conversations' };

/** Calls of models have no paths of their own. */
const CALLS_OF_MODELS = '/v1/';
const CALLS = '/user/me/calls';

/** The paths that GET serves: where clients can look for the effect of a command. */
export class ReadablePaths {
  private readonly shapes: ReadonlySet<string>;

  /** `patterns`: the paths of all GET routes, such as `/bot/:bot_id`. */
  constructor(patterns: Iterable<string>) {
    this.shapes = new Set(Array.from(patterns, shapeOf));
  }

  /** The readable path nearest to a command's, as a pattern: its own, or the closest one above it. Null if there is none. */
  nearest(pattern: string): string | null {
    let path = LISTS[pattern] ?? pattern;
    while (path !== '' && !this.shapes.has(shapeOf(path))) path = path.slice(0, path.lastIndexOf('/'));
    if (path === '' && pattern.startsWith(CALLS_OF_MODELS) && this.shapes.has(CALLS)) return CALLS;
    return path || null;
  }
}

/** The pattern without the names of its parameters, which differ between routes. */
const shapeOf = (pattern: string): string => pattern.replaceAll(/:\w+/g, ':');

/** The path of a pattern that `nearest` returned, with the parameters of the command's URL. */
export function pathWithin(url: string, pattern: string): string {
  const words = url.split('?', 1)[0]?.split('/') ?? [];
  return pattern
    .split('/')
    .map((word, index) => (word.startsWith(':') ? words[index] : word))
    .join('/');
}
