/**
 * Thrown by `loadConfig` if a key is unknown, a value is not allowed, or a file cannot be read. The message is one line for the terminal: the
 * first problem, and the number of further problems. It contains no secret.
 */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    const others = problems.length - 1;
    super(harmless(`${problems[0]}${others > 0 ? ` (and ${others} more ${others === 1 ? 'problem' : 'problems'})` : ''}`));
    this.name = 'ConfigError';
  }
}

const LONGEST = 120;

/** A value as messages show it: shortened, and without credentials. */
export function shown(value: unknown, secret: boolean): string {
  if (secret) return '***';
  const text = JSON.stringify(value === undefined ? null : value).replace(/\/\/[^"\s]*@/g, '//***@');
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** Puts the text on one line without control characters, because values and names are untrusted. */
function harmless(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
